package loaders

import (
	"context"
	"sync"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/cache"
	"gamedata/mongo"
)

// Set holds the loaders of one operation.
type Set struct {
	*contents

	// PlayerByUUID loads a player, or nil if the uuid is unknown.
	PlayerByUUID Loader[string, *model.Player]
	// PlayersByName loads the players with a name, case ignored.
	PlayersByName Loader[string, []*model.Player]
	// OnlineAt loads the online players who joined from an address.
	OnlineAt Loader[string, []*model.Player]
	// PlayersByParty loads the members of a party by the party's id.
	PlayersByParty Loader[string, []*model.Player]
	// PlayersByGuild loads the members of a guild by the guild's uuid.
	PlayersByGuild Loader[string, []*model.Player]

	// CharacterByUUID loads a character, or nil if the uuid is unknown.
	CharacterByUUID Loader[string, *model.Character]
	// CharacterByKey loads a character of a known player.
	CharacterByKey Loader[mongo.CharacterKey, *model.Character]
	// CharactersByOwner loads the characters of a player by the player's uuid.
	CharactersByOwner Loader[string, []*model.Character]

	// CharacterKind loads the class and the gamemodes of a character, ExperienceByOwner the experience of all
	// characters of a player. The records are partial; no other loader returns them.
	CharacterKind     Loader[mongo.CharacterKey, *model.Character]
	ExperienceByOwner Loader[string, []*model.Character]

	// GuildByUUID loads a guild, or nil if the uuid is unknown.
	GuildByUUID Loader[string, *model.Guild]
	// GuildByName loads a guild by name, case ignored, or nil if the name is unknown.
	GuildByName Loader[string, *model.Guild]
	// GuildsByPrefix loads the guilds with a prefix, case ignored.
	GuildsByPrefix Loader[string, []*model.Guild]

	// ItemByName loads an item by internalName. ItemByTitle loads the item with a displayName, the first by
	// internalName if there are several. Unknown names are nil.
	ItemByName, ItemByTitle Loader[string, *model.Item]

	// MemberCount loads the number of members of a guild by its uuid.
	MemberCount Loader[string, int]
	// RankedGuildCount loads the number of guilds ranked by an order.
	RankedGuildCount Loader[mongo.GuildOrder, int]

	// PlayerRanking loads the current positions of a player by uuid, GuildRanking the positions of a guild; nil before
	// the first refresh of the leaderboards that covers them.
	PlayerRanking, GuildRanking Loader[string, *Ranking]

	// HistoryOf loads the points of a history in the order of time.
	HistoryOf Loader[HistoryKey, []mongo.HistoryPoint]
	// ValuesAt loads the values of a history just before a time; nil where none are recorded.
	ValuesAt Loader[HistoryKey, map[string]float64]

	// EventsAbout loads the last events about a guild, player or character, newest first.
	EventsAbout Loader[EventsKey, []*model.Event]

	// CapturesOf loads a page of captures. CaptureCount loads the number of captures in a list, or nil if there are too
	// many to count.
	CapturesOf   Loader[CapturePageKey, *mongo.CapturePage]
	CaptureCount Loader[CaptureKey, *int]

	directory Loader[string, *mongo.Directory]
	boardPage Loader[int64, []byte]
	boardTop  Loader[mongo.BoardDay, *mongo.BoardTop]
	GainBoard Loader[mongo.GainBoardKey, *mongo.GainBoard]
	// playerStanding and guildStanding load the standing of a player or guild by uuid; nil without one.
	playerStanding, guildStanding Loader[string, *mongo.Standing]

	// AccountByID loads an account, or nil if the id is unknown.
	AccountByID Loader[string, *model.Account]
	// CompetitionByKey loads a competition, or nil if the key is unknown.
	CompetitionByKey Loader[string, *model.Competition]
	// ApplicationByID loads an application, or nil if the client id is unknown.
	ApplicationByID Loader[string, *model.Application]
	// UsageOf loads the usage of a credential by its id.
	UsageOf Loader[string, *model.Usage]

	source      *Source
	territories func() (*Territories, error)
	log         readLog

	// maxAge is the maximum age of the cached records that the operation may use: no records older than the response
	// may be. With 0 every record is read from the store.
	maxAge time.Duration
	// own lists the uuids of players whose records always come from the store: users see their own changes at once.
	own []string
	// api names the API that the operation serves.
	api string
}

func newSet(ctx context.Context, s *Source, op *graph.Operation) *Set {
	set := &Set{contents: s.content, source: s}
	if op != nil {
		set.maxAge, set.own, set.api = op.Policy.MaxAge, viewer.From(ctx).Own(), op.Source
	}
	set.territories = sync.OnceValues(func() (*Territories, error) {
		t, err := s.territories.current(ctx)
		if err == nil {
			set.log.noteAge(t.At, "")
			set.log.addTag(contentTag, "territories")
		}
		return t, err
	})
	set.PlayerByUUID = newLoader(s, "PlayerByUUID", playerKind.cached(set, s.store.Players.ByID))
	set.PlayersByName = newLoader(s, "PlayersByName",
		primed(playersByName.cached(set, s.store.Players.ByName), set.primePlayer))
	set.OnlineAt = newLoader(s, "OnlineAt", set.uncachedPlayers(s.store.Players.OnlineByAddress))
	set.PlayersByParty = newLoader(s, "PlayersByParty", set.uncachedPlayers(s.store.Players.ByParty))
	set.PlayersByGuild = newLoader(s, "PlayersByGuild",
		primed(playersByGuild.cached(set, s.store.Players.ByGuild), set.primePlayer))
	set.CharacterByUUID = newLoader(s, "CharacterByUUID", characterKind.cached(set, s.store.Characters.ByID))
	set.CharacterByKey = newLoader(s, "CharacterByKey", set.charactersByKey)
	set.CharactersByOwner = newLoader(s, "CharactersByOwner",
		primed(charactersByOwner.cached(set, s.store.Characters.ByOwner), set.primeCharacter))
	set.CharacterKind = newLoader(s, "CharacterKind", s.store.Characters.Kinds)
	set.ExperienceByOwner = newLoader(s, "ExperienceByOwner", set.experience)
	set.GuildByUUID = newLoader(s, "GuildByUUID", guildKind.cached(set, s.store.Guilds.ByID))
	set.GuildByName = newLoader(s, "GuildByName",
		first(primed(guildsByName.cached(set, each(s.store.Guilds.ByName)), set.primeGuild)))
	set.GuildsByPrefix = newLoader(s, "GuildsByPrefix",
		primed(guildsByPrefix.cached(set, s.store.Guilds.ByPrefix), set.primeGuild))
	set.ItemByName = newLoader(s, "ItemByName",
		itemKind.cached(set, func(ctx context.Context, names []string) ([]*model.Item, error) {
			return withoutMalformed(s.store.Items.ByID(ctx, names))
		}))
	set.ItemByTitle = newLoader(s, "ItemByTitle",
		first(itemsByTitle.cached(set, func(ctx context.Context, titles []string) ([][]*model.Item, error) {
			return withoutMalformed(s.store.Items.ByTitle(ctx, titles))
		})))
	set.MemberCount = newLoader(s, "MemberCount", s.store.Guilds.CountMembers)
	set.RankedGuildCount = newLoader(s, "RankedGuildCount", s.rankedGuildCounts)
	set.PlayerRanking = newLoader(s, "PlayerRanking",
		playerRankingKind.cached(set, s.rankings(mongo.RankedPlayers)))
	set.GuildRanking = newLoader(s, "GuildRanking", guildRankingKind.cached(set, s.rankings(mongo.RankedGuilds)))
	set.HistoryOf = newLoader(s, "HistoryOf", s.histories)
	set.ValuesAt = newLoader(s, "ValuesAt", s.valuesAt)
	set.EventsAbout = newLoader(s, "EventsAbout", s.eventsAbout)
	set.CapturesOf = newLoader(s, "CapturesOf", s.capturePages)
	set.CaptureCount = newLoader(s, "CaptureCount", s.captureCounts)
	set.directory = newLoader(s, "Directory", s.store.Boards.Directories)
	set.boardPage = newLoader(s, "BoardPage", s.boardPages)
	set.boardTop = newLoader(s, "BoardTop", s.store.Boards.Tops)
	set.GainBoard = newLoader(s, "GainBoard", s.store.Boards.Gains)
	set.playerStanding = newLoader(s, "PlayerStanding", s.standings(mongo.RankedPlayers))
	set.guildStanding = newLoader(s, "GuildStanding", s.standings(mongo.RankedGuilds))
	set.CompetitionByKey = newLoader(s, "CompetitionByKey", s.store.Competitions.ByID)
	set.AccountByID = newLoader(s, "AccountByID", s.store.Accounts.ByID)
	set.ApplicationByID = newLoader(s, "ApplicationByID", s.store.Applications.ByID)
	set.UsageOf = newLoader(s, "UsageOf", s.store.Usage.Of)
	return set
}

// Store returns the store, for reads that are neither batched nor cached.
func (set *Set) Store() *mongo.Store { return set.source.store }

// cachedValue returns the cache entry of a key if the operation may use it. The caller logs the read.
func (set *Set) cachedValue(key string) *cache.Entry[cachedValue] {
	r := set.source.o.Records
	if r == nil || set.maxAge <= 0 {
		return nil
	}
	e := r.cache.Get(key)
	if e == nil || set.source.o.Now().Sub(e.Made) >= set.maxAge {
		return nil
	}
	return e
}

// primed returns a read that passes every record it finds to prime, for later lookups by uuid in the operation.
func primed[T any](read func(context.Context, []string) ([][]*T, error), prime func(*T),
) func(context.Context, []string) ([][]*T, error) {
	return func(ctx context.Context, keys []string) ([][]*T, error) {
		found, err := read(ctx, keys)
		for _, records := range found {
			for _, record := range records {
				prime(record)
			}
		}
		return found, err
	}
}

func (set *Set) primePlayer(p *model.Player) {
	set.PlayerByUUID.Prime(p.UUID, p)
}

func (set *Set) primeCharacter(c *model.Character) {
	set.CharacterByUUID.Prime(c.UUID, c)
	set.CharacterByKey.Prime(mongo.CharacterKey{Owner: c.Owner, UUID: c.UUID}, c)
}

func (set *Set) primeGuild(g *model.Guild) {
	set.GuildByUUID.Prime(g.UUID, g)
}
