package web

import (
	"bytes"
	"encoding/json"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// HTMLType is the Content-Type of pages.
const HTMLType = "text/html; charset=utf-8"

// PagePolicy is the Content-Security-Policy of rendered pages: scripts, style sheets, pictures, requests and forms of
// their own host, nothing inline, no frames. Pictures in style sheets may be data: URLs.
const PagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"manifest-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const (
	svgType = "image/svg+xml"
	// svgPolicy allows a picture to style itself, and nothing else.
	svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
)

// SVGHeader returns the headers of a picture.
func SVGHeader() http.Header {
	return http.Header{"Content-Type": {svgType}, "Content-Security-Policy": {svgPolicy}}
}

// SetPageHeaders sets the type and the policy of a rendered page. The middleware of httpapi adds the
// other security headers.
func SetPageHeaders(h http.Header) {
	h.Set("Content-Type", HTMLType)
	h.Set("Content-Security-Policy", PagePolicy)
}

// WritePage writes a page; the headers are set.
func WritePage(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // an error means that the client has left
	}
}

// Templates are the pages of one package in the layout that all pages share.
type Templates struct{ set *template.Template }

// ParseTemplates parses html/*.html of a package beside the layout and the components that all pages share. A page
// begins with the template "top" and ends with "end"; a package may define what the layout shows as "heading" and
// "foot". The data of a page embeds Layout.
func ParseTemplates(files fs.FS) (*Templates, error) {
	shared, err := template.New("").Funcs(templateFuncs).ParseFS(assets, "html/*.html")
	if err != nil {
		return nil, err
	}
	if files == nil {
		return &Templates{shared}, nil
	}
	set, err := shared.ParseFS(files, "html/*.html")
	if err != nil {
		return nil, err
	}
	return &Templates{set}, nil
}

// Render returns the page that a template makes of data.
func (t *Templates) Render(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := t.set.ExecuteTemplate(&b, name, data)
	return b.Bytes(), err
}

// ConsoleLink returns the path that opens an operation in the console, with its variables.
func ConsoleLink(document string, variables map[string]any) string {
	q := url.Values{"query": {document}}
	if text, err := json.MarshalIndent(variables, "", "  "); err == nil && len(variables) > 0 {
		q.Set("variables", string(text))
	}
	return ConsolePath + "?" + encode(q)
}

// CSVLink returns the path of a list of an operation's response as CSV for a spreadsheet, with a byte order mark: its
// path in the response, such as items.nodes.
func CSVLink(document, list string, variables map[string]any) string {
	q := url.Values{"query": {minify(document)}, "list": {list}, "format": {"csv"}, "bom": {"1"}}
	if text, err := json.Marshal(variables); err == nil && len(variables) > 0 {
		q.Set("variables", string(text))
	}
	return "/graphql?" + encode(q)
}

// encode writes spaces as %20: HTML escapes a plus sign.
func encode(q url.Values) string { return strings.ReplaceAll(q.Encode(), "+", "%20") }

// minify removes the comments and the indentation of a document of this program: none has a string over several lines
// or with a number sign.
func minify(document string) string {
	var out []string
	for line := range strings.Lines(document) {
		line, _, _ = strings.Cut(line, "#")
		out = append(out, strings.Fields(line)...)
	}
	return strings.Join(out, " ")
}
