package apidocs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/rest"
	"gamedata/rest/openapi"
)

// RESTPath is where the reference of the REST API is served.
const RESTPath = "/docs/rest"

// endpointPath is the page of a route.
func endpointPath(row rest.Row) string { return RESTPath + "/" + anchor(row) }

// restIndex is the page of all endpoints, with what they share.
type restIndex struct {
	Groups  []restGroup
	Headers []term
	Errors  []failure
	Count   int
}

type restGroup struct {
	Name      string
	Endpoints []*endpointPage
}

// term is a name with its meaning.
type term struct {
	Name string
	Text template.HTML
}

// endpointPage is the page of an endpoint.
type endpointPage struct {
	ID, Method, Path, Group string
	Summary                 string
	About                   template.HTML
	Bucket                  string
	Cost                    int
	Cache                   caching
	// NeedsToken says that the endpoint wants an OAuth2 access token.
	NeedsToken bool
	Parameters []parameterRow
	// Body are the keys of the request's body, and Form says that it is a form instead of JSON.
	Body         []property
	Form         bool
	Bodies       []responseBody
	Tables       bool // CSV and NDJSON, too
	Examples     []exampleBody
	Errors       []failure
	Restrictions []restriction
	Samples      []sample
	Operation    *operation
	Request      exampleRequest
	Links        links
}

// exampleRequest is the request of the samples.
type exampleRequest struct{ Method, Target, Body string }

// parameterRow describes a parameter of the path or the query.
type parameterRow struct {
	Name, In, Type string
	Flag           bool
	Text           template.HTML
	Values         []string
	Default        string
	// Value is that of the example request.
	Value string
	// On says that the example request sends the flag.
	On bool
}

// exampleBody is a recorded response.
type exampleBody struct{ Request, About, Body string }

// readSpec builds and reads the OpenAPI document.
func (d *Docs) readSpec() (*spec, error) {
	text, err := openapi.Document(d.exec, d.ops)
	if err != nil {
		return nil, err
	}
	var s spec
	return &s, json.Unmarshal(text, &s)
}

// readEndpoints makes the pages of all routes, by group.
func (d *Docs) readEndpoints(s *spec) ([]restGroup, error) {
	var groups []restGroup
	for _, row := range rest.Rows {
		described := s.Paths.get(row.Path).get(strings.ToLower(row.Method))
		if described == nil {
			return nil, fmt.Errorf("%s is missing in the OpenAPI document", row.Path)
		}
		page, err := d.endpoint(s, row, described)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.Path, err)
		}
		if len(groups) == 0 || groups[len(groups)-1].Name != page.Group {
			groups = append(groups, restGroup{Name: page.Group})
		}
		last := &groups[len(groups)-1]
		last.Endpoints = append(last.Endpoints, page)
	}
	return groups, nil
}

// endpoint makes the page of one route.
func (d *Docs) endpoint(s *spec, row rest.Row, described *specOperation) (*endpointPage, error) {
	e, bad := d.explain(rest.Prefix+row.Path, "")
	if bad != nil {
		return nil, bad
	}
	p := &endpointPage{
		ID: anchor(row), Method: row.Method, Path: e.Path, Group: openapi.Group(row), Summary: described.Summary,
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
	if p.Parameters, err = parameterRows(described.Parameters, p.Request.Target); err != nil {
		return nil, err
	}
	p.Errors = endpointErrors(row, d.ops[row.Operation], described)
	if row.Method == http.MethodGet && !strings.Contains(p.Request.Target, "{") {
		p.Links.Response = p.Request.Target
	}
	explained, bad := d.explain(strings.SplitN(p.Request.Target, "?", 2)[0], query(p.Request.Target))
	if bad == nil {
		p.Links.Console = explained.Links.Console
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

// indent formats JSON for readers.
func indent(text json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, text, "", "  ") != nil {
		return string(text)
	}
	return b.String()
}

// formBody is a form with a placeholder for each required value.
func formBody(sc *schema) string {
	var fields []string
	for _, m := range sc.Properties {
		value := strings.ToUpper(m.Name)
		if text, ok := m.Value.Const.(string); ok {
			value = text
		}
		for _, required := range sc.Required {
			if required == m.Name {
				fields = append(fields, m.Name+"="+value)
			}
		}
	}
	return strings.Join(fields, "&")
}

// parameterRows describes the parameters, with their values in an example request.
func parameterRows(parameters []specParameter, target string) ([]parameterRow, error) {
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil, err
	}
	_, inPath, _ := rest.Lookup(u)
	sent := u.Query()
	var out []parameterRow
	for _, p := range parameters {
		r := parameterRow{
			Name: p.Name, In: p.In, Flag: p.AllowEmptyValue, Type: "string", Value: sent.Get(p.Name), On: sent.Has(p.Name),
		}
		about := p.Description
		if p.In == "path" {
			r.Value = fmt.Sprint(inPath[p.Name])
		}
		if strings.Contains(r.Value, "{") {
			r.Value = ""
		}
		switch s := p.Schema; {
		case r.Flag:
			r.Type, about = "flag", strings.TrimSuffix(about, "A flag: send it without a value.")
		case s.Type == "integer" && s.Minimum != "":
			r.Type = "integer, " + string(s.Minimum) + " to " + string(s.Maximum)
			if n, err := s.Maximum.Int64(); err == nil && n == 1<<31-1 {
				r.Type = "integer, " + string(s.Minimum) + " or more"
			}
		case s.Type == "integer":
			r.Type = "integer"
		}
		if p.Schema.Default != nil {
			r.Default = fmt.Sprint(p.Schema.Default)
		}
		if !r.Flag {
			for _, v := range p.Schema.Enum {
				r.Values = append(r.Values, fmt.Sprint(v))
			}
		}
		if len(r.Values) > 0 {
			r.Type = "one of the values"
		}
		r.Text = inline(strings.TrimSpace(about), nil)
		out = append(out, r)
	}
	return out, nil
}

// endpointErrors are the errors of an endpoint that not every endpoint has.
func endpointErrors(row rest.Row, op *rest.Operation, described *specOperation) []failure {
	if op == nil { // the token exchange has errors of RFC 6749
		return responseErrors(described)
	}
	shared := map[failure]bool{}
	for _, f := range failures(rest.Row{}.PossibleErrors(nil)) {
		shared[f] = true
	}
	var out []failure
	for _, f := range failures(row.PossibleErrors(op)) {
		if !shared[f] {
			out = append(out, f)
		}
	}
	return out
}

// responseErrors are the errors that the OpenAPI document describes in full.
func responseErrors(described *specOperation) []failure {
	var out []failure
	for _, m := range described.Responses {
		status, err := strconv.Atoi(m.Name)
		if err != nil || status < 300 {
			continue
		}
		var names []string
		if content := m.Value.Content; len(content) > 0 && content[0].Value.Schema != nil {
			if narrow := content[0].Value.Schema.Properties.get("error"); narrow != nil {
				for _, v := range narrow.Enum {
					names = append(names, fmt.Sprint(v))
				}
			}
		}
		out = append(out, failure{Status: status, Error: strings.Join(names, ", "), Detail: m.Value.Description})
	}
	return out
}

// failures are errors with their status and name, each once.
func failures(list []*graph.Error) []failure {
	var out []failure
	have := map[failure]bool{}
	for _, err := range list {
		status, name := httpapi.Status(err.Code)
		if f := (failure{status, name, err.Code, err.Detail}); !have[f] {
			have[f] = true
			out = append(out, f)
		}
	}
	return out
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

// codeSpan is a text in backquotes.
var codeSpan = regexp.MustCompile("`([^`]+)`")

// inline renders a text with code in backquotes. link returns the address of the page about a code, empty for none.
func inline(text string, link func(string) string) template.HTML {
	var b strings.Builder
	for text != "" {
		at := codeSpan.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		code := text[at[2]:at[3]]
		escaped := "<code>" + template.HTMLEscapeString(code) + "</code>"
		if link != nil {
			if to := link(code); to != "" {
				escaped = `<a href="` + template.HTMLEscapeString(to) + `">` + escaped + "</a>"
			}
		}
		b.WriteString(template.HTMLEscapeString(text[:at[0]]))
		b.WriteString(escaped)
		text = text[at[1]:]
	}
	b.WriteString(template.HTMLEscapeString(text))
	return template.HTML(b.String()) //nolint:gosec // escaped above
}

// restIndex makes the page of all endpoints.
func (d *Docs) restIndex(s *spec, groups []restGroup) *restIndex {
	page := &restIndex{Groups: groups, Errors: failures(rest.Row{}.PossibleErrors(nil)), Count: len(rest.Rows)}
	for _, h := range s.Components.Headers {
		page.Headers = append(page.Headers, term{h.Name, inline(h.Value.Description, nil)})
	}
	return page
}

// CanTry reports whether a page can send the request: reading only, without an application's secret.
func (p *endpointPage) CanTry() bool { return !p.Form }

// ExplainPath is the explanation of the example request.
func (p *endpointPage) ExplainPath() string {
	path, _, _ := strings.Cut(p.Request.Target, "?")
	return rest.ExplainPrefix + path
}

// description of an endpoint for search engines.
func (p *endpointPage) description() string {
	return cmp.Or(p.Summary, p.ID) + ": " + p.Method + " " + p.Path + ", with parameters, responses, errors and samples."
}
