package httpapi

import (
	"context"
	"net/http"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// Credentials tell who sends one: by the value of an Authorization header, or by that of a
// session cookie. graph.ErrInvalidToken means that the credential is known to be bad,
// graph.ErrUnavailable that nobody can tell now. Address and CrossSite of the viewer are
// filled in by the door.
type Credentials interface {
	Bearer(ctx context.Context, authorization string) (viewer.Viewer, *graph.Error)
	Session(ctx context.Context, cookie string) (viewer.Viewer, *graph.Error)
}

// SessionCookie is the name of the cookie that a browser which is signed in sends. Its prefix
// makes browsers take it over HTTPS alone, for this host and for every path.
const SessionCookie = "__Host-session"

// identify tells who asks. A credential that cannot be accepted comes back as an error
// beside a guest of the right address: the refusal is counted for that address, in the
// bucket of the endpoint (WIRE §1.2), which only the endpoint knows. Admit does both.
//
// A header counts before a cookie: who sends one has said as whom to ask.
func (d *Door) identify(r *http.Request) (viewer.Viewer, *graph.Error) {
	guest := viewer.Viewer{Kind: viewer.Guest, Address: d.clientAddress(r), CrossSite: crossSite(r)}
	headers, cookies := r.Header["Authorization"], r.CookiesNamed(SessionCookie)
	var v viewer.Viewer
	var bad *graph.Error
	switch {
	case len(headers) > 1:
		bad = graph.Errorf(graph.MalformedPayload, "Send one Authorization header.")
	case len(headers) == 1:
		v, bad = d.o.Credentials.Bearer(r.Context(), headers[0])
	case len(cookies) > 1: // somebody put a second one in
		bad = graph.ErrInvalidToken
	case len(cookies) == 1:
		v, bad = d.o.Credentials.Session(r.Context(), cookies[0].Value)
	default:
		return guest, nil
	}
	if bad != nil {
		return guest, bad
	}
	v.Address, v.CrossSite = guest.Address, guest.CrossSite
	return v, nil
}

// noCredentials stands for Options.Credentials where none are issued: none can be valid, and
// a bad credential never becomes a guest.
type noCredentials struct{}

func (noCredentials) Bearer(context.Context, string) (viewer.Viewer, *graph.Error) {
	return viewer.Viewer{}, graph.ErrInvalidToken
}

func (noCredentials) Session(context.Context, string) (viewer.Viewer, *graph.Error) {
	return viewer.Viewer{}, graph.ErrInvalidToken
}

// Refused is why the credential of the request is not accepted; nil when it is, or when there
// is none. It is for pages, which answer in words of their own.
func Refused(w http.ResponseWriter) *graph.Error { return badCredential(w) }

// ForgetSession takes a session that is not accepted any more for none: a browser goes on sending
// its cookie, and who opens a page with it is a guest. Any other refusal stays: a header says as
// whom to ask, and when nobody can tell who asks, nobody is made a guest.
func ForgetSession(w http.ResponseWriter) {
	p := replyOf(w)
	if p != nil && p.credential == graph.ErrInvalidToken && len(p.request.Header["Authorization"]) == 0 {
		p.credential = nil
	}
}
