// Package viewer says who asks. It is a leaf: every room may read a viewer, and a
// viewer knows no room. Nothing about how credentials are checked belongs here.
package viewer

import (
	"context"
	"net/netip"
	"slices"
	"strings"
)

// Kind is the user type of SPEC §5, or a guest.
type Kind string

// The kinds of viewer.
const (
	Guest   Kind = "guest"
	Session Kind = "session"
	Token   Kind = "token"
	OAuth   Kind = "oauth"
)

// Viewer is who asks for one operation. Viewers of one credential may share their slices,
// so nobody may change them.
type Viewer struct {
	Kind Kind
	// Address is the client address as the door resolved it: behind configured
	// proxies the right-most untrusted one. The zero Addr means unknown.
	Address netip.Addr
	// CrossSite is true when a page of another site made the browser ask. The
	// endpoints that answer by address refuse it (WIRE §2.2, CSRFError).
	CrossSite bool

	// Account is the id of the user's account; empty for a guest.
	Account string
	// Profiles are the uuids of the players linked to the account, the primary one first.
	// A token in Public Mode has none: it acts as a guest (SPEC §5 rule 4).
	Profiles []string
	// Session names the session, for kind Session alone; it is not its secret.
	Session string
	// Token is the id of the API token, for kind Token alone.
	Token string
	// Public is true for an API token in Public Mode.
	Public bool
	// App is the client id of the application, for kind OAuth alone.
	App string
	// Scopes are those the user granted the application, sorted (WIRE §5.1).
	Scopes []string
}

// Class names the visibility class of the viewer: two viewers of one class see the
// same bytes in every USER answer. All guests are one class, and tokens in Public Mode
// belong to it (DESIGN §7). What the others see follows from the profiles they have and,
// for an application, from the scopes it was granted.
func (v Viewer) Class() string {
	switch v.kind() {
	case Session, Token:
		if v.Public {
			return string(Guest)
		}
		return "account " + v.Account + " " + strings.Join(v.Profiles, ",")
	case OAuth:
		return "application " + v.App + " " + v.Account + " " + strings.Join(v.Profiles, ",") + " " + strings.Join(v.Scopes,
			",")
	}
	return string(v.kind())
}

// Is reports whether the viewer is of that kind; the zero Viewer is a guest.
func (v Viewer) Is(k Kind) bool { return v.kind() == k }

// Related reports whether being a friend or a guild member of somebody counts for the
// viewer: not for guests, nor for tokens in Public Mode, nor for applications (WIRE §4.8).
func (v Viewer) Related() bool {
	return len(v.Own()) > 0 && (v.Is(Session) || v.Is(Token))
}

// Own are the uuids of the players who are the viewer's own: none in Public Mode.
func (v Viewer) Own() []string {
	if v.Public {
		return nil
	}
	return v.Profiles
}

// Owns reports whether the player with that uuid is the viewer's own.
func (v Viewer) Owns(uuid string) bool { return slices.Contains(v.Own(), uuid) }

func (v Viewer) kind() Kind {
	if v.Kind == "" {
		return Guest
	}
	return v.Kind
}

type contextKey struct{}

// carrier is a context with a viewer: one allocation for each request.
type carrier struct {
	context.Context
	viewer Viewer
}

func (c *carrier) Value(key any) any {
	if key == (contextKey{}) {
		return &c.viewer
	}
	return c.Context.Value(key)
}

// With returns a context that carries the viewer.
func With(ctx context.Context, v Viewer) context.Context { return &carrier{ctx, v} }

// From returns the viewer of the context; without one, a guest of unknown address.
func From(ctx context.Context) (v Viewer) {
	if carried, ok := ctx.Value(contextKey{}).(*Viewer); ok {
		v = *carried
	}
	v.Kind = v.kind()
	return v
}
