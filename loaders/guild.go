package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// playersByGuild keeps what it finds for lookups by uuid later in the operation.
func (set *Set) playersByGuild(ctx context.Context, guilds []string) ([][]*model.Player, error) {
	found, err := set.source.store.PlayersByGuild(ctx, guilds)
	for _, group := range found {
		for _, p := range group {
			set.PlayerByUUID.Prime(ctx, p.UUID, p)
		}
	}
	return found, err
}

// Seasons is all seasons.
type Seasons struct {
	// All are the seasons by number, those that are not enabled included.
	All []*model.GuildSeason

	byNumber map[int]*model.GuildSeason
}

// Numbered returns the season with that number, or nil.
func (s *Seasons) Numbered(n int) *model.GuildSeason { return s.byNumber[n] }

func readSeasons(store *mongo.Store) func(context.Context) (*Seasons, error) {
	return func(ctx context.Context) (*Seasons, error) {
		all, err := store.Seasons(ctx)
		if err != nil {
			return nil, err
		}
		out := &Seasons{All: all, byNumber: make(map[int]*model.GuildSeason, len(all))}
		for _, s := range all {
			out.byNumber[s.Number] = s
		}
		return out, nil
	}
}

// Seasons returns all seasons.
func (set *Set) Seasons(ctx context.Context) (*Seasons, error) {
	return current(ctx, set, &set.source.content.seasons)
}
