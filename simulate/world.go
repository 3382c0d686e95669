package simulate

import (
	"slices"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// World is a game in memory: the records it plays with and what a game server knows
// besides them. It is not for use by several goroutines at once.
type World struct {
	dice
	now  time.Time
	step time.Duration

	players []*player
	guilds  []*guild
	land    []*model.Territory
	seasons []*model.GuildSeason

	online  []*player
	parties []*party
	servers []string
	quests  []string
	byUUID  map[string]*player
	guildOf map[string]*guild
	landOf  map[string]*model.Territory
	born    int
	feed    *mongo.Feed
	tally   Tally
}

// player is a record and what its session is about.
type player struct {
	*model.Player
	characters []*model.Character
	guild      *guild
	party      *party

	playing *model.Character
	leaves  time.Time // when the session ends
	acts    time.Time // when progress is noted next
	noted   time.Time // up to when playtime is noted
}

// guild is a record and who of its members plays.
type guild struct {
	*model.Guild
	members []*player
}

// Records are what a world is made of. The world changes them.
type Records struct {
	Players []*model.Player
	// Characters of each of Players, at its place.
	Characters  [][]*model.Character
	Guilds      []*model.Guild
	Territories []*model.Territory
	Seasons     []*model.GuildSeason
}

// NewWorld makes a world that stands at a moment. Records that lack what a player or a
// guild needs to be played are left out.
func NewWorld(seed uint64, now time.Time, r Records) *World {
	w := &World{dice: newDice(seed, now), now: now, land: r.Territories, seasons: r.Seasons, tally: Tally{},
		byUUID: map[string]*player{}, guildOf: map[string]*guild{}, landOf: map[string]*model.Territory{}}
	for _, g := range r.Guilds {
		known := &guild{Guild: g}
		w.guilds = append(w.guilds, known)
		w.guildOf[g.UUID] = known
	}
	for _, t := range r.Territories {
		w.landOf[t.Name] = t
	}
	for i, p := range r.Players {
		if playable(p) {
			w.admit(&player{Player: p, characters: slices.DeleteFunc(slices.Clone(r.Characters[i]), unplayable)})
		}
	}
	w.knowPlaces()
	w.resume()
	return w
}

// playable tells whether a record has everything that playing changes.
func playable(p *model.Player) bool { return p.GlobalData != nil && p.Playtime != nil }

func unplayable(c *model.Character) bool {
	return c.Professions == nil || c.Playtime == nil || c.Meta != nil && c.Meta.Died
}

// admit adds a player to the world.
func (w *World) admit(p *player) {
	w.players = append(w.players, p)
	w.byUUID[p.UUID] = p
	if p.Guild != nil && p.Membership != nil {
		if g := w.guildOf[p.Guild.UUID]; g != nil {
			p.guild, g.members = g, append(g.members, p)
		}
	}
}

// knowPlaces learns from the records which worlds and quests there are.
func (w *World) knowPlaces() {
	servers, quests := map[string]bool{"EU1": true, "US1": true, "AS1": true}, map[string]bool{}
	for _, p := range w.players {
		if p.Server != nil {
			servers[*p.Server] = true
		}
		for _, c := range p.characters {
			for _, q := range c.Quests {
				quests[q] = true
			}
		}
	}
	w.servers, w.quests = sorted(servers), sorted(quests)
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for s := range set {
		out = append(out, s)
	}
	slices.SortFunc(out, strings.Compare)
	return out
}

// Step lets time pass and gives what happened in it. Steps of up to a minute look best:
// nobody does more than one thing of a kind in a step.
func (w *World) Step(by time.Duration) *mongo.Feed {
	before := w.now
	w.now, w.step, w.feed = w.now.Add(by), by, &mongo.Feed{}
	w.endSessions()
	w.beginSessions()
	w.play()
	w.endParties()
	w.beginParties()
	w.guildLife()
	w.wars()
	w.passMinutes(before)
	w.passSeasonSlots(before)
	w.passWeek(before)
	return w.feed
}

// Now is the moment the world stands at.
func (w *World) Now() time.Time { return w.now }

// happen is how often something happens in this step that happens so often in an hour.
func (w *World) happen(perHour float64) int { return w.times(perHour * w.step.Hours()) }
