package site

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/httpapi"
)

// policy lets a page use its own style sheet and pictures and send forms to its own host,
// nothing else.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// asked is the answer of a page's operation on its way to become a page.
type asked struct {
	site      *Site
	page      *page
	variables map[string]any
	data      json.RawMessage
	errors    gqlerror.List
	frame
	// Body is what the template shows.
	Body any
	// moved is the path that the page has instead of this one; empty when this one is right.
	moved string
	// other is the page that says why there is none of this name; nil when there is.
	other *trouble
}

// read decodes the data into the shape that the operation selects.
func (a *asked) read(into any) *graph.Error {
	if err := json.Unmarshal(a.data, into); err != nil {
		a.site.o.Log.Error("page", "operation", a.page.op.Name, "error", err)
		return graph.ErrInternal
	}
	return nil
}

func (a *asked) variable(name string) string {
	text, _ := a.variables[name].(string)
	return text
}

// run is the making of a page whose request is paid for.
func (s *Site) run(p *page, variables map[string]any) func(context.Context) httpapi.Answer {
	return func(ctx context.Context) httpapi.Answer {
		response := s.exec.Run(ctx, p.op, variables)
		out := s.page(ctx, p, variables, response)
		out.Tags = response.Tags
		return out
	}
}

// page is what an operation's response is shown as.
func (s *Site) page(ctx context.Context, p *page, variables map[string]any, response graph.Response) httpapi.Answer {
	a := &asked{site: s, page: p, variables: variables, data: response.Data, errors: response.Errors}
	a.frame = s.frame(p, variables, !viewer.From(ctx).Is(viewer.Guest))
	failing := slices.ContainsFunc(response.Errors, func(e *gqlerror.Error) bool {
		return graph.ErrorOf(e).Code == graph.ServiceUnavailable
	})
	bad := p.fault(response.Data, response.Errors)
	if bad == nil {
		bad = p.show(a)
	}
	switch {
	case bad != nil:
		t := troubleOf(bad)
		t.Search = p.sought(variables)
		out := s.trouble(t)
		out.Failing = failing
		return out
	case a.moved != "":
		return httpapi.Answer{Status: http.StatusSeeOther, Header: http.Header{
			"Location":     {a.moved},
			"Content-Type": {htmlType},
		}}
	}
	if a.other != nil {
		a.other.Title, a.other.Search = http.StatusText(a.other.Status), p.sought(variables)
		return s.trouble(*a.other)
	}
	out := s.rendered(http.StatusOK, p.operation, a)
	if out.Failing = failing; failing {
		out.Status = http.StatusServiceUnavailable
		out.Header.Set("Retry-After", "5")
	}
	if out.Status == http.StatusOK && len(response.Errors) == 0 {
		out.MaxAge, out.Scope = p.op.Policy.MaxAge, p.op.Policy.Scope
	}
	out.Made, out.Source, out.Store = response.Made, response.Source, response.Store
	return out
}

// fault is why there is no page: the error of the field that it is about. Errors of other fields
// leave their places empty.
func (p *page) fault(data json.RawMessage, problems gqlerror.List) *graph.Error {
	if len(problems) == 0 || p.partial && len(data) > 0 && string(data) != "null" {
		return nil
	}
	var roots map[string]json.RawMessage
	if json.Unmarshal(data, &roots) == nil && roots[p.about] != nil && string(roots[p.about]) != "null" {
		return nil
	}
	for _, e := range problems {
		if len(e.Path) > 0 && e.Path[0] == ast.PathName(p.about) {
			return graph.ErrorOf(e)
		}
	}
	return graph.ErrorOf(problems[0])
}

const htmlType = "text/html; charset=utf-8"

// rendered is a page of a status; whoever calls says how long it is good for.
func (s *Site) rendered(status int, template string, data any) httpapi.Answer {
	var b bytes.Buffer
	if err := s.html.ExecuteTemplate(&b, template, data); err != nil {
		s.o.Log.Error("page", "template", template, "error", err)
		return s.door.ErrorAnswer(graph.ErrInternal)
	}
	return httpapi.Answer{Status: status, Body: b.Bytes(), Header: http.Header{
		"Content-Type":            {htmlType},
		"Content-Security-Policy": {policy},
	}}
}

// send writes a page that is made of no answer, whatever the credential.
func (s *Site) send(w http.ResponseWriter, r *http.Request, a httpapi.Answer) {
	h := w.Header()
	maps.Copy(h, a.Header)
	h.Set("Content-Length", strconv.Itoa(len(a.Body)))
	w.WriteHeader(a.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.Body) // an error means that the browser has left
	}
}
