package httpapi

import (
	"net/http"
	"runtime/debug"

	"gamedata/graph"
)

// recovery turns a panic into a 500. If part of the response was already sent, it aborts the connection visibly.
func (a *API) recovery(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := stateFrom(r.Context())
		defer func() {
			failure := recover()
			switch {
			case failure == http.ErrAbortHandler: //nolint:errorlint // net/http compares it too
				panic(failure)
			case failure != nil:
				a.o.Log.Error("handler panicked", "error", failure, "path", r.URL.Path, "stack", string(debug.Stack()))
				if s.info.Status != 0 {
					panic(http.ErrAbortHandler)
				}
				h := w.Header()
				h.Del("Content-Encoding")
				delete(h, "ETag")
				a.Errors.Write(w, r, graph.ErrInternal)
			case s.info.Status == 0: // the handler wrote nothing
				w.WriteHeader(http.StatusOK)
			}
		}()
		next.ServeHTTP(w, r)
	})
}
