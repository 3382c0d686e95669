package loaders

import (
	"context"
	"sync"

	"gamedata/graph/model"
	"gamedata/internal/cache"
)

func (s *Source) newSet(ctx context.Context) *Set {
	set := &Set{source: s}
	set.versions = sync.OnceValues(func() (map[string]int64, error) { return s.store.Versions(ctx) })
	set.territories = sync.OnceValues(func() (*Territories, error) {
		t, err := s.territories.current(ctx)
		if err == nil {
			set.read.from(t.At, "")
			set.read.of(contentTag, "territories")
		}
		return t, err
	})
	set.PlayerByUUID = batched(s, "PlayerByUUID", playerKind.reader(set, s.store.PlayersByUUID))
	set.PlayersByName = batched(s, "PlayersByName", set.playersByName)
	set.OnlineAt = batched(s, "OnlineAt", set.seen(s.store.OnlinePlayersByAddress))
	set.CharacterByUUID = batched(s, "CharacterByUUID", characterKind.reader(set, s.store.CharactersByUUID))
	set.CharactersByOwner = batched(s, "CharactersByOwner", set.charactersByOwner)
	set.GuildByUUID = batched(s, "GuildByUUID", guildKind.reader(set, s.store.GuildsByUUID))
	set.PlayersByParty = batched(s, "PlayersByParty", set.seen(s.store.PlayersByParty))
	set.GuildByName = batched(s, "GuildByName", set.guildsByName)
	set.GuildsByPrefix = batched(s, "GuildsByPrefix", set.guildsByPrefix)
	set.PlayersByGuild = batched(s, "PlayersByGuild", set.playersByGuild)
	set.directory = batched(s, "Directory", s.store.Directories)
	set.boardPage = batched(s, "BoardPage", s.store.BoardPages)
	set.AccountByID = batched(s, "AccountByID", s.store.AccountsByID)
	set.ApplicationByID = batched(s, "ApplicationByID", s.store.ApplicationsByID)
	set.UsageOf = batched(s, "UsageOf", s.store.UsageOf)
	return set
}

// playersByName keeps what it finds for lookups by uuid later in the operation.
func (set *Set) playersByName(ctx context.Context, names []string) ([][]*model.Player, error) {
	found, err := playersByName.reader(set, set.source.store.PlayersByName)(ctx, names)
	for _, group := range found {
		for _, p := range group {
			set.PlayerByUUID.Prime(ctx, p.UUID, p)
		}
	}
	return found, err
}

// seen counts players as read who are not kept.
func (set *Set) seen(read func(context.Context, []string) ([][]*model.Player, error)) func(context.Context,
	[]string) ([][]*model.Player, error) {
	return func(ctx context.Context, keys []string) ([][]*model.Player, error) {
		found, err := read(ctx, keys)
		for _, group := range found {
			for _, p := range group {
				playerKind.count(set, p.UUID, p)
				if r := set.source.records; r != nil {
					r.rules.see(p, r.purges)
				}
			}
		}
		return found, err
	}
}

// OnlinePlayers reads what the online list shows of everybody who is online; the records
// are partial, so they are not kept for other lookups. With relations they tell friends and
// guild too, which rules may ask for.
func (set *Set) OnlinePlayers(ctx context.Context, relations bool) ([]*model.Player, error) {
	set.read.of(playerTag, cache.Everything)
	return set.source.store.OnlinePlayers(ctx, relations)
}
