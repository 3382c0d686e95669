package pages

import (
	"context"
	"net/http"

	"gamedata/accounts"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// overview is the account page.
type overview struct {
	Account      *model.Account
	Players      []player
	Applications []*model.Application
	Grants       []*accounts.Granted
	Scopes       []scope // that an application may ask for, besides identify
	MaxTokens    int
	Made         *made
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
	"edited": "The application is changed.",
	"gone":   "The application is deleted, and what it was granted.", "withdrawn": "The application has no access any more, within 5 seconds.",
}

// overview writes the account page with what was done, what went wrong, and what was made.
func (v *visit) overview(ctx context.Context, status int, pg page, m *made) {
	a, err := v.p.accounts.Get(ctx, v.account)
	if err != nil {
		v.failed(ctx, err)
		return
	}
	body := overview{Account: a, Scopes: explained(viewer.AllScopes[1:]), MaxTokens: model.MaxTokens, Made: m}
	found, err := v.p.accounts.Players(ctx, a)
	if err != nil {
		v.failed(ctx, err)
		return
	}
	for i, f := range found {
		one := player{UUID: a.Profiles[i]}
		if f != nil {
			one.Name = f.Username
		}
		body.Players = append(body.Players, one)
	}
	if body.Applications, err = v.p.accounts.Applications(ctx, a.ID); err == nil {
		body.Grants, err = v.p.accounts.Grants(ctx, a.ID)
	}
	if err != nil {
		v.failed(ctx, err)
		return
	}
	pg.Title, pg.Name, pg.Body = "Account", a.Name, body
	v.write(status, "account", pg)
}
