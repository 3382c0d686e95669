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
	"unicode/utf8"
)

// HTMLType is the Content-Type of pages.
const HTMLType = "text/html; charset=utf-8"

// PagePolicy is the Content-Security-Policy of rendered pages. It allows scripts, style sheets, pictures, requests and
// forms of their own host, nothing inline and no frames. Pictures in style sheets may be data: URLs.
const PagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"manifest-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// SVGType is the Content-Type of drawings.
const SVGType = "image/svg+xml"

// PictureHeader returns the headers of a picture. Every site may show it, even a site that isolates itself. A drawing
// may only style itself.
func PictureHeader(contentType string) http.Header {
	h := http.Header{
		"Content-Type": {contentType}, "Access-Control-Allow-Origin": {"*"},
		"Cross-Origin-Resource-Policy": {"cross-origin"},
	}
	if contentType == SVGType {
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	}
	return h
}

// Text replaces characters that XML forbids in rendered text: control characters, noncharacters and invalid UTF-8. One
// such character in a name would make a whole picture or feed malformed.
func Text(rendered []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF { // XML 1.0, section 2.2
			return utf8.RuneError
		}
		return r
	}, rendered)
}

// SetPageHeaders sets the type and the policy of a rendered page. The middleware of httpapi adds the
// other security headers.
func SetPageHeaders(h http.Header) {
	h.Set("Content-Type", HTMLType)
	h.Set("Content-Security-Policy", PagePolicy)
}

// WritePage writes a page; the caller has set the headers.
func WritePage(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // fails only if the client has left
	}
}

// Templates holds the pages of one package in the layout that all pages share.
type Templates struct{ set *template.Template }

// ParseTemplates parses html/*.html of a package together with the shared layout and components. A page begins with the
// template "top" and ends with "end"; a package may define the layout's "heading" and "foot". The data of a page embeds
// Layout.
func ParseTemplates(files fs.FS) *Templates {
	set := template.Must(template.New("").Funcs(templateFuncs).ParseFS(assets, "html/*.html"))
	if files != nil {
		set = template.Must(set.ParseFS(files, "html/*.html"))
	}
	return &Templates{set}
}

// Render renders data with a template.
func (t *Templates) Render(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := t.set.ExecuteTemplate(&b, name, data)
	return Text(b.Bytes()), err
}

// ConsoleLink returns the path that opens an operation in the console, with its variables.
func ConsoleLink(document string, variables map[string]any) string {
	q := url.Values{"query": {document}}
	if text, err := json.MarshalIndent(variables, "", "  "); err == nil && len(variables) > 0 {
		q.Set("variables", string(text))
	}
	return ConsolePath + "?" + encode(q)
}

// CSVLink returns the path that exports a list of an operation's response as CSV for spreadsheets, with a byte order
// mark. list is its path in the response, such as items.nodes.
func CSVLink(document, list string, variables map[string]any) string {
	q := url.Values{"query": {minify(document)}, "list": {list}, "format": {"csv"}, "bom": {"1"}}
	if text, err := json.Marshal(variables); err == nil && len(variables) > 0 {
		q.Set("variables", string(text))
	}
	return "/graphql?" + encode(q)
}

// encode writes spaces as %20: HTML escapes a plus sign.
func encode(q url.Values) string { return strings.ReplaceAll(q.Encode(), "+", "%20") }

// minify removes comments and indentation from one of our documents. None contains a multi-line string or a string with
// a number sign.
func minify(document string) string {
	var out []string
	for line := range strings.Lines(document) {
		line, _, _ = strings.Cut(line, "#")
		out = append(out, strings.Fields(line)...)
	}
	return strings.Join(out, " ")
}
