// Package apidocs documents the API for people and programs: the reference with the guides (/docs), the OpenAPI
// document, the schema, and the GraphQL operation of a REST endpoint with the mapping of its data to the body
// (/explain). It runs no operations and does not import resolvers or storage.
package apidocs

import (
	"embed"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
	"gamedata/rest"
	"gamedata/rest/openapi"
)

// Paths.
const (
	SchemaPath = "/schema.graphqls"
	// compatibilityPath is the former address of the conformance cases.
	compatibilityPath = "/compatibility"
)

// maxAge is the cache time of all documentation, which changes only with the program.
const maxAge = 10 * time.Minute

const allow = "GET, HEAD, OPTIONS"

// variesByAccept is the Vary header of addresses that serve both a page and JSON.
var variesByAccept = []string{"Authorization, Cookie, Origin, Accept-Encoding, Accept"}

//go:embed html
var templates embed.FS

// Docs serves the documentation, behind the middleware that authenticates callers.
type Docs struct {
	api       *httpapi.API
	exec      *graph.Executor
	ops       map[string]*rest.Operation
	templates *web.Templates
	o         Options
	// reference builds the pages below /docs once.
	reference func() *reference
}

// Options of the documentation.
type Options struct {
	Origin string // of the service, without a trailing slash
	Log    *slog.Logger
}

// New returns the documentation of the operations of rest.Load.
func New(api *httpapi.API, exec *graph.Executor, ops map[string]*rest.Operation, o Options) *Docs {
	d := &Docs{api: api, exec: exec, ops: ops, o: o, templates: web.ParseTemplates(templates)}
	d.reference = sync.OnceValue(d.makeReference)
	return d
}

func (d *Docs) openAPI() httpapi.Response {
	return staticResponse(openapi.Document(d.exec, d.ops), "application/json")
}

func (d *Docs) schema() httpapi.Response {
	return staticResponse([]byte(generated.SDL()), "text/plain; charset=utf-8")
}

// moved redirects to the current address of a page.
func moved(location string) httpapi.Response {
	return httpapi.Response{
		Status: http.StatusMovedPermanently, MaxAge: maxAge, Scope: graph.Shared,
		Header: http.Header{"Location": {location}, "Vary": variesByAccept},
	}
}

func staticResponse(body []byte, contentType string) httpapi.Response {
	header := http.Header{"Content-Type": {contentType}}
	return httpapi.Response{Body: body, Header: header, MaxAge: maxAge, Scope: graph.Shared}
}

// failed logs an error that users do not see and returns the response for it.
func (d *Docs) failed(document string, err error) httpapi.Response {
	d.o.Log.Error("rendering documentation failed", "document", document, "error", err)
	return d.api.Errors.Response(graph.ErrInternal)
}

// Register adds the documents to a router, behind middleware.
func (d *Docs) Register(router *mux.Router, middleware func(http.Handler) http.Handler) {
	for path, render := range map[string]func() httpapi.Response{
		rest.DocumentPath: d.openAPI, SchemaPath: d.schema, LanguageModelsPath: d.llms,
		compatibilityPath: func() httpapi.Response { return moved(RESTPath + "#" + compatibilityID) },
	} {
		// The document is rendered on its first request.
		once := sync.OnceValue(func() httpapi.Response { return render().Precompute() })
		document := d.handler(path, httpapi.Shared, 1, func(*http.Request) httpapi.Response { return once() })
		router.Handle(path, middleware(document))
	}
	reference := middleware(d.handler(ReferencePath+"/{path}", httpapi.Pages, 0, d.referenceResponse))
	router.Handle(ReferencePath, reference)
	router.PathPrefix(ReferencePath + "/").Handler(reference)
	explain := d.handler(rest.ExplainPrefix+"/{path}", httpapi.Shared, 1, d.explainResponse)
	router.PathPrefix(rest.ExplainPrefix + "/").Handler(middleware(explain))
}

// handler serves GET and HEAD; a request costs 1 for programs. Reference pages read nothing and are free.
func (d *Docs) handler(route, bucket string, cost int, response func(*http.Request) httpapi.Response) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpapi.SetRoute(r.Context(), httpapi.APIOther, route, "reference")
		if d.api.AllowsMethod(w, r, bucket, allow) && d.api.Limits.Authorize(w, r, bucket, cost) {
			httpapi.WriteResponse(w, r, response(r))
		}
	})
}

// explainResponse explains an endpoint as JSON. It redirects browsers to the explanation on the endpoint's page.
func (d *Docs) explainResponse(r *http.Request) httpapi.Response {
	e, bad := d.explain(strings.TrimPrefix(r.URL.EscapedPath(), rest.ExplainPrefix), r.URL.RawQuery)
	if bad != nil {
		response := d.api.Errors.Response(bad)
		response.Header["Vary"] = variesByAccept
		return response
	}
	if httpapi.PrefersHTML(r.Header) {
		return moved(e.Links.Docs + "#" + explanationID)
	}
	body, err := json.Marshal(e)
	if err != nil {
		return d.failed("explanation", err)
	}
	return httpapi.Response{
		Body: body, MaxAge: maxAge, Scope: graph.Shared, Header: http.Header{"Vary": variesByAccept},
	}
}
