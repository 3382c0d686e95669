// Package viewer says who asks. It is a leaf: every room may read a viewer, and a
// viewer knows no room. Nothing about how credentials are checked belongs here.
package viewer

import (
	"context"
	"net/netip"
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

// Viewer is who asks for one operation.
type Viewer struct {
	Kind Kind
	// Address is the client address as the door resolved it: behind configured
	// proxies the right-most untrusted one. The zero Addr means unknown.
	Address netip.Addr
	// CrossSite is true when a page of another site made the browser ask. The
	// endpoints that answer by address refuse it (WIRE §2.2, CSRFError).
	CrossSite bool
}

// Class names the visibility class of the viewer: two viewers of one class see the
// same bytes in every USER answer. All guests are one class (DESIGN §7).
func (v Viewer) Class() string { return string(v.kind()) }

// Is reports whether the viewer is of that kind; the zero Viewer is a guest.
func (v Viewer) Is(k Kind) bool { return v.kind() == k }

func (v Viewer) kind() Kind {
	if v.Kind == "" {
		return Guest
	}
	return v.Kind
}

type contextKey struct{}

// With returns a context that carries the viewer.
func With(ctx context.Context, v Viewer) context.Context {
	return context.WithValue(ctx, contextKey{}, v)
}

// From returns the viewer of the context; without one, a guest of unknown address.
func From(ctx context.Context) Viewer {
	v, _ := ctx.Value(contextKey{}).(Viewer)
	v.Kind = v.kind()
	return v
}
