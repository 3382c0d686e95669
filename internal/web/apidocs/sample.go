package apidocs

import (
	"encoding/json"
	"strconv"
	"strings"
	"text/template"
)

// sampleRequest is a request that samples send.
type sampleRequest struct {
	Method, URL string
	// Body is the body of a POST request, Type its content type.
	Body, Type string
	// Token says that the request needs an access token.
	Token bool
}

// sample is a program that sends a request and prints the response. It needs the language's standard library only.
type sample struct{ Language, Code string }

// accessToken is what a user of a sample replaces.
const accessToken = "Bearer ACCESS_TOKEN"

var sampleTemplates = template.Must(template.New("").Funcs(template.FuncMap{
	"shell": func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" },
	"quote": quoted, "goString": strconv.Quote,
}).Parse(`
{{define "curl"}}curl {{shell .URL}}{{if .Token}} \
  -H {{shell "Authorization: ` + accessToken + `"}}{{end}}{{if .Body}} \
  -H {{shell (print "Content-Type: " .Type)}} \
  -d {{shell .Body}}{{end}}
{{end}}

{{define "JavaScript"}}const response = await fetch({{quote .URL}}{{if or .Token .Body}}, {
{{- if .Body}}
  method: "POST",{{end}}
  headers: {
{{- if .Token}}
    Authorization: "` + accessToken + `",{{end}}{{if .Body}}
    "Content-Type": {{quote .Type}},{{end}}
  },
{{- if .Body}}
  body: {{quote .Body}},{{end}}
}{{end}});
const body = await response.json();
if (!response.ok) throw new Error(` + "`${response.status} ${body.error}: ${body.detail}`" + `);
console.log(body);
{{end}}

{{define "Python"}}import json
from urllib.request import Request, urlopen

request = Request(
    {{quote .URL}},
{{- if .Body}}
    data={{quote .Body}}.encode(),{{end}}{{if or .Token .Body}}
    headers={
{{- if .Token}}
        "Authorization": "` + accessToken + `",{{end}}{{if .Body}}
        "Content-Type": {{quote .Type}},{{end}}
    },{{end}}
)
with urlopen(request) as response:
    body = json.load(response)
print(body)
{{end}}

{{define "Go"}}package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
{{- if .Body}}
	"strings"{{end}}
)

func main() {
{{- if or .Token .Body}}
	request, err := http.NewRequest({{goString .Method}}, {{goString .URL}}, {{if .Body -}}
	strings.NewReader({{goString .Body}}){{else}}nil{{end}})
	if err != nil {
		log.Fatal(err)
	}
{{- if .Token}}
	request.Header.Set("Authorization", "` + accessToken + `"){{end}}{{if .Body}}
	request.Header.Set("Content-Type", {{goString .Type}}){{end}}
	response, err := http.DefaultClient.Do(request)
{{- else}}
	response, err := http.Get({{goString .URL}})
{{- end}}
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status)
	fmt.Println(string(body))
}
{{end}}

{{define "C#"}}{{if .Body}}using System.Text;

{{end}}using var client = new HttpClient();
using var request = new HttpRequestMessage(HttpMethod.{{if .Body}}Post{{else}}Get{{end}}, {{quote .URL}});
{{- if .Token}}
request.Headers.Add("Authorization", "` + accessToken + `");{{end}}{{if .Body}}
request.Content = new StringContent({{quote .Body}}, Encoding.UTF8, {{quote .Type}});{{end}}
using var response = await client.SendAsync(request);
Console.WriteLine((int)response.StatusCode);
Console.WriteLine(await response.Content.ReadAsStringAsync());
{{end}}
`))

// quoted writes a string as JSON, which JavaScript, Python and C# read too.
func quoted(text string) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(text)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// samplesOf returns the samples of a request.
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
