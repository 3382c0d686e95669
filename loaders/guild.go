package loaders

import (
	"context"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/cache"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// GuildPage returns a page of a list of guilds, and whether guilds follow it. With brief they have nothing but uuid,
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

// MemberCounts returns the number of members of every guild that has any, as of the last ten minutes.
func (set *Set) MemberCounts(ctx context.Context) (map[string]int, error) {
	counts, err := set.source.members.current(ctx)
	if err != nil {
		return nil, err
	}
	return counts.value, nil
}

// The number of members is not stored with a guild: all are counted together and the counts are cached.
const memberCountAge, memberCountStale = 10 * time.Minute, time.Hour

// newMemberCounts returns counts that only a purge of everything removes: guilds and players are purged too often to
// count all members again.
func newMemberCounts(store *mongo.Store, s shared) *refreshingValue[map[string]int] {
	return &refreshingValue[map[string]int]{
		maxAge: memberCountAge, load: store.Guilds.MemberCounts,
		lastValue: lastValue[map[string]int]{name: "member counts", maxStale: memberCountStale, shared: s},
	}
}

// GuildsNamed returns up to limit guilds whose name begins with a folded string, best match first. With brief they have
// nothing but uuid, name and tag.
func (set *Set) GuildsNamed(ctx context.Context, folded string, limit int, brief bool) ([]*model.Guild, error) {
	found, err := set.source.store.Guilds.SearchByName(ctx, folded, limit, brief)
	return set.foundGuilds(found, brief), err
}

// GuildsTagged is GuildsNamed for prefixes.
func (set *Set) GuildsTagged(ctx context.Context, folded string, limit int, brief bool) ([]*model.Guild, error) {
	found, err := set.source.store.Guilds.SearchByPrefix(ctx, folded, limit, brief)
	return set.foundGuilds(found, brief), err
}

// foundGuilds notes that guilds were searched, and keeps whole ones for later reads of the operation.
func (set *Set) foundGuilds(found []*model.Guild, brief bool) []*model.Guild {
	set.log.addTag(guildTag, cache.Everything)
	if !brief {
		for _, g := range found {
			set.primeGuild(g)
		}
	}
	return found
}

// RankedGuilds returns n guilds in an order of their records, from a position on.
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

// FormerGuilds returns disbanded guilds in the order of the uuids; nil where none has one, or a malformed one.
func (set *Set) FormerGuilds(ctx context.Context, uuids []string) ([]*model.FormerGuild, error) {
	return withoutMalformed(set.source.store.FormerGuilds.ByID(ctx, uuids))
}

// Seasons has all guild seasons.
type Seasons struct {
	All      []*model.GuildSeason // by number, including disabled ones
	ByNumber map[int]*model.GuildSeason
}

func newSeasons(all []*model.GuildSeason) *Seasons {
	return &Seasons{all, index(all, func(s *model.GuildSeason) int { return s.Number })}
}

// Raids has the raids of the game.
type Raids struct {
	// Names are in the order of lists.
	Names []string
	// Boards are the leaderboards that do not depend on seasons.
	Boards []*leaderboard.Board
}

func readRaids(store *mongo.Store) func(context.Context) (*Raids, error) {
	return func(ctx context.Context) (*Raids, error) {
		all, err := store.Content.Raids(ctx)
		if err != nil {
			return nil, err
		}
		out := &Raids{Boards: leaderboard.Fixed(all)}
		for _, r := range all {
			out.Names = append(out.Names, r.Name)
		}
		return out, nil
	}
}

// WithZeros returns a list of guild raids with all raids in order, even with count 0, then other stored names.
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
