package apidocs

import (
	"cmp"
	"html/template"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"gamedata/rest"
	"gamedata/rest/openapi"
)

// RESTPath is where the reference of the REST API is served.
const RESTPath = "/docs/rest"

func endpointPath(row rest.Row) string { return RESTPath + "/" + endpointID(row) }

func endpointID(row rest.Row) string { return cmp.Or(row.Operation, openapi.ExchangeName) }

type endpointPage struct {
	ID, Method, Path, Group string
	Summary                 string
	About                   template.HTML
	Bucket                  string
	Cost                    int
	Cache                   caching
	// NeedsToken means that the endpoint requires an OAuth2 access token.
	NeedsToken bool
	Parameters []parameterRow
	// Body lists the keys of the request's body. Form means that the body is a form instead of JSON.
	Body         []property
	Form         bool
	Bodies       []responseBody
	Tables       bool // whether CSV and NDJSON are available
	Examples     []exampleBody
	Errors       []failure
	Restrictions []restriction
	Samples      []sample
	Operation    *operation
	Request      exampleRequest
	Links        links
	Explained    *explanation // the example request
	Cases        []conformanceCase
}

type exampleRequest struct{ Method, Target, Body string }

type exampleBody struct{ Request, About, Body string }

func (d *Docs) endpoint(s *spec, row rest.Row, described openapi.Object) *endpointPage {
	e, _ := d.explain(rest.Prefix+row.Path, "")
	p := &endpointPage{
		ID: endpointID(row), Method: row.Method, Path: e.Path, Group: openapi.Group(row), Summary: described.Text("summary"),
		About: inline(described.Text("description"), d.endpointLink), Bucket: e.Bucket, Cost: e.Cost, Cache: e.Cache,
		Restrictions: e.Restrictions, Operation: e.Operation, Links: e.Links,
	}
	for _, schemes := range described.Objects("security") {
		p.NeedsToken = schemes.Get("oauth2") != nil
	}
	ok := described.Object("responses", "200", "content")
	body := ok.Object("application/json")
	p.Bodies = s.bodies(body.Object("schema"))
	p.Tables = ok.Object("text/csv") != nil
	for _, e := range body.Object("examples").All() {
		p.Examples = append(p.Examples, exampleBody{e.Text("summary"), e.Text("description"), indented(e.Get("value"))})
	}
	if example := body.Get("example"); len(p.Examples) == 0 && example != nil {
		p.Examples = []exampleBody{{Body: indented(example)}}
	}
	p.Request = exampleRequest{Method: row.Method, Target: e.Path}
	if len(p.Examples) > 0 && p.Examples[0].Request != "" {
		_, p.Request.Target, _ = strings.Cut(p.Examples[0].Request, " ")
	}
	contentType := ""
	for kind, content := range described.Object("requestBody", "content").All() {
		schema := content.Object("schema")
		contentType, p.Body = kind, s.properties(schema)
		p.Form, p.Request.Body = kind != "application/json", encoded(content.Get("example"))
		if p.Form {
			p.Request.Body = formBody(schema)
		}
	}
	p.Parameters = parameterRows(row, d.ops[row.Operation], p.Request.Target)
	p.Errors = endpointErrors(row, d.ops[row.Operation], described)
	if row.Method == http.MethodGet && !strings.Contains(p.Request.Target, "{") {
		p.Links.Response = p.Request.Target
	}
	p.Explained = e
	if explained, bad := d.explain(strings.SplitN(p.Request.Target, "?", 2)[0], query(p.Request.Target)); bad == nil {
		p.Explained, p.Links.Console = explained, explained.Links.Console
	}
	p.Samples = samplesOf(sampleRequest{
		Method: row.Method, URL: d.o.Origin + p.Request.Target, Body: p.Request.Body, Type: contentType, Token: p.NeedsToken,
	})
	return p
}

func query(target string) string {
	_, query, _ := strings.Cut(target, "?")
	return query
}

// encoded formats a value of the document as JSON; empty for nil.
func encoded(v any, options ...json.Options) string {
	if v == nil {
		return ""
	}
	return string(openapi.Marshal(v, options...))
}

func indented(v any) string { return encoded(v, jsontext.WithIndent("  ")) }

// formBody is a form with a placeholder for each value.
func formBody(schema openapi.Object) string {
	var fields []string
	for name, value := range schema.Object("properties").All() {
		fields = append(fields, name+"="+cmp.Or(value.Text("const"), strings.ToUpper(name)))
	}
	return strings.Join(fields, "&")
}

// endpointLink links the path of an endpoint to its page; it is empty for other texts.
func (d *Docs) endpointLink(text string) string {
	for _, row := range rest.Rows {
		if row.Path == text {
			return endpointPath(row)
		}
	}
	return ""
}

// CanTry reports whether a page can send the request: it only reads, and needs no application's secret.
func (p *endpointPage) CanTry() bool { return !p.Form }

func (p *endpointPage) description() string {
	return cmp.Or(p.Summary, p.ID) + ": " + p.Method + " " + p.Path + ", with parameters, responses, errors and samples."
}
