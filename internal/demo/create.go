// Package demo creates the demo world: internal/demo/seed makes the world of some days ago, and internal/demo/simulator
// plays it up to now. The past follows the same rules as the present. History, leaderboards and other derived data are
// computed as the service computes them.
package demo

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
)

// ErrInhabited is returned for a store that has players already.
var ErrInhabited = errors.New("the store holds players already")

// batch is the number of players per write; it bounds the memory of a world without a past.
const batch = 1000

// MarkKey is the key of the Mark that a run stores when it finishes; at its start it stores one under startedKey.
const (
	MarkKey    = "seed"
	startedKey = "seedBegun"
)

// Mark records how a store was filled.
type Mark struct {
	Players int    `json:"players"`
	Days    int    `json:"days"`
	Seed    string `json:"seed"` // decimal: BSON has no uint64
	At      string `json:"at"`   // date-time
}

// LastMidnight returns when a world with a past last saved the positions of the day.
func (m Mark) LastMidnight() time.Time {
	at, _ := time.Parse(time.RFC3339, m.At)
	return at.Truncate(day)
}

func markOf(o seed.Options) Mark {
	return Mark{Players: o.Players, Days: o.Days, Seed: fmt.Sprint(o.Seed), At: model.FormatDateTime(o.Now)}
}

// Create creates a demo world in an empty store. It resumes an interrupted run with the options of that run. It returns
// ErrInhabited if the store has other players or a finished world.
func Create(ctx context.Context, store *mongo.Store, o seed.Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	o.Now = o.Timestamp()
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	again, err := interrupted(ctx, store, &o)
	if err != nil {
		return err
	}
	w := writer{o, store, store.Players.Insert, store.Characters.Insert, store.Guilds.Insert}
	if again {
		w = writer{o, store, store.Players.Put, store.Characters.Put, store.Guilds.Put}
	} else if err := store.SetMark(ctx, startedKey, markOf(o)); err != nil {
		return err
	}
	if err := seed.PutContent(ctx, store, o); err != nil {
		return err
	}
	create := w.plain
	if o.Days > 0 {
		create = w.played
	}
	if err := create(ctx); err != nil {
		return err
	}
	if _, err := store.Guilds.ColourHolders(ctx); err != nil {
		return err
	}
	if err := putCompetition(ctx, store, o); err != nil {
		return err
	}
	return store.SetMark(ctx, MarkKey, markOf(o))
}

// putCompetition stores a competition between members of the first guild. No account created it.
func putCompetition(ctx context.Context, store *mongo.Store, o seed.Options) error {
	first := seed.FirstGuild()
	members, err := store.Players.ByGuild(ctx, []string{first})
	if err != nil {
		return err
	}
	c := &model.Competition{
		Key: "company", Account: "demo", Name: "Company against itself", Metric: model.HistoryMetricPlaytime,
		StartsAt: o.Now.Truncate(day).Add(-10 * day), EndsAt: o.Now.Truncate(day).Add(11 * day), CreatedAt: o.Now,
		GuildUUID: &first,
	}
	for _, p := range members[0] {
		c.Players = append(c.Players, p.UUID)
	}
	if err := store.Competitions.Insert(ctx, c); !errors.Is(err, mongo.ErrTaken) {
		return err
	}
	return nil // stored by an interrupted run
}

// interrupted reports whether the store has an interrupted run, and sets o to its options. It returns ErrInhabited
// if the store has other players or a finished world.
func interrupted(ctx context.Context, store *mongo.Store, o *seed.Options) (bool, error) {
	var before, finished Mark
	done, err := store.ReadMark(ctx, MarkKey, &finished)
	if err != nil {
		return false, err
	}
	again, err := store.ReadMark(ctx, startedKey, &before)
	if err != nil {
		return false, err
	}
	n, err := store.Players.EstimateCount(ctx)
	if err != nil {
		return false, err
	}
	switch {
	case done, n > 0 && !again:
		return false, fmt.Errorf("%w: %d", ErrInhabited, n)
	case !again:
		return false, nil
	}
	if o.Seed, err = strconv.ParseUint(before.Seed, 10, 64); err != nil {
		return false, err
	}
	o.Players, o.Days = before.Players, before.Days
	o.Now, err = time.Parse(time.RFC3339, before.At)
	return true, err
}

// Unfinished reports whether the creation of the demo world in a store was interrupted.
func Unfinished(ctx context.Context, store *mongo.Store) (bool, error) {
	again, err := interrupted(ctx, store, &seed.Options{})
	if errors.Is(err, ErrInhabited) {
		return false, nil
	}
	return again, err
}

// Wanted reports whether a store should get a demo world: it is empty or contains an interrupted run.
func Wanted(ctx context.Context, store *mongo.Store) (bool, error) {
	if again, err := Unfinished(ctx, store); err != nil || again {
		return again, err
	}
	inhabited, err := store.Export.NonEmptyCollection(ctx)
	return inhabited == "", err
}

// writer stores a world: with inserts for a first run, with upserts for a resumed one.
type writer struct {
	o          seed.Options
	store      *mongo.Store
	players    func(context.Context, []*model.Player) error
	characters func(context.Context, []*model.Character) error
	guilds     func(context.Context, []*model.Guild) error
}

// plain stores a world without a past, a batch of players at a time.
func (w writer) plain(ctx context.Context) error {
	world := seed.New(w.o)
	if err := w.putPlayers(ctx, world.Players(), world.Log); err != nil {
		return err
	}
	return errors.Join(w.store.Territories.Put(ctx, world.Territories()), w.guilds(ctx, world.Guilds()))
}

// putPlayers stores players and the log in batches.
func (w writer) putPlayers(ctx context.Context, all iter.Seq2[*model.Player, []*model.Character],
	log func() []mongo.NewEvent,
) error {
	var players []*model.Player
	var characters []*model.Character
	done := 0
	for p, cs := range all {
		p.Flagged = false
		players, characters = append(players, p), append(characters, cs...)
		if done++; len(players) < batch && done < w.o.Players {
			continue
		}
		writing := new(errgroup.Group)
		writing.Go(func() error { return w.players(ctx, players) })
		writing.Go(func() error { return w.characters(ctx, characters) })
		writing.Go(func() error { return w.store.Events.PutPast(ctx, log()) })
		if err := writing.Wait(); err != nil {
			return err
		}
		w.o.Progress("creating players", done, w.o.Players)
		players, characters = nil, nil
	}
	return ctx.Err()
}
