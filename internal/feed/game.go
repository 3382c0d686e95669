package feed

import (
	"errors"
	"maps"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Game holds the records that some events refer to: players, characters, guilds and territories. Events change them. It
// is not safe for concurrent use.
type Game struct {
	now      time.Time
	linkCode func(player, code string, at time.Time) (*model.LinkCode, error)

	players     table[PlayerID, model.Player]
	characters  table[CharacterID, model.Character]
	guilds      table[GuildID, model.Guild]
	territories table[TerritoryName, model.Territory]
	seasons     map[int]*model.GuildSeason
	// guildOfName maps a requested guild name to the guild that already has it.
	guildOfName map[string]GuildID
	// malformed holds the ids of records that cannot be decoded, and the folded names of malformed guilds.
	malformed map[string]bool
	// gone holds the ids of deleted players, characters and guilds; former maps a uuid to its last disbanded guild.
	gone   map[string]bool
	former map[string]*model.FormerGuild

	formerGuilds []*model.FormerGuild
	linkCodes    map[string]*model.LinkCode // by digest
	log          []mongo.NewEvent
	locks        []string
	stale        []string // cache tags to purge
	values       []value  // of the current event
	uncoloured   bool     // a guild without a colour captured a territory
}

// NewGame returns a game without records whose clock shows now.
func NewGame(now time.Time) *Game {
	return &Game{
		now: now, players: newTable[PlayerID, model.Player](), characters: newTable[CharacterID, model.Character](),
		guilds: newTable[GuildID, model.Guild](), territories: newTable[TerritoryName, model.Territory](),
		seasons: map[int]*model.GuildSeason{}, guildOfName: map[string]GuildID{}, malformed: map[string]bool{},
		linkCodes: map[string]*model.LinkCode{}, gone: map[string]bool{}, former: map[string]*model.FormerGuild{},
	}
}

// errTwoLives means that an event adds a record which another event of the batch deleted. The two records need separate
// transactions, by which the store tells them apart.
var errTwoLives = errors.New("a batch deletes a record and adds it again")

// Play applies an event. It returns an *Error, and then nothing has changed, or errTwoLives.
func (g *Game) Play(e Event) error {
	g.values = appendValues(g.values[:0], e)
	if err := checkValues(g.values, g.now); err != nil {
		return err
	}
	if err := g.check(g.values); err != nil {
		return err
	}
	return e.apply(g)
}

// Begin sets the time for events without one, and clears the log.
func (g *Game) Begin(now time.Time) {
	g.now, g.log, g.locks, g.stale, g.formerGuilds = now, nil, nil, nil, nil
	clear(g.linkCodes)
}

// Log returns the entries for the event log recorded since Begin.
func (g *Game) Log() []mongo.NewEvent { return g.log }

// Player returns a player's record, or nil if unknown.
func (g *Game) Player(id PlayerID) *model.Player { return g.players.now[id] }

// Character returns a character's record, or nil if unknown.
func (g *Game) Character(id CharacterID) *model.Character { return g.characters.now[id] }

// AddPlayer adds the record of a player and of some characters. Events change them.
func (g *Game) AddPlayer(p *model.Player, characters ...*model.Character) {
	g.players.now[PlayerID(p.UUID)] = p
	for _, c := range characters {
		g.characters.now[CharacterID(c.UUID)] = c
	}
}

// RemovePlayer forgets the record of a player and of their characters.
func (g *Game) RemovePlayer(uuid string) {
	g.players.remove(PlayerID(uuid))
	for _, c := range g.charactersOf(uuid) {
		g.characters.remove(CharacterID(c.UUID))
	}
}

// AddGuild adds the record of a guild.
func (g *Game) AddGuild(guild *model.Guild) { g.guilds.now[GuildID(guild.UUID)] = guild }

// AddTerritory adds the record of a territory.
func (g *Game) AddTerritory(t *model.Territory) { g.territories.now[TerritoryName(t.Name)] = t }

// AddSeason adds a season.
func (g *Game) AddSeason(s *model.GuildSeason) { g.seasons[s.Number] = s }

// flag marks players and guilds with changed scores for the next refresh of the leaderboards. Players who stay online
// need no flag: a refresh always includes them.
func (g *Game) flag() {
	for _, c := range g.characters.deleted {
		if p := g.owner(c); p != nil {
			p.Flagged = true
		}
	}
	online := func(p *model.Player) bool {
		before := g.players.stored[PlayerID(p.UUID)]
		return p.Online && before != nil && before.Online
	}
	for id, c := range g.characters.now {
		if p := g.owner(c); p != nil && !online(p) && mongo.Rescored(g.characters.stored[id], c) {
			p.Flagged = true
		}
	}
	for id, p := range g.players.now {
		p.Flagged = p.Flagged || !online(p) && mongo.Rescored(g.players.stored[id], p)
	}
	for id, guild := range g.guilds.now {
		guild.Flagged = guild.Flagged || mongo.Rescored(g.guilds.stored[id], guild)
	}
}

// changes returns what the events changed.
func (g *Game) changes() []mongo.Change {
	g.flag()
	out := slices.Concat(g.players.changes(), g.characters.changes(), g.guilds.changes(), g.territories.changes())
	for _, former := range g.formerGuilds {
		out = append(out, mongo.Replace(former))
	}
	for _, digest := range slices.Sorted(maps.Keys(g.linkCodes)) {
		out = append(out, mongo.Replace(g.linkCodes[digest]))
	}
	slices.Sort(g.locks)
	for _, key := range slices.Compact(g.locks) {
		out = append(out, mongo.Serialise(key))
	}
	return append(out, mongo.Purge(g.stale...), mongo.Record(g.log...))
}

// lock makes concurrent transactions with the same key conflict. Use it for records that an event only reads.
func (g *Game) lock(kind, id string) { g.locks = append(g.locks, kind+" "+id) }

// record adds an event to the log. A zero time becomes the time of the game.
func (g *Game) record(at time.Time, data model.EventData) {
	g.log = append(g.log, mongo.NewEvent{At: g.at(at), Data: data})
}

// recordPresence runs change and logs how it affects a player's presence.
func (g *Game) recordPresence(p *model.Player, at time.Time, change func()) {
	before := &model.Player{Online: p.Online, World: p.World}
	change()
	if data := model.PresenceChange(before, p); data != nil {
		g.record(at, data)
	}
}

func (g *Game) at(t time.Time) time.Time {
	if t.IsZero() {
		t = g.now
	}
	return t.UTC().Truncate(time.Millisecond)
}

func (g *Game) owner(c *model.Character) *model.Player { return g.players.now[PlayerID(c.Owner)] }

// charactersOf returns the characters of a player, by uuid.
func (g *Game) charactersOf(player string) []*model.Character {
	return g.characters.where(func(c *model.Character) bool { return c.Owner == player })
}

// members returns the members of a guild, by uuid.
func (g *Game) members(guild string) []*model.Player {
	return g.players.where(func(p *model.Player) bool { return p.Guild != nil && p.Guild.UUID == guild })
}

// held returns the territories of a guild except one, by name.
func (g *Game) held(guild string, except *model.Territory) []*model.Territory {
	return g.territories.where(func(t *model.Territory) bool {
		return t != except && t.Guild != nil && t.Guild.UUID != nil && *t.Guild.UUID == guild
	})
}

// table holds the records of one kind.
type table[K ~string, T mongo.Stored] struct {
	now     map[K]*T // with all changes so far
	stored  map[K]*T // as read
	deleted []*T
	sorted  []*T // the records of now by id; stale if the lengths differ
}

func newTable[K ~string, T mongo.Stored]() table[K, T] {
	return table[K, T]{now: map[K]*T{}, stored: map[K]*T{}}
}

// read adds a record that was read from the store.
func (t *table[K, T]) read(id K, record *T) {
	t.stored[id], t.now[id], t.sorted = record, mongo.Clone(record), nil
}

// remove deletes a record.
func (t *table[K, T]) remove(id K) {
	if before := t.stored[id]; before != nil {
		t.deleted = append(t.deleted, before)
	}
	delete(t.stored, id)
	delete(t.now, id)
	t.sorted = nil
}

// where returns the matching records, ordered by id.
func (t *table[K, T]) where(has func(*T) bool) (out []*T) {
	if len(t.sorted) != len(t.now) {
		t.sorted = t.sorted[:0]
		for _, id := range slices.Sorted(maps.Keys(t.now)) {
			t.sorted = append(t.sorted, t.now[id])
		}
	}
	for _, record := range t.sorted {
		if has(record) {
			out = append(out, record)
		}
	}
	return out
}

func (t *table[K, T]) changes() (out []mongo.Change) {
	for _, before := range t.deleted {
		out = append(out, mongo.Save(before, nil))
	}
	for _, id := range slices.Sorted(maps.Keys(t.now)) {
		out = append(out, mongo.Save(t.stored[id], t.now[id]))
	}
	return out
}
