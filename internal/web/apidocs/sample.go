package apidocs

import (
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"
	"text/template"
)

type sampleRequest struct {
	Method, URL string
	// Body is the body of a POST request, Type its content type.
	Body, Type string
	// Token means that the request needs an access token.
	Token bool
}

// sample is a program that sends a request and prints the response. It needs only the language's standard library.
type sample struct{ Language, Code string }

//go:embed samples.tmpl
var samples string

var sampleTemplates = template.Must(template.New("").Funcs(template.FuncMap{
	"shell": func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" },
	"quote": quoted, "goString": strconv.Quote,
}).Parse(samples))

func quoted(text string) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(text)
	return strings.TrimSuffix(b.String(), "\n"), err
}

func samplesOf(r sampleRequest) ([]sample, error) {
	var out []sample
	for _, language := range []string{"curl", "JavaScript", "Python", "Go", "C#"} {
		var b strings.Builder
		if err := sampleTemplates.ExecuteTemplate(&b, language, r); err != nil {
			return nil, err
		}
		out = append(out, sample{language, b.String()})
	}
	return out, nil
}
