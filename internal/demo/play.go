package demo

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/internal/demo/simulator"
	"gamedata/internal/feed"
	"gamedata/internal/history"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

const (
	day = 24 * time.Hour
	// longestVisit is longer than any session.
	longestVisit = 12 * time.Hour
	// boardDays is how many days of leaderboards a new world has: computing them takes as long as playing these days.
	boardDays = 30
	// eventBatch is how many events are stored at a time: larger batches update the indexes less often.
	eventBatch = 8_000
	// gcPercent is GOGC while the past is played.
	gcPercent = 300
)

// past is a world that is played in memory, and the records of its history.
type past struct {
	o          seed.Options // of the world with which the past begins
	end        time.Time
	world      *simulator.World
	setting    simulator.Setting
	players    map[string]*model.Player
	characters map[string][]*model.Character // by the uuids of their players
	order      []*model.Player

	history map[mongo.Recorded]map[string][]mongo.HistoryPoint
	events  []mongo.NewEvent
	storing *errgroup.Group // of events, while the next days are played
	boards  boards
}

// played plays the past of a world in memory, then stores the world.
func (w writer) played(ctx context.Context) error {
	p, err := begin(ctx, w.o)
	if err != nil {
		return err
	}
	if err := p.play(ctx, w); err != nil {
		return err
	}
	all := func(yield func(*model.Player, []*model.Character) bool) {
		for _, player := range p.order {
			if !yield(player, p.characters[player.UUID]) {
				return
			}
		}
	}
	if err := w.putPlayers(ctx, all, func() []mongo.NewEvent { return nil }); err != nil {
		return err
	}
	w.o.Progress("storing the past", 0, 0)
	if err := errors.Join(w.store.Territories.Put(ctx, p.setting.Territories), w.guilds(ctx, p.setting.Guilds),
		w.store.Boards.PutTops(ctx, p.boards.tops, history.DefaultRetention.Daily)); err != nil {
		return err
	}
	for what, points := range p.history {
		if err := w.store.History.Put(ctx, what, points, history.DefaultRetention.Of(what)); err != nil {
			return err
		}
	}
	return nil
}

// begin returns a world at the beginning of its past.
func begin(ctx context.Context, o seed.Options) (*past, error) {
	end := o.Now
	o = o.Beginning()
	begun := seed.New(o)
	p := &past{
		o: o, end: end, players: map[string]*model.Player{}, characters: map[string][]*model.Character{},
		history: map[mongo.Recorded]map[string][]mongo.HistoryPoint{},
		boards:  boards{places: map[string][]leaderboard.Place{}},
	}
	for player, characters := range begun.Players() {
		p.add(player, characters...)
	}
	p.setting = simulator.Setting{
		Players: slices.Sorted(maps.Keys(p.players)), Territories: begun.Territories(), Guilds: begun.Guilds(),
		Seasons: seed.Seasons(end), Pace: time.Hour, End: end, Joined: o.Players,
		NewcomerEvery: o.NewcomerEvery(),
	}
	p.events = begun.Log()
	var err error
	p.world, err = simulator.NewWorld(ctx, simulator.Source{
		Players: from(p.players), Characters: from(p.characters), Keep: true,
	}, o.Seed, o.Now, p.setting)
	return p, err
}

// from returns a function that reads records by key.
func from[T any](records map[string]T) func(context.Context, []string) ([]T, error) {
	return func(_ context.Context, keys []string) ([]T, error) {
		out := make([]T, len(keys))
		for i, key := range keys {
			out[i] = records[key]
		}
		return out, nil
	}
}

func (p *past) add(player *model.Player, characters ...*model.Character) {
	p.players[player.UUID], p.order = player, append(p.order, player)
	p.characters[player.UUID] = characters
}

// play plays the past and stores its events. It records each interval before the step that crosses its end, so that an
// event at the end of an interval belongs to the next one.
func (p *past) play(ctx context.Context, w writer) error {
	var playing context.Context
	p.storing, playing = errgroup.WithContext(ctx)
	p.storing.SetLimit(1)
	played := p.playDays(playing, w)
	stored := p.storing.Wait() // if it fails, played is that playing was cancelled
	return cmp.Or(ctx.Err(), stored, played)
}

func (p *past) playDays(ctx context.Context, w writer) error {
	// Nearly all allocated memory stays in use: collecting garbage less often saves a sixth of the processor time.
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	r := rand.New(rand.NewPCG(p.o.Seed, uint64(p.end.UnixMilli())))
	p.recordDay(p.o.Now)
	for now := p.o.Now; now.Before(p.end); {
		if err := ctx.Err(); err != nil {
			return err
		}
		step := time.Duration(30+r.IntN(60))*time.Second + time.Duration(r.IntN(1000))*time.Millisecond
		step = min(step, p.end.Sub(now))
		if end := now.Add(step).Truncate(mongo.RecordedWorlds.Interval()); end.After(now) {
			p.recordUntil(ctx, now, end, w)
		}
		events, err := p.world.Step(ctx, step)
		if err != nil {
			return err
		}
		now = now.Add(step)
		p.follow(events)
	}
	p.recordHour(p.end, p.end)
	p.recordDay(p.end)
	p.storeEvents(ctx, w.store)
	return nil
}

// recordUntil records the intervals that end at a time, as of now.
func (p *past) recordUntil(ctx context.Context, now, end time.Time, w writer) {
	p.recordWorlds(end)
	if end.Equal(end.Truncate(time.Hour)) {
		p.recordHour(now, end)
	}
	if !end.Equal(end.Truncate(day)) {
		return
	}
	p.recordDay(now)
	w.o.Progress("playing the past", int(end.Sub(p.o.Now)/day), int(p.end.Sub(p.o.Now)/day))
	if p.end.Sub(end) < day {
		p.boards.rank(p, end)
	}
	if len(p.events) >= eventBatch {
		p.storeEvents(ctx, w.store)
	}
}

// storeEvents stores the collected events in the background.
func (p *past) storeEvents(ctx context.Context, store *mongo.Store) {
	events := p.events
	p.events = nil
	p.storing.Go(func() error { return store.Events.PutPast(ctx, events) })
}

// follow collects the records and log entries that the events of the last step added, except entries that would have
// expired by now.
func (p *past) follow(events []feed.Event) {
	for _, e := range events {
		switch e := e.(type) {
		case *feed.PlayerAdded:
			p.add(p.world.Game.Player(e.Player))
		case *feed.CharacterAdded:
			c := p.world.Game.Character(e.Character)
			p.characters[c.Owner] = append(p.characters[c.Owner], c)
		}
	}
	for _, e := range p.world.Game.Log() {
		if kind, _ := model.EventTypeOf(e.Data).Kind(); e.At.Add(kind.Retention).After(p.end) {
			p.events = append(p.events, e)
		}
	}
}

// record adds a point at a time, or replaces it. It reports whether a value differs from the point before.
func (p *past) record(what mongo.Recorded, key string, at time.Time, values map[string]float64) bool {
	if p.history[what] == nil {
		p.history[what] = map[string][]mongo.HistoryPoint{}
	}
	point, points := mongo.HistoryPoint{At: at.Truncate(what.Interval()), Values: values}, p.history[what][key]
	switch last := len(points) - 1; {
	case last >= 0 && what.Interval() == day && maps.Equal(points[last].Values, values):
		return false
	case last >= 0 && points[last].At.Equal(point.At):
		points[last] = point
	default:
		p.history[what][key] = append(points, point)
	}
	return true
}

// recordWorlds records how many players are online on each world.
func (p *past) recordWorlds(now time.Time) {
	players := map[string]float64{}
	for _, player := range p.world.Online() {
		if player.World != nil {
			players[*player.World]++
		}
	}
	p.record(mongo.RecordedWorlds, history.AllWorlds, now, players)
}

// recordHour records season ratings of the hour of now, and how many members of each guild are online when it ends.
func (p *past) recordHour(now, end time.Time) {
	online := map[string]float64{}
	for _, player := range p.world.Online() {
		if player.Guild != nil && player.ShowsPresenceToAll() {
			online[player.Guild.UUID]++
		}
	}
	season := model.RunningSeason(p.setting.Seasons, now)
	for _, g := range p.setting.Guilds {
		if n := online[g.UUID]; n > 0 {
			p.record(mongo.RecordedActivity, g.UUID, end, map[string]float64{history.Online: n})
		}
		if season == nil {
			continue
		}
		if rating, ok := history.Rating(g, season.Number); ok {
			p.record(mongo.RecordedSeason, history.SeasonKey(season.Number, g.UUID), now,
				map[string]float64{history.SeasonRating: rating})
		}
	}
}

// recordDay records guilds, active players and leaderboards at the end of a day, or at the present time.
func (p *past) recordDay(now time.Time) {
	members, held := map[string]int{}, model.TerritoryCounts(p.setting.Territories)
	first := now.Equal(p.o.Now)
	since := now.Truncate(day).Add(-longestVisit)
	var played []*model.Player
	for _, player := range p.order {
		if player.Guild != nil {
			members[player.Guild.UUID]++
		}
		if !first && !player.Online && player.LastJoinedAt.Before(since) {
			continue
		}
		if p.record(mongo.RecordedPlayer, player.UUID, now, history.PlayerGainer(player).Now) {
			played = append(played, player)
		}
	}
	for _, g := range p.setting.Guilds {
		p.record(mongo.RecordedGuild, g.UUID, now, history.GuildGainer(g, members[g.UUID], held[g.UUID]).Now)
	}
	if p.end.Sub(now) > boardDays*day {
		return
	}
	if len(p.boards.places) == 0 {
		played = p.order
	}
	p.boards.update(p, now, played...)
	p.boards.record(p, now)
}
