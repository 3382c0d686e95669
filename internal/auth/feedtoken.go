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

// FeedTokens manages the tokens with which game servers send events.
type FeedTokens struct{ *base }

// Create creates a token with which a game server sends events, and returns its value, which cannot be
// retrieved later.
func (f *FeedTokens) Create(ctx context.Context, name string) (value string, err error) {
	if err := validateName(name); err != nil {
		return "", err
	}
	value = newSecret(feedToken)
	err = f.store.FeedTokens.Insert(ctx, &model.FeedToken{
		Name: name, Prefix: visiblePrefix(value), Digest: f.digest(value), Created: f.now().UTC(),
	})
	if errors.Is(err, mongo.ErrTaken) {
		err = ErrFeedTokenTaken
	}
	return value, err
}

// Delete deletes a token by its name. It is rejected at once.
func (f *FeedTokens) Delete(ctx context.Context, name string) error {
	return replaceNotFound(f.store.FeedTokens.Delete(ctx, name), ErrNoFeedToken)
}

// All returns all tokens of the feed, by name.
func (f *FeedTokens) All(ctx context.Context) ([]*model.FeedToken, error) {
	return f.store.FeedTokens.All(ctx)
}

// Sender returns the name of the feed token in the value of an Authorization header. It returns graph.ErrInvalidToken
// for any other value, and graph.ErrUnavailable if the store fails.
func (f *FeedTokens) Sender(ctx context.Context, authorization string) (string, *graph.Error) {
	scheme, value, _ := strings.Cut(authorization, " ")
	value = strings.TrimLeft(value, " ")
	if !strings.EqualFold(scheme, "Bearer") || secretKind(value) != feedToken {
		return "", graph.ErrInvalidToken
	}
	found, err := f.store.FeedTokens.ByDigest(ctx, []string{f.digest(value)})
	switch {
	case err != nil:
		f.log.Warn("reading a feed token failed", "error", err)
		return "", graph.ErrUnavailable
	case found[0] == nil:
		return "", graph.ErrInvalidToken
	}
	t, now := found[0], f.now().UTC().Truncate(time.Minute)
	if t.Used == nil || t.Used.Before(now) {
		err := f.store.FeedTokens.Edit(ctx, t.Name, func(t *model.FeedToken) error { t.Used = &now; return nil })
		if err != nil {
			f.log.Warn("recording the use of a feed token failed", "token", t.Name, "error", err)
		}
	}
	return t.Name, nil
}
