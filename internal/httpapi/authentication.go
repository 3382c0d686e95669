package httpapi

import (
	"context"
	"net/http"
	"strings"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// Authenticator resolves a credential, the value of an Authorization header or a session cookie, to its viewer.
// graph.ErrInvalidToken means that the credential is known to be invalid, graph.ErrUnavailable that it cannot be
// checked now. The middleware fills in the viewer's Address and CrossSite.
type Authenticator interface {
	Bearer(ctx context.Context, authorization string) (viewer.Viewer, *graph.Error)
	Session(ctx context.Context, cookie string) (viewer.Viewer, *graph.Error)
}

// SessionCookie is the name of the session cookie. Its prefix makes browsers accept it over HTTPS
// only, for this host and for each path.
const SessionCookie = "__Host-session"

// authentication puts the viewer or the CredentialError into the context. A caller with an invalid
// Authorization header counts as a guest of their address; the endpoint rejects the request and charges
// it to its own bucket (RateLimiter.Authorize).
//
// An invalid session cookie makes the caller a guest, and the response deletes it: browsers send it automatically,
// whatever the page does.
//
// An Authorization header takes precedence over a cookie: it names the caller explicitly.
func (a *API) authentication(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := stateFrom(r.Context())
		guest := s.info.Viewer
		v, err := authenticate(a.o.Authenticator, r, guest)
		switch {
		case err == graph.ErrInvalidToken && SessionSent(r):
			s.deleteSession = true
		case err != nil:
			s.credentialError = err
		default:
			v.Address, v.CrossSite = guest.Address, guest.CrossSite
			s.info.Viewer = v // a viewer without a Kind is not a guest: ViewerFrom panics
		}
		next.ServeHTTP(w, r)
	})
}

// authenticate returns guest for a request without a credential.
func authenticate(a Authenticator, r *http.Request, guest viewer.Viewer) (viewer.Viewer, *graph.Error) {
	headers, cookies := r.Header["Authorization"], r.CookiesNamed(SessionCookie)
	switch {
	case len(headers) > 1:
		return viewer.Viewer{}, graph.Errorf(graph.MalformedPayload, "Send one Authorization header.")
	case a == nil && len(headers)+len(cookies) > 0:
		return viewer.Viewer{}, graph.ErrInvalidToken
	case len(headers) == 1:
		return a.Bearer(r.Context(), headers[0])
	case len(cookies) > 1: // one of them was injected
		return viewer.Viewer{}, graph.ErrInvalidToken
	case len(cookies) == 1:
		return a.Session(r.Context(), cookies[0].Value)
	}
	return guest, nil
}

// SessionSent reports whether the request's credential is a session cookie, valid or not.
func SessionSent(r *http.Request) bool {
	return len(r.Header["Authorization"]) == 0 && len(r.CookiesNamed(SessionCookie)) > 0
}

// DeleteSession makes the response delete the session cookie. Call it before anything is written.
func DeleteSession(ctx context.Context) { stateFrom(ctx).deleteSession = true }

// setDeletedSession deletes the session cookie, unless the handler set it. The response must not be cached: it would
// delete other users' cookies.
func (s *requestState) setDeletedSession(h http.Header) {
	for _, c := range h["Set-Cookie"] {
		if strings.HasPrefix(c, SessionCookie+"=") {
			return
		}
	}
	deleted := http.Cookie{
		Name: SessionCookie, Path: "/", MaxAge: -1, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	h.Add("Set-Cookie", deleted.String())
	delete(h, "ETag")
	delete(h, "Age")
	s.setFreshness(h, s.api.o.Now(), noStore, 0, nil)
}

// IgnoreCrossSiteSession treats the caller as a guest of their address if a page of another site made the browser send
// a session cookie. It is for the APIs only: links on other sites may open our pages, and other sites cannot read
// those.
func IgnoreCrossSiteSession(ctx context.Context) {
	s := stateFrom(ctx)
	if s.info.Viewer.CrossSite && s.info.Viewer.Is(viewer.Session) {
		s.becomeGuest()
	}
}

// IgnoreCredentials treats the caller as a guest of their address and adds error_description to error bodies. It is
// for the token endpoint, where the Authorization header belongs to an application.
func IgnoreCredentials(ctx context.Context) {
	ActAsGuest(ctx)
	stateFrom(ctx).oauthErrors = true
}

// ActAsGuest treats the caller as a guest of their address, for endpoints with credentials of their own.
func ActAsGuest(ctx context.Context) {
	s := stateFrom(ctx)
	s.credentialError = nil
	s.becomeGuest()
}

func (s *requestState) becomeGuest() {
	s.info.Viewer = viewer.Viewer{Kind: viewer.Guest, Address: s.info.Viewer.Address, CrossSite: s.info.Viewer.CrossSite}
}
