package auth

import (
	"context"
	"errors"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/mongo"
)

// Errors about tokens of the feed.
var (
	ErrNoFeedToken    = errors.New("there is no feed token of that name")
	ErrFeedTokenTaken = errors.New("another feed token has that name")
)

// CreateFeedToken creates a token with which a game server sends events, and returns its value, which cannot be
// retrieved later.
func (a *Accounts) CreateFeedToken(ctx context.Context, name string) (value string, err error) {
	if err := validateName(name); err != nil {
		return "", err
	}
	value = newSecret(feedToken)
	err = a.store.Feed.InsertToken(ctx, &model.FeedToken{
		Name: name, Prefix: visiblePrefix(value), Digest: a.digest(value), Created: a.now().UTC(),
	})
	if errors.Is(err, mongo.ErrTaken) {
		err = ErrFeedTokenTaken
	}
	return value, err
}

// DeleteFeedToken deletes a token by its name. It is rejected at once.
func (a *Accounts) DeleteFeedToken(ctx context.Context, name string) error {
	return replaceNotFound(a.store.Feed.DeleteToken(ctx, name), ErrNoFeedToken)
}

// FeedTokens returns all tokens of the feed, by name.
func (a *Accounts) FeedTokens(ctx context.Context) ([]*model.FeedToken, error) {
	return a.store.Feed.Tokens(ctx)
}

// FeedSender returns the name of the feed token in the value of an Authorization header. It returns
// graph.ErrInvalidToken if it is none, and graph.ErrUnavailable if the store fails.
func (a *Accounts) FeedSender(ctx context.Context, authorization string) (string, *graph.Error) {
	scheme, value, _ := strings.Cut(authorization, " ")
	value = strings.TrimLeft(value, " ")
	if !strings.EqualFold(scheme, "Bearer") || secretKind(value) != feedToken {
		return "", graph.ErrInvalidToken
	}
	found, err := a.store.Feed.TokensByDigest(ctx, []string{a.digest(value)})
	switch {
	case err != nil:
		a.log.Warn("reading a feed token failed", "error", err)
		return "", graph.ErrUnavailable
	case found[0] == nil:
		return "", graph.ErrInvalidToken
	}
	t, now := found[0], a.now().UTC().Truncate(time.Minute)
	if t.Used == nil || t.Used.Before(now) {
		if err := a.store.Feed.TokenUsed(ctx, t.Name, now); err != nil {
			a.log.Warn("recording the use of a feed token failed", "token", t.Name, "error", err)
		}
	}
	return t.Name, nil
}
