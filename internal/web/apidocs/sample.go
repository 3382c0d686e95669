package apidocs

import (
	_ "embed"
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
	"quote": encoded, "goString": strconv.Quote,
}).Parse(samples))

func samplesOf(r sampleRequest) []sample {
	var out []sample
	for _, language := range []string{"curl", "JavaScript", "Python", "Go", "C#"} {
		var b strings.Builder
		if err := sampleTemplates.ExecuteTemplate(&b, language, r); err != nil {
			panic(err) // the template is part of the program
		}
		out = append(out, sample{language, b.String()})
	}
	return out
}
