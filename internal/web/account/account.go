package account

import (
	"context"
	"net/http"
	"time"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// overview is the account page.
type overview struct {
	holdings
	Players   []player
	Scopes    []scope // that an application may ask for, besides identify
	MaxTokens int
	Made      *made
}

// holdings are what the operation Account tells.
type holdings struct {
	Tokens []struct {
		ID, Name, Description, Prefix string
		Public                        bool
		Created                       time.Time
		used
	}
	Applications []struct {
		ClientID, Name       string
		Private              bool
		RedirectURIs, Scopes []string
		Created              time.Time
		used
	}
	Grants []struct {
		Application    struct{ ClientID, Name string }
		Scopes         []string
		Since, Expires time.Time
		used
	}
}

// used is what something was used for.
type used struct {
	LastUsed *time.Time
	Usage    []charged
}

// charged is what was charged in one bucket.
type charged struct {
	Bucket  string
	Charged int64
}

// player is a linked player; the name is empty when the store does not have him.
type player struct{ UUID, Name string }

// made is a secret that is shown this once.
type made struct{ What, ID, Secret string }

func (p *Pages) account(ctx context.Context, v *visit) {
	if v.signedIn(home) {
		v.overview(ctx, http.StatusOK, page{Done: done[v.r.URL.Query().Get("done")]}, nil)
	}
}

// done are what the page says after a form was sent.
var done = map[string]string{
	"linked": "The player is linked.", "unlinked": "The player is not linked any more.",
	"password": "The password is changed, and every other browser signed out.",
	"changed":  "The token is changed.", "deleted": "The token is deleted. It is refused within 5 seconds.",
	"edited":    "The application is changed.",
	"gone":      "The application is deleted, and what it was granted.",
	"withdrawn": "The application has no access any more, within 5 seconds.",
}

// overview writes the account page with what was done, what went wrong, and what was made.
func (v *visit) overview(ctx context.Context, status int, pg page, m *made) {
	a, err := v.p.accounts.AccountByID(ctx, v.account)
	if err != nil {
		v.failed(ctx, err)
		return
	}
	found, err := v.p.accounts.LinkedPlayers(ctx, a)
	if err != nil {
		v.failed(ctx, err)
		return
	}
	var out struct{ Viewer holdings }
	if bad := v.p.run(ctx, "Account", nil, &out); bad != nil {
		v.failed(ctx, bad)
		return
	}
	body := overview{holdings: out.Viewer, Scopes: explained(viewer.AllScopes[1:]), MaxTokens: model.MaxTokens, Made: m}
	for i, f := range found {
		one := player{UUID: a.Profiles[i]}
		if f != nil {
			one.Name = f.Username
		}
		body.Players = append(body.Players, one)
	}
	pg.Title, pg.Name, pg.Body = "Account", a.Name, body
	if m != nil {
		v.w.Header().Set("Content-Security-Policy", policy+"; script-src 'self'")
	}
	v.write(status, "account", pg)
}
