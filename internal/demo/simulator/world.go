package simulator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/dice"
	"gamedata/internal/demo/seed"
	"gamedata/internal/feed"
)

// World is the state of the simulated game: all players, the records of players online, and the other state of a game
// server. It is not safe for concurrent use.
type World struct {
	dice.Dice
	Setting
	// Game holds the records of players online, guilds and territories, and the event log of the last step.
	Game *feed.Game

	source Source
	number uint64
	now    time.Time
	step   time.Duration

	players []*player
	guilds  []*guild
	land    []*plot
	cast    []*player // who leave for minutes only, each from End on or some hours before

	online  []*player
	servers []string
	quests  []string
	byUUID  map[string]*player
	guildOf map[string]*guild
	events  []feed.Event
	failed  error          // from an impossible event
	tally   map[string]int // of all events, by their names in the feed

	nextWar, nextNewcomer time.Time
	lastLogin, week       time.Time // the last login in the initial records, and the week of the players' objectives
	outage                bool      // before the first step
}

type guild struct {
	*model.Guild
	members []*player
	land    []*plot
}

// plot is a territory.
type plot struct {
	*model.Territory
	links  []*plot
	holder *guild // nil without a simulated holder
}

// Setting is the initial content of a world. The world changes its records.
type Setting struct {
	Players     []string // uuids
	Guilds      []*model.Guild
	Territories []*model.Territory
	Seasons     []*model.GuildSeason

	// Pace is about how often a player's progress is recorded; a minute if zero.
	Pace time.Duration
	// End is the end of a past: the cast is online then, and progress is recorded. It is zero in a running world.
	End time.Time
	// Joined is how many players have joined so far; it and the world's number determine the names of newcomers.
	// NewcomerEvery is the time between two newcomers.
	Joined        int
	NewcomerEvery time.Duration
}

// NewWorld returns a world at a time. Players who are online in their records stay online. Players whose records lack
// required data are left out.
func NewWorld(ctx context.Context, source Source, number uint64, now time.Time, s Setting) (*World, error) {
	w := &World{
		Dice: dice.New(number, uint64(now.UnixMilli())), Setting: s, source: source, number: number, now: now, nextWar: now,
		byUUID: map[string]*player{}, guildOf: map[string]*guild{},
		Game: feed.NewGame(now), tally: map[string]int{},
	}
	if w.Pace == 0 {
		w.Pace = time.Minute
	}
	for _, g := range s.Guilds {
		w.guildOf[g.UUID] = &guild{Guild: g}
		w.guilds = append(w.guilds, w.guildOf[g.UUID])
		w.Game.AddGuild(g)
	}
	w.addLand(s.Territories)
	for _, season := range s.Seasons {
		w.Game.AddSeason(season)
	}
	online, err := w.addPlayers(ctx, s.Players)
	if err != nil {
		return nil, err
	}
	w.nextNewcomer = w.now.Add(w.NewcomerEvery)
	// Loading them again keeps the records of the offline players out of memory.
	if err := w.loadSessions(ctx, online); err != nil {
		return nil, err
	}
	w.resumeSessions(online)
	return w, nil
}

// addPlayers adds players and the game worlds in their records, and returns the uuids of online players.
func (w *World) addPlayers(ctx context.Context, uuids []string) (online []string, err error) {
	for part := range slices.Chunk(uuids, batchSize) {
		players, err := w.source.Players(ctx, part)
		if err != nil {
			return nil, err
		}
		for i, p := range players {
			if !playable(p) {
				continue
			}
			w.addPlayer(part[i], p)
			if p.LastJoinedAt != nil && p.LastJoinedAt.After(w.lastLogin) {
				w.lastLogin = *p.LastJoinedAt
			}
			if p.Online {
				online = append(online, part[i])
			}
			if p.World != nil && !slices.Contains(w.servers, *p.World) {
				w.servers = append(w.servers, *p.World)
			}
		}
	}
	if len(w.servers) < 3 {
		w.servers = seed.Worlds
	}
	for _, m := range seed.Cast {
		if p := w.byUUID[m.UUID]; p != nil && m.Address != "" {
			p.returns = w.End.Add(time.Duration(len(w.cast))*castInterval - castTime)
			w.cast = append(w.cast, p)
		}
	}
	w.week, w.outage = w.lastLogin.Truncate(seed.Week), w.now.Sub(w.lastLogin) > maxPause
	return online, nil
}

func (w *World) addLand(territories []*model.Territory) {
	byName := map[string]*plot{}
	for _, t := range territories {
		if t.AcquiredAt == nil { // imported records may lack it
			t.AcquiredAt = new(w.now)
		}
		w.Game.AddTerritory(t)
		p := &plot{Territory: t}
		byName[t.Name], w.land = p, append(w.land, p)
		if t.Guild.UUID != nil && w.guildOf[*t.Guild.UUID] != nil {
			p.give(w.guildOf[*t.Guild.UUID])
		}
	}
	for _, p := range w.land {
		for _, name := range p.LinkNames {
			if other := byName[name]; other != nil {
				p.links = append(p.links, other)
			}
		}
	}
}

// Step advances the clock and returns the events. Steps should be at most a minute, since a player does at most one
// thing of a kind per step. After an error the world must not be used.
func (w *World) Step(ctx context.Context, by time.Duration) ([]feed.Event, error) {
	before := w.now
	w.now, w.step, w.events = w.now.Add(by), by, nil
	w.Game.Begin(w.now)
	// Logins come before logouts, so that no record is loaded while its changes are unwritten.
	if err := w.startSessions(ctx); err != nil {
		return nil, err
	}
	if err := w.beginWeek(ctx); err != nil {
		return nil, err
	}
	w.endSessions()
	w.playAll()
	w.raids()
	w.guildLife()
	w.rateSeason(before)
	w.wars()
	w.tendLand(before)
	return w.events, w.failed
}

// Online returns the records of the players who are online.
func (w *World) Online() (records []*model.Player) {
	for _, p := range w.online {
		records = append(records, p.Player)
	}
	return records
}

// play lets an event happen.
func (w *World) play(e feed.Event) {
	if err := w.Game.Play(e); err != nil {
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

// happen returns how often an event with an average of perHour per hour happens in this step.
func (w *World) happen(perHour float64) int { return w.Times(perHour * w.step.Hours()) }

// passed reports whether an interval ended in this step. It returns the last ends before and within the step.
func (w *World) passed(before time.Time, interval time.Duration) (from, to time.Time, ended bool) {
	from, to = before.Truncate(interval), w.now.Truncate(interval)
	return from, to, from.Before(to)
}
