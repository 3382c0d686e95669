package auth

import (
	"context"
	"slices"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// Grants are what the user of an account granted, by client id. Applications that are gone and
// tokens that expired are not in it.
func (a *Accounts) Grants(ctx context.Context, account string) ([]*model.Grant, error) {
	found, err := a.store.AccessTokensByAccount(ctx, []string{account})
	if err != nil {
		return nil, err
	}
	living := slices.DeleteFunc(found[0], func(t *model.AccessToken) bool { return !a.now().Before(t.Expires) })
	var ids []string
	for _, t := range living {
		ids = append(ids, t.App)
	}
	if ids = slices.Compact(ids); len(ids) == 0 {
		return nil, nil
	}
	apps, err := a.store.ApplicationsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	var out []*model.Grant
	for i, id := range ids {
		if apps[i] != nil {
			out = append(out, granted(account, apps[i], slices.DeleteFunc(slices.Clone(living),
				func(t *model.AccessToken) bool { return t.App != id })))
		}
	}
	return out, nil
}

func granted(account string, app *model.Application, tokens []*model.AccessToken) *model.Grant {
	g := &model.Grant{ID: grantID(app.ID, account), Application: app, Since: tokens[0].Created, Expires: tokens[0].Expires}
	for _, t := range tokens {
		if t.Created.Before(g.Since) {
			g.Since = t.Created
		}
		if t.Expires.After(g.Expires) {
			g.Expires = t.Expires
		}
	}
	for _, s := range viewer.AllScopes {
		if slices.ContainsFunc(tokens, func(t *model.AccessToken) bool { return slices.Contains(t.Scopes, s) }) {
			g.Scopes = append(g.Scopes, s)
		}
	}
	return g
}

// Withdraw ends what a user granted an application: its tokens are refused here at once, in other
// instances within 5 seconds, and codes it has not redeemed are worth nothing.
func (a *Accounts) RevokeGrant(ctx context.Context, account, app string) error {
	defer a.forget(account)
	return a.store.RevokeGrant(ctx, account, app)
}
