// Package reference tells people and programs what the service answers: the OpenAPI document, the
// schema, which GraphQL operation stands behind a documented path and how its data becomes the
// body, and which cases the contract is held to. It describes and never asks: no operation runs
// here, and the rooms of resolvers and storage may not be reached.
package reference

import (
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"gamedata/door"
	"gamedata/graph"
	"gamedata/openapi"
	"gamedata/rest"
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
	door  *door.Door
	exec  *graph.Executor
	ops   map[string]*rest.Operation
	html  *template.Template
	log   *slog.Logger
	files map[string]door.Answer // by path
}

// New builds what is the same for everybody: it fails when the surface cannot be described. The
// operations are those of rest.Load.
func New(d *door.Door, exec *graph.Executor, ops map[string]*rest.Operation, log *slog.Logger) (*Reference, error) {
	document, err := openapi.Document(exec, ops)
	if err != nil {
		return nil, err
	}
	r := &Reference{door: d, exec: exec, ops: ops, log: log}
	r.files = map[string]door.Answer{
		rest.DocumentPath: file(document, "application/json"),
		SchemaPath:        file([]byte(graph.SDL()), "text/plain; charset=utf-8"),
	}
	return r, nil
}

// file is an answer that never changes.
func file(body []byte, kind string) door.Answer {
	return door.Answer{Body: body, Header: http.Header{"Content-Type": {kind}}, MaxAge: maxAge, Scope: graph.Shared}.Seal()
}

// Serves tells whether a path is one of these.
func (r *Reference) Serves(path string) bool {
	_, ok := r.files[path]
	return ok || strings.HasPrefix(path, rest.ExplainPrefix+"/")
}

// ServeHTTP answers GET and HEAD; a request costs 1 in the bucket SHARED.
func (r *Reference) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	door.Name(w, "reference")
	w.Header().Set("Allow", allow)
	switch {
	case q.Method == http.MethodOptions:
		r.door.Options(w, q, door.Shared, allow)
	case q.Method != http.MethodGet && q.Method != http.MethodHead:
		r.door.MethodNotAllowed(w, q, allow)
	case r.door.Admit(w, q, door.Shared, 1):
		path := q.URL.EscapedPath()
		if answer, ok := r.files[path]; ok {
			r.door.Write(w, q, answer)
			return
		}
		r.door.NotFound(w, q)
	}
}
