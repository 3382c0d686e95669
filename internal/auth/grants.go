package auth

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/semaphore"

	"gamedata/graph/model"
)

// ErrNoGrant rejects the key of a grant that the account did not give. Its text is shown to users.
var ErrNoGrant = errors.New("the account has no such grant")

// ApplicationOfGrant returns the client id in the key of a grant; ok is false if another account gave it.
func ApplicationOfGrant(key, account string) (app string, ok bool) {
	app, ok = strings.CutSuffix(key, grantID("", account))
	return app, ok && app != ""
}

// Grants manages what users let applications do: authorization codes and access tokens.
type Grants struct {
	*base
	applications *Applications
	exchanging   *semaphore.Weighted
}

// Of returns an account's grants to applications, sorted by client id. It leaves out deleted applications and expired
// tokens.
func (gs *Grants) Of(ctx context.Context, account string) ([]*model.Grant, error) {
	tokens, err := gs.store.Grants.Of(ctx, account)
	if err != nil {
		return nil, err
	}
	byApp := map[string][]*model.AccessToken{}
	for _, t := range tokens {
		if gs.now().Before(t.Expires) {
			byApp[t.App] = append(byApp[t.App], t)
		}
	}
	if len(byApp) == 0 {
		return nil, nil
	}
	ids := slices.Sorted(maps.Keys(byApp))
	apps, err := gs.store.Applications.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	var grants []*model.Grant
	for i, id := range ids {
		if apps[i] != nil {
			grants = append(grants, newGrant(account, apps[i], byApp[id]))
		}
	}
	return grants, nil
}

// newGrant combines an application's tokens into one grant.
func newGrant(account string, app *model.Application, tokens []*model.AccessToken) *model.Grant {
	g := &model.Grant{
		Key: grantID(app.ClientID, account), Application: app, GrantedAt: tokens[0].Created, ExpiresAt: tokens[0].Expires,
	}
	for _, t := range tokens {
		if t.Created.Before(g.GrantedAt) {
			g.GrantedAt = t.Created
		}
		if t.Expires.After(g.ExpiresAt) {
			g.ExpiresAt = t.Expires
		}
	}
	for _, s := range model.ScopeNames {
		if slices.ContainsFunc(tokens, func(t *model.AccessToken) bool { return slices.Contains(t.Scopes, s) }) {
			g.Scopes = append(g.Scopes, s)
		}
	}
	return g
}

// Revoke revokes an account's grant to an application: its access tokens, on this instance at once and on others within
// 5 seconds, and its unused authorization codes.
func (gs *Grants) Revoke(ctx context.Context, account, app string) error {
	defer gs.cache.invalidateAccount(account)
	return gs.store.Grants.Revoke(ctx, account, app)
}
