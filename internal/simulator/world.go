package simulator

import (
	"context"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo/feed"
)

// World is a game in memory: whom it knows, the records of those who play and what a game
// server knows besides them. It is not for use by several goroutines at once.
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
	parties []*party
	servers []string
	quests  []string
	byUUID  map[string]*player
	guildOf map[string]*guild
	landOf  map[string]*model.Territory
	born    int
	feed    *feed.Batch
	tally   Tally
}

// guild is a record and who of its members plays here.
type guild struct {
	*model.Guild
	members []*player
}

// lose takes a member out of a guild.
func (g *guild) lose(p *player) {
	g.members = slices.DeleteFunc(g.members, func(m *player) bool { return m == p })
}

// Setting is what a world is made of. The world changes the records.
type Setting struct {
	// Players are uuids.
	Players     []string
	Guilds      []*model.Guild
	Territories []*model.Territory
	Seasons     []*model.GuildSeason
}

// NewWorld makes a world that stands at a moment, and takes over the sessions that records
// tell of. Records that lack what a player needs to be played are left out.
func NewWorld(ctx context.Context, source Source, seed uint64, now time.Time, s Setting) (*World, error) {
	w := &World{
		dice: newDice(seed, now), source: source, now: now, land: s.Territories, seasons: s.Seasons,
		tally:  Tally{},
		byUUID: map[string]*player{}, guildOf: map[string]*guild{}, landOf: map[string]*model.Territory{},
	}
	for _, g := range s.Guilds {
		known := &guild{Guild: g}
		w.guilds = append(w.guilds, known)
		w.guildOf[g.UUID] = known
	}
	for _, t := range s.Territories {
		w.landOf[t.Name] = t
	}
	online, err := w.meet(ctx, s.Players)
	if err != nil {
		return nil, err
	}
	// They are read once more, so that nothing is held of the records of the others.
	if err := w.bring(ctx, online); err != nil {
		return nil, err
	}
	w.resume(online)
	return w, nil
}

// meet gets to know players, and from their records which worlds there are. It gives the
// uuids of those online.
func (w *World) meet(ctx context.Context, uuids []string) (online []string, err error) {
	w.servers = []string{"AS1", "EU1", "US1"}
	for part := range slices.Chunk(uuids, few) {
		players, err := w.source.PlayersByUUID(ctx, part)
		if err != nil {
			return nil, err
		}
		for i, p := range players {
			if !playable(p) {
				continue
			}
			w.admit(&player{uuid: part[i], weekly: p.Weekly}, p)
			if p.Online {
				online = append(online, part[i])
			}
			if p.Server != nil && !slices.Contains(w.servers, *p.Server) {
				w.servers = append(w.servers, *p.Server)
			}
		}
	}
	return online, nil
}

// Step lets time pass and gives what happened in it. Steps of up to a minute look best:
// nobody does more than one thing of a kind in a step. A world whose source fails is not to
// be stepped on.
func (w *World) Step(ctx context.Context, by time.Duration) (*feed.Batch, error) {
	before := w.now
	w.now, w.step, w.feed = w.now.Add(by), by, &feed.Batch{}
	// Who comes comes before anybody leaves: nobody's record is read while it waits to be
	// written.
	if err := w.beginSessions(ctx); err != nil {
		return nil, err
	}
	w.endSessions()
	w.play()
	w.endParties()
	w.beginParties()
	w.guildLife()
	w.wars()
	w.passMinutes(before)
	w.passSeasonSlots(before)
	w.passWeek(before)
	return w.feed, nil
}

// Now is the moment the world stands at.
func (w *World) Now() time.Time { return w.now }

// happen is how often something happens in this step that happens so often in an hour.
func (w *World) happen(perHour float64) int { return w.times(perHour * w.step.Hours()) }
