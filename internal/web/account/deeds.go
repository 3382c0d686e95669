package account

import (
	"context"
	"net/http"

	"gamedata/graph"
	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
)

// change is a form of the account page: an operation, whose variables are fields of the form,
// and the word for what was done.
type change struct{ path, operation, done string }

var changes = []change{
	{"/account/players/link", "LinkPlayer", "linked"},
	{"/account/players/unlink", "UnlinkPlayer", "unlinked"},
	{"/account/tokens/create", "CreateToken", ""},
	{"/account/tokens/edit", "EditToken", "changed"},
	{"/account/tokens/delete", "DeleteToken", "deleted"},
	{"/account/applications/create", "RegisterApplication", ""},
	{"/account/applications/edit", "EditApplication", "edited"},
	{"/account/applications/rotate", "RotateSecret", ""},
	{"/account/applications/delete", "DeleteApplication", "gone"},
	{"/account/grants/withdraw", "WithdrawGrant", "withdrawn"},
}

// outcome is what an operation of the account page gives that is shown once; the rest is seen
// on the page.
type outcome struct {
	CreateToken *struct {
		Value string
		Token struct{ Name string }
	}
	RegisterApplication *struct {
		Secret      string
		Application struct{ ClientID, Name string }
	}
	RotateSecret *struct{ ClientID, Secret string }
}

func (o outcome) made() *made {
	switch {
	case o.CreateToken != nil:
		return &made{What: "The value of the token " + o.CreateToken.Token.Name, Secret: o.CreateToken.Value}
	case o.RegisterApplication != nil:
		app := o.RegisterApplication.Application
		if o.RegisterApplication.Secret == "" {
			return &made{What: app.Name + " is registered. A public application has no secret", ID: app.ClientID}
		}
		return &made{What: "The client secret of " + app.Name, ID: app.ClientID, Secret: o.RegisterApplication.Secret}
	case o.RotateSecret != nil:
		return &made{
			What: "The new client secret; the one before is refused now", ID: o.RotateSecret.ClientID,
			Secret: o.RotateSecret.Secret,
		}
	}
	return nil
}

// do runs the operation of a form: back to the page when it is done, or to what was made, else
// the page with the reason.
func (c change) do(ctx context.Context, v *visit) {
	if !v.signedIn(home) {
		return
	}
	var out outcome
	if bad := v.p.run(ctx, c.operation, bind(v.p.operations[c.operation], v.form), &out); bad != nil {
		v.refused(ctx, bad)
		return
	}
	if m := out.made(); m != nil {
		v.overview(ctx, http.StatusOK, page{}, m)
		return
	}
	v.goTo(home + "?done=" + c.done)
}

// changePassword signs everybody out but the browser that did it, which gets another session.
func (p *Pages) changePassword(ctx context.Context, v *visit) {
	if !v.signedIn(home) {
		return
	}
	password := v.form.Get("password")
	if password != v.form.Get("again") {
		v.overview(ctx, http.StatusBadRequest, page{Wrong: "The two passwords differ."}, nil)
		return
	}
	var out struct{ ChangePassword struct{ Account string } }
	if bad := p.run(ctx, "ChangePassword", bind(p.operations["ChangePassword"], v.form), &out); bad != nil {
		v.refused(ctx, bad)
		return
	}
	secret, err := p.accounts.SignIn(ctx, out.ChangePassword.Account, password, v.session)
	if err != nil {
		v.failed(ctx, err)
		return
	}
	v.cookie(httpapi.SessionCookie, secret, int(auth.SessionLifetime.Seconds()))
	v.goTo(home + "?done=password")
}

func (p *Pages) signOut(ctx context.Context, v *visit) {
	if v.account != "" {
		if bad := p.run(ctx, "SignOut", nil, &struct{}{}); bad != nil && bad.Code != graph.SessionRequired {
			v.refused(ctx, bad)
			return
		}
	}
	v.cookie(httpapi.SessionCookie, "", -1)
	v.goTo(signIn)
}
