package mongo_test

import (
	"fmt"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func TestCredentialQueriesUseIndexes(t *testing.T) {
	store, server := mongotest.Open(t)
	ctx := t.Context()
	now := time.Now()
	for i := range 100 {
		id := fmt.Sprint(i)
		for _, err := range []error{
			store.Accounts.Insert(ctx, &model.Account{
				ID: id, Name: "user" + id, Profiles: []string{mongotest.UUID(i)},
				Tokens: []*model.APIToken{{Key: "t", Name: "n", Digest: "d" + id}},
			}),
			store.Sessions.Insert(ctx, &model.Session{Digest: id, Account: id, ExpiresAt: now.Add(time.Hour)}),
			store.Applications.Insert(ctx, &model.Application{ClientID: id, Account: id, SecretDigest: "d"}),
			store.Codes.Insert(ctx, &model.AuthCode{
				Digest: id, Account: id, App: id, Expires: now.Add(time.Hour),
				Forget: now.Add(time.Hour),
			}),
			store.Grants.Insert(ctx, &model.AccessToken{Digest: id, Account: id, App: id, Expires: now.Add(time.Hour)}),
			store.LinkCodes.Insert(ctx, &model.LinkCode{
				Digest: id, Player: mongotest.UUID(i), Expires: now.Add(time.Hour),
			}),
			store.Usage.Add(ctx, mongo.UsageBatch{Instance: "A", Number: 1, Usage: []mongo.UsageDelta{
				{Credential: id, Last: now, Charged: map[string]int64{"PLAYER": 1}},
			}}),
		} {
			check(t, err)
		}
	}
	one := []string{"7"}
	for name, query := range map[string]func() error{
		"Accounts.ByID":    func() error { _, err := store.Accounts.ByID(ctx, one); return err },
		"Accounts.ByName":  func() error { _, err := store.Accounts.ByName(ctx, []string{"USER7"}); return err },
		"Accounts.ByToken": func() error { _, err := store.Accounts.ByToken(ctx, []string{"d7"}); return err },
		"Accounts.Edit": func() error {
			return store.Accounts.Edit(ctx, "7", func(a *model.Account) error { a.Password = "h"; return nil })
		},
		"Accounts.DeleteExpiredTokens": func() error { _, err := store.Accounts.DeleteExpiredTokens(ctx, now); return err },
		"Sessions.Of":                  func() error { _, err := store.Sessions.Of(ctx, "7", now, 10); return err },
		"Sessions.DeleteOf":            func() error { return store.Sessions.DeleteOf(ctx, "6", "x") },
		"Accounts.Delete":              func() error { return store.Accounts.Delete(ctx, "5") },
		"Grants.RevokeOf":              func() error { return store.Grants.RevokeOf(ctx, "5") },
		"Applications.ByID":            func() error { _, err := store.Applications.ByID(ctx, one); return err },
		"Applications.Of":              func() error { _, err := store.Applications.Of(ctx, "7"); return err },
		"Grants.Of":                    func() error { _, err := store.Grants.Of(ctx, "9"); return err },
		"Codes.Redeem": func() error {
			return store.Codes.Redeem(ctx, "9", now, &model.AccessToken{Digest: "x"})
		},
		"Usage.Add": func() error {
			usage := []mongo.UsageDelta{{Credential: "7", Last: now}}
			return store.Usage.Add(ctx, mongo.UsageBatch{Instance: "A", Number: 1, Usage: usage})
		},
		"Usage.Of":            func() error { _, err := store.Usage.Of(ctx, []string{"7"}); return err },
		"Grants.Revoke":       func() error { return store.Grants.Revoke(ctx, "7", "7") },
		"Applications.Delete": func() error { return store.Applications.Delete(ctx, "8") },
		"LinkCodes.Redeem":    func() error { _, err := store.LinkCodes.Redeem(ctx, "7", now); return err },
	} {
		t.Run(name, func(t *testing.T) {
			checkReads(t, server, 4, func() (any, error) { return nil, query() })
		})
	}
}
