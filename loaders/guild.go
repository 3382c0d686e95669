package loaders

import (
	"context"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/cache"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// GuildPage returns a page of a list of guilds and whether more guilds follow. With brief, guilds contain only uuid,
// name and tag.
func (set *Set) GuildPage(ctx context.Context, l mongo.GuildList, q mongo.PageQuery, brief bool) (
	[]*model.Guild, bool, error,
) {
	found, more, err := set.source.store.Guilds.Page(ctx, l, q, brief)
	return set.foundGuilds(found, brief), more, err
}

// CountGuilds returns the number of guilds of a list.
func (set *Set) CountGuilds(ctx context.Context, l mongo.GuildList) (int, error) {
	set.log.addTag(guildTag, cache.Everything)
	return set.source.store.Guilds.Count(ctx, l)
}

// MemberCounts returns the number of members of every guild with members, at most ten minutes old.
func (set *Set) MemberCounts(ctx context.Context) (map[string]int, error) {
	return set.source.members.get(ctx)
}

// Guild records do not store the number of members: one read counts the members of all guilds. Only a purge of
// everything removes the counts: guilds and players are purged too often to recount all members each time.
const memberCountAge, memberCountStale = 10 * time.Minute, time.Hour

// GuildsNamed returns up to limit guilds whose name begins with a folded string, best match first. With brief, guilds
// contain only uuid, name and tag.
func (set *Set) GuildsNamed(ctx context.Context, folded string, limit int, brief bool) ([]*model.Guild, error) {
	found, err := set.source.store.Guilds.SearchByName(ctx, folded, limit, brief)
	return set.foundGuilds(found, brief), err
}

// GuildsTagged is GuildsNamed for prefixes.
func (set *Set) GuildsTagged(ctx context.Context, folded string, limit int, brief bool) ([]*model.Guild, error) {
	found, err := set.source.store.Guilds.SearchByPrefix(ctx, folded, limit, brief)
	return set.foundGuilds(found, brief), err
}

// foundGuilds logs a search for guilds and primes later reads of the operation with the whole records.
func (set *Set) foundGuilds(found []*model.Guild, brief bool) []*model.Guild {
	set.log.addTag(guildTag, cache.Everything)
	if !brief {
		for _, g := range found {
			set.primeGuild(g)
		}
	}
	return found
}

// RankedGuilds returns n guilds in an order of the store, starting at a position.
func (set *Set) RankedGuilds(ctx context.Context, o mongo.GuildOrder, first, n int) ([]*model.Guild, error) {
	set.log.addTag(guildTag, cache.Everything)
	found, err := set.source.store.Guilds.Ranked(ctx, o, first-1, n)
	for _, g := range found {
		set.primeGuild(g)
	}
	return found, err
}

func (s *Source) rankedGuildCounts(ctx context.Context, orders []mongo.GuildOrder) (counts []int, err error) {
	counts = make([]int, len(orders))
	for i, o := range orders {
		if counts[i], err = s.store.Guilds.CountRanked(ctx, o); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// FormerGuilds returns disbanded guilds in the order of the uuids, with nil for unknown and malformed ones.
func (set *Set) FormerGuilds(ctx context.Context, uuids []string) ([]*model.FormerGuild, error) {
	return withoutMalformed(set.source.store.FormerGuilds.ByID(ctx, uuids))
}

// Raids holds the raids of the game.
type Raids struct {
	// Names lists the raids in display order.
	Names []string
	// Boards lists the leaderboards that do not depend on seasons.
	Boards []*leaderboard.Board
}

func (s *Source) readRaids(ctx context.Context) (*Raids, error) {
	all, err := s.store.Content.Raids(ctx)
	if err != nil {
		return nil, err
	}
	out := &Raids{Boards: leaderboard.Fixed(all)}
	for _, r := range all {
		out.Names = append(out.Names, r.Name)
	}
	return out, nil
}

// WithZeros completes a list of guild raids: first all raids in order, with 0 for missing ones, then other stored
// names.
func (r *Raids) WithZeros(stored *model.CountList) *model.CountList {
	out := &model.CountList{Total: stored.Total, List: make([]*model.NamedCount, len(r.Names), len(r.Names)+1)}
	at := make(map[string]int, len(r.Names))
	for i, name := range r.Names {
		at[name], out.List[i] = i, &model.NamedCount{Name: name}
	}
	for _, c := range stored.List {
		if i, ok := at[c.Name]; ok {
			out.List[i] = c
		} else {
			out.List = append(out.List, c)
		}
	}
	return out
}
