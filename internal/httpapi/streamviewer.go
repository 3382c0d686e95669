package httpapi

import (
	"net/http"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

const (
	// CredentialCheck is the time between two checks of a stream's credential. A check may read data 2 seconds old, and
	// clients receive earlier events within 2 more: a revoked credential ends its streams within 5 seconds.
	CredentialCheck = 500 * time.Millisecond
	// unverifiedFor is how long a stream continues while its credential cannot be checked.
	unverifiedFor = 5 * time.Second
)

// StreamViewer is the viewer of a stream. It rechecks the credential while the stream is open.
type StreamViewer struct {
	api      *API
	r        *http.Request
	guest    bool
	current  viewer.Viewer
	verified time.Time
	checked  time.Time
}

// StreamViewer returns the viewer of a request that becomes a stream.
func (a *API) StreamViewer(r *http.Request) *StreamViewer {
	return a.newStreamViewer(r, ViewerFrom(r.Context()))
}

func (a *API) newStreamViewer(r *http.Request, v viewer.Viewer) *StreamViewer {
	now := time.Now()
	return &StreamViewer{api: a, r: r, guest: v.Is(viewer.Guest), current: v, verified: now, checked: now}
}

// AuthenticateStream returns the viewer of a stream whose client sent its credential after opening it: r carries those
// headers, and the context of the original request. An expired session makes the viewer a guest.
func (a *API) AuthenticateStream(r *http.Request) (*StreamViewer, *graph.Error) {
	seen := stateFrom(r.Context()).info.Viewer
	guest := viewer.Viewer{Kind: viewer.Guest, Address: seen.Address, CrossSite: seen.CrossSite}
	v, err := authenticate(a.o.Authenticator, r, guest)
	switch {
	case err == graph.ErrInvalidToken && SessionSent(r):
		v = guest
	case err != nil:
		return nil, err
	default:
		v.Address, v.CrossSite = guest.Address, guest.CrossSite
	}
	return a.newStreamViewer(r, v), nil
}

// CheckDue returns when to check the credential again; ok is false for a guest.
func (s *StreamViewer) CheckDue() (at time.Time, ok bool) {
	return s.checked.Add(CredentialCheck), !s.guest
}

// Check returns the current viewer, whose linked players may have changed. A non-nil StreamEnd says why the stream must
// end.
func (s *StreamViewer) Check() (viewer.Viewer, *StreamEnd) {
	now := time.Now()
	if due, ok := s.CheckDue(); !ok || now.Before(due) {
		return s.current, nil
	}
	s.checked = now
	v, err := authenticate(s.api.o.Authenticator, s.r, s.current)
	switch {
	case err == nil:
		v.Address, v.CrossSite = s.current.Address, s.current.CrossSite
		s.current, s.verified = v, now
	case err.Code == graph.InvalidToken:
		return s.current, StreamRevoked
	case now.Sub(s.verified) > unverifiedFor:
		return s.current, StreamUnverified
	}
	return s.current, nil
}
