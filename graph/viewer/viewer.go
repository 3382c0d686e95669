// Package viewer describes the authenticated caller of an operation. It imports no other package of the
// module and does not check credentials.
package viewer

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"strings"
)

// Kind says how a viewer authenticated.
type Kind string

// The kinds of viewer.
const (
	Guest   Kind = "guest"
	Session Kind = "session"
	Token   Kind = "token"
	OAuth   Kind = "oauth"
)

// Viewer is the authenticated caller of an operation, or a guest. Its slices may be shared and must not be changed.
type Viewer struct {
	Kind Kind
	// Address is the client's address; behind configured proxies, the right-most untrusted address. The zero Addr means
	// unknown.
	Address netip.Addr
	// CrossSite is true if a page of another site caused the browser's request. Endpoints that
	// identify the caller by address reject it.
	CrossSite bool

	// Account is the id of the user's account; empty for a guest.
	Account string
	// Profiles lists the uuids of the players linked to the account, the primary one first. It is empty for a token in
	// Public Mode, which acts as a guest.
	Profiles []string
	// Session identifies the session, for kind Session only. It is not the session's secret.
	Session string
	// Token is the id of the API token, for kind Token only.
	Token string
	// Public is true for an API token in Public Mode.
	Public bool
	// App is the client id of the application, for kind OAuth only.
	App string
	// Scopes lists the scopes that the user granted the application, sorted.
	Scopes []string

	// Preview, if not nil, shows one player to its owner as another viewer would see it. Only the owner's own pages set
	// it, and their responses are not cached; API requests cannot set it.
	Preview *Preview
}

// Preview shows one player with access rules that may be unsaved, to a viewer with an assumed relation to the player.
type Preview struct {
	Player              string            // uuid
	Rules               map[string]string // value by rule name
	Friend, GuildMember bool
}

// Class is the visibility class of the viewer: two viewers of one class get the same bytes in every USER response.
// Guests and tokens in Public Mode are one class. The class of other viewers depends on their profiles and, for an
// application, on its scopes.
func (v Viewer) Class() string {
	switch v.kind() {
	case Session, Token:
		if v.Public {
			return string(Guest)
		}
		return "account " + v.Account + " " + strings.Join(v.Profiles, ",")
	case OAuth:
		return "application " + v.App + " " + v.Account + " " + strings.Join(v.Profiles, ",") + " " +
			strings.Join(v.Scopes, ",")
	}
	return string(v.kind())
}

// Is reports whether the viewer has a kind; the zero Viewer is a guest.
func (v Viewer) Is(k Kind) bool { return v.kind() == k }

// Related reports whether friendship and guild membership count for the viewer. They do not count for guests, tokens in
// Public Mode and applications.
func (v Viewer) Related() bool { return len(v.Own()) > 0 && (v.Is(Session) || v.Is(Token)) }

// Own returns the uuids of the viewer's own players: none in Public Mode.
func (v Viewer) Own() []string {
	if v.Public {
		return nil
	}
	return v.Profiles
}

// Owns reports whether the viewer owns the player with a uuid.
func (v Viewer) Owns(uuid string) bool { return slices.Contains(v.Own(), uuid) }

func (v Viewer) kind() Kind { return cmp.Or(v.Kind, Guest) }

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

// From returns the viewer of the context, or else a guest with an unknown address.
func From(ctx context.Context) (v Viewer) {
	if carried, ok := ctx.Value(contextKey{}).(*Viewer); ok {
		v = *carried
	}
	v.Kind = v.kind()
	return v
}
