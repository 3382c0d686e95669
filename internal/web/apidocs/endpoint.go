package apidocs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"

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

func (d *Docs) readSpec() (*spec, error) {
	var s spec
	return &s, json.Unmarshal(openapi.Document(d.exec, d.ops), &s)
}

func (d *Docs) endpoint(s *spec, row rest.Row, described *specOperation) (*endpointPage, error) {
	e, bad := d.explain(rest.Prefix+row.Path, "")
	if bad != nil {
		return nil, bad
	}
	p := &endpointPage{
		ID: endpointID(row), Method: row.Method, Path: e.Path, Group: openapi.Group(row), Summary: described.Summary,
		About: inline(described.Description, d.endpointLink), Bucket: e.Bucket, Cost: e.Cost, Cache: e.Cache,
		Restrictions: e.Restrictions, Operation: e.Operation, Links: e.Links,
	}
	for _, schemes := range described.Security {
		_, p.NeedsToken = schemes["oauth2"]
	}
	ok := described.Responses.get("200").Content
	body := ok.get("application/json")
	p.Bodies = s.bodies(body.Schema)
	p.Tables = ok.get("text/csv").Schema != nil
	for _, m := range body.Examples {
		p.Examples = append(p.Examples, exampleBody{m.Value.Summary, m.Value.Description, indent(m.Value.Value)})
	}
	if len(p.Examples) == 0 && body.Example != nil {
		p.Examples = []exampleBody{{Body: indent(body.Example)}}
	}
	p.Request = exampleRequest{Method: row.Method, Target: e.Path}
	if len(p.Examples) > 0 && p.Examples[0].Request != "" {
		_, p.Request.Target, _ = strings.Cut(p.Examples[0].Request, " ")
	}
	contentType := ""
	if described.RequestBody != nil {
		first := described.RequestBody.Content[0]
		contentType, p.Body = first.Name, s.properties(first.Value.Schema)
		p.Form, p.Request.Body = contentType != "application/json", string(first.Value.Example)
		if p.Form {
			p.Request.Body = formBody(first.Value.Schema)
		}
	}
	var err error
	p.Parameters, err = parameterRows(row, d.ops[row.Operation], p.Request.Target)
	if err != nil {
		return nil, err
	}
	p.Errors = endpointErrors(row, d.ops[row.Operation], described)
	if row.Method == http.MethodGet && !strings.Contains(p.Request.Target, "{") {
		p.Links.Response = p.Request.Target
	}
	p.Explained = e
	if explained, bad := d.explain(strings.SplitN(p.Request.Target, "?", 2)[0], query(p.Request.Target)); bad == nil {
		p.Explained, p.Links.Console = explained, explained.Links.Console
	}
	p.Samples, err = samplesOf(sampleRequest{
		Method: row.Method, URL: d.o.Origin + p.Request.Target, Body: p.Request.Body, Type: contentType, Token: p.NeedsToken,
	})
	return p, err
}

func query(target string) string {
	_, query, _ := strings.Cut(target, "?")
	return query
}

func indent(text json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, text, "", "  ") != nil {
		return string(text)
	}
	return b.String()
}

// formBody is a form with a placeholder for each value.
func formBody(sc *schema) string {
	var fields []string
	for _, m := range sc.Properties {
		value := strings.ToUpper(m.Name)
		if text, ok := m.Value.Const.(string); ok {
			value = text
		}
		fields = append(fields, m.Name+"="+value)
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
