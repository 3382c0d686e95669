package auth

import (
	"context"
	"errors"
	"slices"
	"time"

	"gamedata/graph/model"
)

// Errors about competitions. Their texts are shown to users.
var (
	ErrNoCompetition       = errors.New("the account has no such competition")
	ErrInvalidCompetition  = errors.New("a competition has either a guild with members, or 2 to 100 players")
	ErrNoCompetitionMetric = errors.New("players have no such metric")
	ErrCompetitionTimes    = errors.New(
		"a competition ends after it begins, has at most 366 days, begins at most a year ago and ends within two years")
	ErrCompetitionLimit = errors.New("an account has at most 20 competitions: delete one first")
	ErrUnknownGuild     = errors.New("there is no such guild")
	ErrUnknownPlayer    = errors.New("there is no player with this name or UUID")
	ErrAmbiguousPlayer  = errors.New("several players have this name: give the UUID of one")
)

const (
	maxCompetitors = 100 // chosen one by one
	year           = 366 * day
	day            = 24 * time.Hour
)

// Competitions manages the competitions that accounts create for players.
type Competitions struct{ *base }

// Of returns the competitions of an account, the newest first.
func (cs *Competitions) Of(ctx context.Context, account string) ([]*model.Competition, error) {
	found, err := cs.store.Competitions.Of(ctx, account)
	slices.SortStableFunc(found, func(a, b *model.Competition) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return found, err
}

// Create creates a competition of an account from its name, metric, guild, players and times, which are rounded to
// whole days. It returns ErrInvalidName, ErrInvalidCompetition, ErrCompetitionTimes or ErrCompetitionLimit for what the
// user can correct.
func (cs *Competitions) Create(ctx context.Context, account string, c model.Competition) (*model.Competition, error) {
	now := cs.now().UTC().Truncate(time.Millisecond)
	c.Key, c.Account, c.CreatedAt = newID(), account, now
	c.StartsAt, c.EndsAt = c.StartsAt.UTC().Truncate(day), c.EndsAt.UTC().Truncate(day).Add(day)
	slices.Sort(c.Players)
	c.Players = slices.Compact(c.Players)
	err := validateName(c.Name)
	if n := len(c.Players); n == 0 || c.GuildUUID == nil && (n < 2 || n > maxCompetitors) {
		err = errors.Join(err, ErrInvalidCompetition)
	}
	if length := c.EndsAt.Sub(c.StartsAt); length <= 0 || length > year || now.Sub(c.StartsAt) > year ||
		c.EndsAt.Sub(now) > 2*year {
		err = errors.Join(err, ErrCompetitionTimes)
	}
	if err != nil {
		return nil, err
	}
	err = insertOneOf(ctx, model.MaxCompetitions, ErrCompetitionLimit, account, cs.store.Competitions.Of,
		func(c *model.Competition) *int { return &c.Place }, func(place int) error {
			c.Place = place
			return cs.store.Competitions.Insert(ctx, &c)
		})
	return &c, err
}

// Delete deletes a competition of an account, or returns ErrNoCompetition.
func (cs *Competitions) Delete(ctx context.Context, account, id string) error {
	return replaceNotFound(cs.store.Competitions.DeleteOwn(ctx, account, id), ErrNoCompetition)
}
