package site

import (
	"bytes"
	"cmp"
	"context"
	jsonv1 "encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

// layout is the data for the layout of all pages about the game.
type layout struct {
	web.Layout
	// Console is the path of the page's query in the console, empty on error pages.
	Console string
	// Path is the path of Address, which works under every host name.
	Path string
	// Personal means that the page depends on the viewer, SignedIn that the viewer is not a guest.
	Personal, SignedIn bool
	// Incomplete means that a part of the page failed.
	Incomplete bool
}

// renderContext is the response of an operation while it is rendered as a page. It is the data of the page's template.
type renderContext struct {
	layout
	Body any // what the template shows

	request
	site   *Site
	page   *page
	data   jsonv1.RawMessage
	errors gqlerror.List
	// Chart is the chart of the page, nil if it has none.
	Chart *chart
	// unsortable holds the orders that the list cannot have with its filters.
	unsortable []string
	// Picture is the template of the list of the page as an SVG file, empty if it has none.
	Picture string
	// location is the path to redirect to; empty to show this page.
	location string
	// json is the body of a route that serves JSON to a script; nil on pages.
	json any
}

// view shows the response of an operation: it sets the title, the description and the content. The template has the
// same name as the operation.
type view struct {
	operation string
	show      func(*renderContext) *errorPage // returns the error to show instead, or nil
}

// viewOf returns the view of the operation that has the same name as T, the type of its data.
func viewOf[T any](show func(*renderContext, *T) *errorPage) view {
	name := reflect.TypeFor[T]().Name()
	return view{name, func(c *renderContext) *errorPage {
		data := new(T)
		if bad := c.site.decode(name, c.data, data); bad != nil {
			return newErrorPage(bad)
		}
		return show(c, data)
	}}
}

func (s *Site) decode(operation string, text jsonv1.RawMessage, data any) *graph.Error {
	if err := json.Unmarshal(text, data); err != nil {
		s.o.Log.Error("decoding data failed", "operation", operation, "error", err)
		return graph.ErrInternal
	}
	return nil
}

// orEmpty returns an object, or an empty one for nil: some objects are null while the store fails.
func orEmpty[T any](object *T) *T { return cmp.Or(object, new(T)) }

// show sets the title, the description and the content of the page.
func (c *renderContext) show(title, description string, body any) *errorPage {
	c.Title, c.Description, c.Body = title, description, body
	c.Path = strings.TrimPrefix(c.Address, c.site.o.Origin)
	return nil
}

// setCanonical sets the canonical path of the page, whatever other paths lead to it.
func (c *renderContext) setCanonical(path string) {
	c.Address = c.site.o.Origin + path
	if c.page.card {
		c.Image = c.Address + cardSuffix
	}
}

func (c *renderContext) variable(name string) string {
	text, _ := c.variables[name].(string)
	return text
}

// responder builds a response from the content of a page, or from its error.
type responder func(*renderContext, *errorPage) httpapi.Response

// run returns a function that runs a page's operation and turns the result into a response: a page or its picture.
func (s *Site) run(p *page, req request, scope graph.Scope, respond responder) func(context.Context) httpapi.Response {
	return func(ctx context.Context) httpapi.Response {
		r := s.exec.Run(ctx, p.op.Operation, req.variables)
		c := s.newContext(p, req, r)
		c.SignedIn = !viewer.From(ctx).Is(viewer.Guest)
		var problem *errorPage
		if bad := p.errorOf(r.Data, r.Errors); bad != nil {
			problem = newErrorPage(bad)
		} else {
			problem = p.show(c)
		}
		if problem != nil {
			problem = s.addHints(ctx, p, problem, req, r.Errors)
		}
		out := respond(c, problem)
		if out.Status == http.StatusOK && len(r.Errors) == 0 {
			out.MaxAge, out.Scope = r.MaxAge, scope
		}
		out.Failing = partFailed(r.Errors)
		out.ReadStats = r.ReadStats
		if problem != nil {
			out.Tags = slices.Concat(out.Tags, problem.tags)
		}
		return out
	}
}

func (s *Site) newContext(p *page, req request, r graph.Response) *renderContext {
	c := &renderContext{request: req, site: s, page: p, data: r.Data, errors: graph.WithoutNotFound(r.Errors)}
	c.Address = s.o.Origin + c.Link()
	if p.card && !strings.Contains(p.path, "{") {
		c.Image = s.o.Origin + strings.TrimSuffix(p.path, "/") + cardSuffix
	}
	c.Console = web.ConsoleLink(p.op.Document, req.variables)
	c.Active, c.Scripts, c.Clock = p.section(), p.scripts, s.o.Clock
	c.Personal, c.Incomplete = p.op.Policy.Scope == graph.User, partFailed(c.errors)
	return c
}

func (s *Site) respond(c *renderContext, problem *errorPage) httpapi.Response {
	switch {
	case problem != nil:
		return s.renderError(problem)
	case c.location != "":
		header := http.Header{"Location": {c.location}, "Content-Type": {web.HTMLType}}
		return httpapi.Response{Status: http.StatusSeeOther, Header: header}
	}
	out := s.renderBody(c)
	if c.Incomplete {
		p := newErrorPage(graph.ErrUnavailable)
		out.Status = p.Status
		maps.Copy(out.Header, p.header)
		text := `</h1><p class="wrong" role="alert">Parts of this page could not be loaded: what is missing may exist. ` +
			p.Text + "</p>"
		out.Body = bytes.Replace(out.Body, []byte("</h1>"), []byte(text), 1) // below the title of every page
	}
	return out
}

// renderBody renders the content: as a page, or as a chart or a list for programs.
func (s *Site) renderBody(c *renderContext) httpapi.Response {
	list, isList := c.Body.(*membersBody)
	switch {
	case c.json != nil:
		return s.jsonResponse(c.json)
	case isList && c.Value(formatParameter) == csvFormat:
		return csvResponse(strings.Trim(notInNames.ReplaceAllString(c.Title, "_"), "_"), list.csv())
	case c.Chart != nil && c.Value(formatParameter) == csvFormat:
		return csvResponse(c.Chart.ID, c.Chart.csv())
	case c.Chart != nil && c.Value(formatParameter) == svgFormat:
		return s.svgResponse(c)
	case c.Picture != "" && c.Value(formatParameter) == svgFormat:
		return s.svgOf(c.Picture, c)
	}
	return s.renderTemplate(http.StatusOK, c.page.operation, c)
}

// partFailed reports whether the store or the service failed while an operation ran: a null may stand for a failure,
// and a stale response is better than an incomplete one.
func partFailed(errors gqlerror.List) bool {
	return slices.ContainsFunc(errors, func(e *gqlerror.Error) bool {
		status, _ := httpapi.Status(graph.ErrorOf(e).Code)
		return status >= http.StatusInternalServerError
	})
}

// renderTemplate renders a page with a status. The caller sets its freshness.
func (s *Site) renderTemplate(status int, template string, data any) httpapi.Response {
	body, err := s.templates.Render(template, data)
	if err != nil {
		s.o.Log.Error("rendering page failed", "template", template, "error", err)
		return s.api.Errors.Response(graph.ErrInternal)
	}
	header := http.Header{}
	web.SetPageHeaders(header)
	return httpapi.Response{Status: status, Body: body, Header: header}
}

func (s *Site) jsonResponse(v any) httpapi.Response {
	body, err := jsonv1.Marshal(v)
	if err != nil {
		s.o.Log.Error("encoding response of a page failed", "error", err)
		return s.api.Errors.Response(graph.ErrInternal)
	}
	return httpapi.Response{Status: http.StatusOK, Body: body, Header: http.Header{"Content-Type": {"application/json"}}}
}

// send writes a page outside the cache, whatever the credential.
func (s *Site) send(w http.ResponseWriter, r *http.Request, a httpapi.Response) {
	maps.Copy(w.Header(), a.Header)
	web.WritePage(w, r, a.Status, a.Body)
}
