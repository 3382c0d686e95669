package viewer_test

import (
	"net/netip"
	"testing"

	"gamedata/graph/viewer"
)

// Viewers have the same class if and only if they see the same.
func TestClass(t *testing.T) {
	session := viewer.Viewer{Kind: viewer.Session, Account: "a", Profiles: []string{"p", "q"}}
	app := viewer.Viewer{
		Kind: viewer.OAuth, Account: "a", Profiles: []string{"p", "q"}, App: "board",
		Scopes: []string{"identify", "main_access"},
	}
	change := func(v viewer.Viewer, f func(*viewer.Viewer)) viewer.Viewer { f(&v); return v }
	token := change(session, func(v *viewer.Viewer) { v.Kind, v.Token = viewer.Token, "t" })
	for name, c := range map[string]struct {
		a, b viewer.Viewer
		same bool
	}{
		"zero and guest": {viewer.Viewer{}, viewer.Viewer{
			Kind:    viewer.Guest,
			Address: netip.MustParseAddr("192.0.2.7"),
		}, true},
		"public token and guest": {
			viewer.Viewer{Kind: viewer.Token, Account: "a", Token: "t", Public: true},
			viewer.Viewer{},
			true,
		},
		"token and session":        {token, session, true},
		"two tokens of a user":     {token, change(token, func(v *viewer.Viewer) { v.Token = "u" }), true},
		"session and guest":        {session, viewer.Viewer{}, false},
		"session without profiles": {viewer.Viewer{Kind: viewer.Session, Account: "a"}, viewer.Viewer{}, false},
		"two users":                {session, change(session, func(v *viewer.Viewer) { v.Account = "b" }), false},
		"a profile linked since":   {session, change(session, func(v *viewer.Viewer) { v.Profiles = []string{"p"} }), false},
		"application and session":  {app, session, false},
		"two applications":         {app, change(app, func(v *viewer.Viewer) { v.App = "map" }), false},
		"two scopes":               {app, change(app, func(v *viewer.Viewer) { v.Scopes = []string{"identify"} }), false},
		"two users of one app":     {app, change(app, func(v *viewer.Viewer) { v.Account = "b" }), false},
	} {
		if same := c.a.Class() == c.b.Class(); same != c.same {
			t.Errorf("%s: same class: got %v, want %v (%q, %q)", name, same, c.same, c.a.Class(), c.b.Class())
		}
	}
}
