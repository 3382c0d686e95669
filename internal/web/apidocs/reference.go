// Package apidocs tells people and programs what the service answers: the OpenAPI document, the
// schema, which GraphQL operation stands behind a documented path and how its data becomes the
// body, and which cases the contract is held to. It describes and never asks: no operation runs
// here, and the rooms of resolvers and storage may not be reached.
package apidocs

import (
	"encoding/json"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
	"gamedata/rest"
	"gamedata/rest/openapi"
)

// Paths.
const (
	SchemaPath        = "/schema.graphqls"
	CompatibilityPath = "/compatibility"
)

// maxAge is how long what is told here may be kept: it changes with the program alone.
const maxAge = 10 * time.Minute

// allow are the methods of everything here.
const allow = "GET, HEAD, OPTIONS"

// Reference serves it all. It stands behind the door's middleware.
type Reference struct {
	door  *httpapi.Door
	exec  *graph.Executor
	ops   map[string]*rest.Operation
	html  *template.Template
	log   *slog.Logger
	files map[string]httpapi.Answer // by path
}

// New builds what is the same for everybody: it fails when the surface cannot be described. The
// operations are those of rest.Load.
func New(d *httpapi.Door, exec *graph.Executor, ops map[string]*rest.Operation, log *slog.Logger) (*Reference, error) {
	document, err := openapi.Document(exec, ops)
	if err != nil {
		return nil, err
	}
	html, err := web.Templates(words, files)
	if err != nil {
		return nil, err
	}
	r := &Reference{door: d, exec: exec, ops: ops, log: log, html: html}
	cases, err := r.compatibility()
	if err != nil {
		return nil, err
	}
	r.files = map[string]httpapi.Answer{
		rest.DocumentPath: file(document, "application/json"),
		SchemaPath:        file([]byte(graph.SDL()), "text/plain; charset=utf-8"),
		CompatibilityPath: cases.Seal(),
	}
	return r, nil
}

// file is an answer that never changes.
func file(body []byte, kind string) httpapi.Answer {
	return httpapi.Answer{
		Body: body, Header: http.Header{"Content-Type": {kind}}, MaxAge: maxAge,
		Scope: graph.Shared,
	}.Seal()
}

// Serves tells whether a path is one of these.
func (r *Reference) Serves(path string) bool {
	_, ok := r.files[path]
	return ok || strings.HasPrefix(path, rest.ExplainPrefix+"/")
}

// ServeHTTP answers GET and HEAD; a request costs 1 in the bucket SHARED.
func (r *Reference) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	path, named := q.URL.EscapedPath(), rest.ExplainPrefix+"/{path}"
	answer, known := r.files[path]
	if known {
		named = path
	}
	httpapi.Name(w, httpapi.DoorOther, named, "reference")
	w.Header().Set("Allow", allow)
	switch {
	case q.Method == http.MethodOptions:
		r.door.Options(w, q, httpapi.Shared, allow)
	case q.Method != http.MethodGet && q.Method != http.MethodHead:
		r.door.MethodNotAllowed(w, q, allow)
	case r.door.Admit(w, q, httpapi.Shared, 1):
		if known {
			r.door.Write(w, q, answer)
			return
		}
		r.door.Write(w, q, r.explained(path, q))
	}
}

// explained is the answer about a path: a page for browsers, JSON for others.
func (r *Reference) explained(path string, q *http.Request) httpapi.Answer {
	e, bad := r.explain(strings.TrimPrefix(path, rest.ExplainPrefix), q.URL.RawQuery)
	if bad != nil {
		return r.door.ErrorAnswer(bad)
	}
	var answer httpapi.Answer
	var err error
	if httpapi.PrefersHTML(q.Header) {
		answer, err = r.page("explain", struct {
			Title string
			Body  *explanation
		}{e.Method + " " + e.Path, e})
	} else {
		answer.MaxAge, answer.Scope, answer.Header = maxAge, graph.Shared, http.Header{"Vary": varies}
		answer.Body, err = json.Marshal(e)
	}
	if err != nil {
		r.log.Error("explain", "path", path, "error", err)
		return r.door.ErrorAnswer(graph.ErrInternal)
	}
	return answer
}
