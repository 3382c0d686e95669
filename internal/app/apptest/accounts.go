package apptest

import (
	"context"
	"errors"
	"testing"

	"gamedata/internal/app"
	"gamedata/internal/auth"
)

// InStore calls do with the accounts of a store, while a service may have it open, and returns the result.
func InStore[T any](t testing.TB, dir string, do func(context.Context, *auth.Accounts) (T, error)) T {
	t.Helper()
	db, err := app.JoinStore(t.Context(), StoreIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	result, err := do(t.Context(), auth.New(db.Store, auth.Options{}))
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return result
}

// CreateMember creates an account and links it to the player of the cast with the same name.
func CreateMember(t testing.TB, dir, name string) (id string) {
	t.Helper()
	return InStore(t, dir, func(ctx context.Context, a *auth.Accounts) (string, error) {
		return createMember(ctx, a, name)
	})
}

func createMember(ctx context.Context, a *auth.Accounts, name string) (id string, err error) {
	account, err := a.Create(ctx, name)
	if err != nil {
		return "", err
	}
	code, err := a.Players.CreateLinkCode(ctx, CastUUID(name))
	if err == nil {
		_, err = a.Players.Link(ctx, account.ID, code)
	}
	return account.ID, err
}

// LinkCode returns a code that links a player of the cast to an account.
func LinkCode(t testing.TB, dir, player string) string {
	t.Helper()
	return InStore(t, dir, func(ctx context.Context, a *auth.Accounts) (string, error) {
		return a.Players.CreateLinkCode(ctx, CastUUID(player))
	})
}

// CreateToken returns the value of a new API token.
func CreateToken(t testing.TB, dir, account string) string {
	t.Helper()
	return InStore(t, dir, func(ctx context.Context, a *auth.Accounts) (string, error) {
		value, _, err := a.Tokens.Create(ctx, account, "laptop", "", false, nil)
		return value, err
	})
}

// CreateFeedToken returns a token of a game server.
func CreateFeedToken(t testing.TB, dir string) string {
	t.Helper()
	return InStore(t, dir, func(ctx context.Context, a *auth.Accounts) (string, error) {
		return a.FeedTokens.Create(ctx, "eu-1")
	})
}
