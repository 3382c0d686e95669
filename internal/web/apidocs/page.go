package apidocs

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

//go:embed html
var files embed.FS

// policy lets a page use its own style sheet and icon, nothing else.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// varies tells that pages and JSON of one address differ.
var varies = []string{"Authorization, Cookie, Origin, Accept-Encoding, Accept"}

var words = template.FuncMap{
	"join": strings.Join,
	"json": func(v any) (string, error) {
		text, err := json.Marshal(v)
		return string(text), err
	},
}

// page renders a template.
func (r *Reference) page(name string, data any) (httpapi.Answer, error) {
	var b bytes.Buffer
	if err := r.html.ExecuteTemplate(&b, name, data); err != nil {
		return httpapi.Answer{}, err
	}
	return httpapi.Answer{Body: b.Bytes(), MaxAge: maxAge, Scope: graph.Shared, Header: http.Header{
		"Content-Type": {"text/html; charset=utf-8"}, "Content-Security-Policy": {policy}, "Vary": varies,
	}}, nil
}
