package simulator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/feed"
)

// World is the state of the simulated game: all players, the records of those online, and what a game
// server knows besides. It is not safe for concurrent use.
type World struct {
	dice
	source Source
	now    time.Time
	step   time.Duration

	players []*player
	guilds  []*guild
	land    []*model.Territory
	seasons []*model.GuildSeason

	online  []*player
	servers []string
	quests  []string
	byUUID  map[string]*player
	guildOf map[string]*guild
	landOf  map[string]*model.Territory
	game    *feed.Game // the records of players online, guilds and territories
	events  []feed.Event
	failed  error // of an event that cannot happen
	tally   Tally
}

type guild struct {
	*model.Guild
	members []*player
}

func (g *guild) removeMember(p *player) {
	g.members = slices.DeleteFunc(g.members, func(m *player) bool { return m == p })
}

// Setting is the initial content of a world, which changes the records.
type Setting struct {
	Players     []string // uuids
	Guilds      []*model.Guild
	Territories []*model.Territory
	Seasons     []*model.GuildSeason
}

// NewWorld returns a world at a time. Players who are online according to the records stay online; those
// whose records lack required data are left out.
func NewWorld(ctx context.Context, source Source, seed uint64, now time.Time, s Setting) (*World, error) {
	w := &World{
		dice: newDice(seed, now), source: source, now: now, land: s.Territories, seasons: s.Seasons,
		byUUID: map[string]*player{}, guildOf: map[string]*guild{}, landOf: map[string]*model.Territory{},
		game: feed.NewGame(now), tally: Tally{},
	}
	for _, g := range s.Guilds {
		w.guildOf[g.UUID] = &guild{Guild: g}
		w.guilds = append(w.guilds, w.guildOf[g.UUID])
		w.game.AddGuild(g)
	}
	for _, t := range s.Territories {
		w.landOf[t.Name] = t
		w.game.AddTerritory(t)
	}
	for _, season := range s.Seasons {
		w.game.AddSeason(season)
	}
	online, err := w.addPlayers(ctx, s.Players)
	if err != nil {
		return nil, err
	}
	// Loading them again keeps the records of the offline players out of memory.
	if err := w.loadSessions(ctx, online); err != nil {
		return nil, err
	}
	w.resumeSessions(online)
	return w, nil
}

// addPlayers adds players and the game worlds in their records, and returns the uuids of those online.
func (w *World) addPlayers(ctx context.Context, uuids []string) (online []string, err error) {
	w.servers = []string{"AS1", "EU1", "US1"}
	for part := range slices.Chunk(uuids, batchSize) {
		players, err := w.source.Players(ctx, part)
		if err != nil {
			return nil, err
		}
		for i, p := range players {
			if !playable(p) {
				continue
			}
			w.addPlayer(&player{uuid: part[i]}, p)
			if p.Online {
				online = append(online, part[i])
			}
			if p.World != nil && !slices.Contains(w.servers, *p.World) {
				w.servers = append(w.servers, *p.World)
			}
		}
	}
	return online, nil
}

// Step advances the clock and returns what happened. Steps should be at most a minute, since a player does
// at most one thing of a kind per step. After an error the world must not be used.
func (w *World) Step(ctx context.Context, by time.Duration) ([]feed.Event, error) {
	before := w.now
	w.now, w.step, w.events = w.now.Add(by), by, nil
	w.game.Begin(w.now)
	// Logins come before logouts, so that no record is loaded while its changes are unwritten.
	if err := w.startSessions(ctx); err != nil {
		return nil, err
	}
	w.endSessions()
	w.playAll()
	w.raids()
	w.guildLife()
	w.wars()
	w.produceResources(before)
	w.rateSeason(before)
	return w.events, w.failed
}

// play lets an event happen.
func (w *World) play(e feed.Event) {
	if err := w.game.Play(e); err != nil {
		w.failed = errors.Join(w.failed, fmt.Errorf("%s: %w", feed.NameOf(e), err))
		return
	}
	w.events = append(w.events, e)
	w.tally[feed.NameOf(e)]++
}

func (p *player) id() feed.PlayerID { return feed.PlayerID(p.uuid) }

func characterID(c *model.Character) feed.CharacterID { return feed.CharacterID(c.UUID) }

func (g *guild) id() feed.GuildID { return feed.GuildID(g.UUID) }

// Now returns the time of the world's clock.
func (w *World) Now() time.Time { return w.now }

// happen returns how often an event happens in this step that happens perHour times an hour on average.
func (w *World) happen(perHour float64) int { return w.times(perHour * w.step.Hours()) }
