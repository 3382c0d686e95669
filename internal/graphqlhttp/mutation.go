package graphqlhttp

import (
	"context"
	"net/http"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/httpapi"
)

// Errors of mutations that are impossible, or that the signed-in user may not have intended.
var (
	errMutationMethod = graph.Errorf(graph.MethodNotAllowed, "Send mutations by POST.")
	errMutationHeader = graph.Errorf(graph.CrossSite,
		"Send mutations with the header X-Requested-With, whatever its value.")
	errQueriesOnly = graph.Errorf(graph.MethodNotAllowed, "Only queries run here, no mutations and no subscriptions.")
)

// requestedWith is a header that only pages of this host can send: other sites need a preflight, which is never
// granted.
const requestedWith = "X-Requested-With"

type queriesKey struct{}

// Queries returns a read-only handler: it rejects mutations and subscriptions.
func (h *Handler) Queries() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), queriesKey{}, true)))
	})
}

// checkMutation rejects mutations by methods other than POST, and mutations that another site may have forged (CSRF).
// Three checks prevent forgery; each suffices in today's browsers: ServeHTTP checks the site that the browser reports
// and the body type, checkMutation checks a header that other sites cannot send.
func (h *Handler) checkMutation(w http.ResponseWriter, r *http.Request) *graph.Error {
	httpapi.NoCORS(w.Header())
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST, OPTIONS")
		return errMutationMethod
	}
	switch {
	case !httpapi.SessionSent(r):
		return nil // browsers add no other credential automatically; the operation rejects the caller
	case r.Header.Get(requestedWith) == "":
		return errMutationHeader
	case !httpapi.ViewerFrom(r.Context()).Is(viewer.Session):
		return graph.ErrInvalidToken // the session has expired
	}
	return nil
}

// mutate runs a mutation. If it ended the caller's session, the response also deletes the now useless cookie.
func (h *Handler) mutate(ctx context.Context, r *http.Request, op *operation) httpapi.Response {
	resp := h.run(ctx, op)
	if !viewer.From(ctx).Is(viewer.Session) || h.o.Authenticator == nil {
		return resp
	}
	for _, c := range r.CookiesNamed(httpapi.SessionCookie) {
		if _, err := h.o.Authenticator.Session(ctx, c.Value); err != nil && err.Code == graph.InvalidToken {
			httpapi.DeleteSession(ctx)
		}
	}
	return resp
}
