package pages

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"gamedata/accounts"
	"gamedata/graph/model"
)

// The forms of the account page. Each acts on the account that is signed in, whatever ids its
// fields hold.

func (p *Pages) link(ctx context.Context, v *visit) {
	if v.signedIn(home) {
		_, err := p.accounts.Link(ctx, v.account, v.form.Get("code"))
		v.finish(ctx, err, "linked")
	}
}

func (p *Pages) unlink(ctx context.Context, v *visit) {
	if v.signedIn(home) {
		v.finish(ctx, p.accounts.Unlink(ctx, v.account, v.form.Get("player")), "unlinked")
	}
}

func (p *Pages) createToken(ctx context.Context, v *visit) {
	if !v.signedIn(home) {
		return
	}
	value, t, err := p.accounts.CreateToken(ctx, v.account, v.form.Get("name"), v.form.Get("description"), v.form.Has("public"))
	if err != nil {
		v.refuse(ctx, err)
		return
	}
	v.overview(ctx, http.StatusOK, page{}, &made{What: "The value of the token " + t.Name, Secret: value})
}

func (p *Pages) editToken(ctx context.Context, v *visit) {
	if !v.signedIn(home) {
		return
	}
	a, err := p.accounts.Get(ctx, v.account)
	if err == nil {
		at := slices.IndexFunc(a.Tokens, func(t *model.APIToken) bool { return t.ID == v.form.Get("token") })
		if at < 0 {
			err = accounts.ErrNoToken
		} else {
			t := *a.Tokens[at]
			t.Description, t.Public = v.form.Get("description"), v.form.Has("public")
			err = p.accounts.ChangeToken(ctx, v.account, &t)
		}
	}
	v.finish(ctx, err, "changed")
}

func (p *Pages) deleteToken(ctx context.Context, v *visit) {
	if v.signedIn(home) {
		v.finish(ctx, p.accounts.DeleteToken(ctx, v.account, v.form.Get("token"), accounts.Pause), "deleted")
	}
}

func (p *Pages) createApplication(ctx context.Context, v *visit) {
	if !v.signedIn(home) {
		return
	}
	app, secret, err := p.accounts.RegisterApplication(ctx, v.account, v.form.Get("name"), strings.Fields(v.form.Get("redirects")),
		v.form["scope"], v.form.Get("kind") == "private")
	if err != nil {
		v.refuse(ctx, err)
		return
	}
	m := &made{What: "The client secret of " + app.Name, ID: app.ID, Secret: secret}
	if secret == "" {
		m.What = app.Name + " is registered. A public application has no secret"
	}
	v.overview(ctx, http.StatusOK, page{}, m)
}

func (p *Pages) rotateSecret(ctx context.Context, v *visit) {
	if !v.signedIn(home) {
		return
	}
	id := v.form.Get("application")
	secret, err := p.accounts.RotateSecret(ctx, v.account, id)
	if err != nil {
		v.refuse(ctx, err)
		return
	}
	v.overview(ctx, http.StatusOK, page{}, &made{What: "The new client secret; the one before is refused now", ID: id, Secret: secret})
}

func (p *Pages) deleteApplication(ctx context.Context, v *visit) {
	if !v.signedIn(home) {
		return
	}
	app, err := p.accounts.Application(ctx, v.form.Get("application"))
	if err == nil && app.Account != v.account {
		err = accounts.ErrNoApplication
	}
	if err == nil {
		err = p.accounts.DeleteApplication(ctx, app.ID)
	}
	v.finish(ctx, err, "gone")
}

func (p *Pages) withdraw(ctx context.Context, v *visit) {
	if v.signedIn(home) {
		v.finish(ctx, p.accounts.Withdraw(ctx, v.account, v.form.Get("application")), "withdrawn")
	}
}
