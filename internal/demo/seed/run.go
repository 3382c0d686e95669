// Package seed generates the demo world: invented players, characters and guilds, equal for equal options. It stores
// them with the content of internal/demo/content. Cast lists players that demonstrate every case a client can meet.
// Players are generated as a stream and stored in batches, so memory does not grow with their number. Only class,
// dungeon and raid names come from the real game.
package seed

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
	"gamedata/internal/history"
	"gamedata/mongo"
)

// ErrInhabited is returned for a store that has players already.
var ErrInhabited = errors.New("the store holds players already")

// batch is the number of players per write; it bounds the memory of a run.
const batch = 1000

// MarkKey is the key of the Mark that a finished run stores; when it starts it stores one under startedKey.
const (
	MarkKey    = "seed"
	startedKey = "seedBegun"
)

// Mark records how a store was seeded.
type Mark struct {
	Players int    `json:"players"`
	Seed    string `json:"seed"` // decimal: BSON has no uint64
	At      string `json:"at"`   // date-time
}

func (o Options) mark() Mark {
	return Mark{Players: o.Players, Seed: fmt.Sprint(o.Seed), At: model.FormatDateTime(o.Now)}
}

// Run creates a demo world in an empty store: content, then players in batches, then guilds, then the Mark.
// It resumes an interrupted run with the options of that run. It returns ErrInhabited if the store has
// other players or a finished world.
func Run(ctx context.Context, store *mongo.Store, o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	o.Now = o.timestamp()
	again, err := interrupted(ctx, store, &o)
	if err != nil {
		return err
	}
	write := writer{store.Players.Insert, store.Characters.Insert, store.Guilds.Insert}
	if again {
		write = writer{store.Players.Put, store.Characters.Put, store.Guilds.Put}
	} else if err := store.SetMark(ctx, startedKey, o.mark()); err != nil {
		return err
	}
	if err := putContent(ctx, store, o); err != nil {
		return err
	}
	land := Territories(o)
	captured := captures(o, land)
	if err := errors.Join(store.Territories.Put(ctx, land), store.Events.PutPast(ctx, captured)); err != nil {
		return err
	}
	guilds, err := putPlayers(ctx, store, write, o)
	if err != nil {
		return err
	}
	if err := putGuilds(ctx, store, write, o, guilds, heldPast(o, land, captured)); err != nil {
		return err
	}
	if err := store.Guilds.ColourHolders(ctx); err != nil {
		return err
	}
	if err := putCompetition(ctx, store, o); err != nil {
		return err
	}
	return store.SetMark(ctx, MarkKey, o.mark())
}

// CompetitionKey is the key of a competition of the members of the first guild, which no account created.
const CompetitionKey = "company"

func putCompetition(ctx context.Context, store *mongo.Store, o Options) error {
	members, err := store.Players.ByGuild(ctx, []string{knownGuilds[mossbound].UUID})
	if err != nil {
		return err
	}
	c := &model.Competition{
		Key: CompetitionKey, Account: "demo", Name: "Company against itself", Metric: model.HistoryMetricPlaytime,
		StartsAt: o.Now.Truncate(day).Add(-10 * day), EndsAt: o.Now.Truncate(day).Add(11 * day), CreatedAt: o.Now,
		GuildUUID: new(knownGuilds[mossbound].UUID),
	}
	for _, p := range members[0] {
		c.Players = append(c.Players, p.UUID)
	}
	if err := store.Competitions.Insert(ctx, c); !errors.Is(err, mongo.ErrTaken) {
		return err
	}
	return nil // by an interrupted run
}

// interrupted reports whether the store has an interrupted run, and sets o to its options. It returns ErrInhabited
// if the store has other players or a finished world.
func interrupted(ctx context.Context, store *mongo.Store, o *Options) (bool, error) {
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
	o.Players = before.Players
	o.Now, err = time.Parse(time.RFC3339, before.At)
	return true, err
}

// Wanted reports whether a store should get a demo world: it is empty, or has an interrupted run.
func Wanted(ctx context.Context, store *mongo.Store) (bool, error) {
	again, err := interrupted(ctx, store, &Options{})
	switch {
	case errors.Is(err, ErrInhabited):
		return false, nil
	case err != nil || again:
		return again, err
	}
	versions, err := store.Content.Versions(ctx)
	delete(versions, mongo.Boards)
	return len(versions) == 0, err
}

// writer stores batches: inserts for a first run, upserts for a resumed one.
type writer struct {
	players    func(context.Context, []*model.Player) error
	characters func(context.Context, []*model.Character) error
	guilds     func(context.Context, []*model.Guild) error
}

func putContent(ctx context.Context, store *mongo.Store, o Options) error {
	for _, put := range []func() error{
		func() error { return putRecords(ctx, store, mongo.Items, "") },
		func() error { return putRecords(ctx, store, mongo.ItemSets, "") },
		func() error { return putRecords(ctx, store, mongo.Recipes, "") },
		func() error { return putRecords(ctx, store, mongo.Classes, "") },
		func() error { return putRecords(ctx, store, mongo.AbilityTrees, "") },
		func() error { return putRecords(ctx, store, mongo.Aspects, "") },
		func() error { return putRecords(ctx, store, mongo.MapMarkers, o.land()) },
		func() error { return putRecords(ctx, store, mongo.GatheringNodes, o.land()) },
		func() error { return mongo.WorldEvents.Put(ctx, store, worldEvents(o)) },
		func() error { return mongo.LootPools.Put(ctx, store, LootPools(o)) },
		func() error { return mongo.QuestSummary.Put(ctx, store, []*model.QuestSummary{{Quests: len(quests)}}) },
		func() error { return mongo.Seasons.Put(ctx, store, Seasons(o.Now)) },
		func() error { return mongo.Raids.Put(ctx, store, model.KnownRaids) },
		func() error { return putRecords(ctx, store, mongo.Discoveries, o.land()) },
		func() error { return mongo.Articles.Put(ctx, store, Articles(o)) },
		func() error { return putRecords(ctx, store, mongo.Videos, "") },
		func() error { return putRecords(ctx, store, mongo.LatestNews, "") },
	} {
		if err := put(); err != nil {
			return err
		}
	}
	return nil
}

// putRecords stores the records of a kind of content, from a folder.
func putRecords[T any](ctx context.Context, store *mongo.Store, kind mongo.Content[T], folder string) error {
	return kind.Put(ctx, store, content.Read[T](path.Join(folder, kind.Name)))
}

// putPlayers stores the players with their past and recent events, and the past of the worlds. It returns the totals of
// their guilds.
func putPlayers(ctx context.Context, store *mongo.Store, write writer, o Options) (tallies, error) {
	guilds, founded, online, done := tallies{}, foundings(o), 0, 0
	writing, written := new(errgroup.Group), 0 // the batch before is stored while the next one is made
	finish := func() error {
		if err := writing.Wait(); err != nil {
			return err
		}
		if o.Progress != nil && written > 0 {
			o.Progress(written, o.Players)
		}
		return ctx.Err()
	}
	var next playerBatch
	for p, cs := range Players(o) {
		guilds.add(p)
		next.add(o, done, p, cs, founded)
		if p.Online {
			online++
		}
		done++
		if len(next.players) < batch && done < o.Players {
			continue
		}
		if err := finish(); err != nil {
			return nil, err
		}
		writing, written, next = next.store(ctx, store, write), done, playerBatch{}
	}
	if err := finish(); err != nil {
		return nil, err
	}
	return guilds, points{history.AllWorlds: worldPast(o, online)}.store(ctx, store, mongo.RecordedWorlds)
}

// putGuilds stores the guilds and their past. held is how many territories each had on the last days, today first.
func putGuilds(ctx context.Context, store *mongo.Store, write writer, o Options, ts tallies, held []map[string]int,
) error {
	past, ratings, activity, index := points{}, points{}, points{}, 0
	for some := range slices.Chunk(guildRecords(o, ts, held[0]), batch) {
		for _, g := range some {
			index++
			past.addGuild(o, ratings, index, ts.of(g.UUID).members, held, g)
			activity.addActivity(o, index, ts.of(g.UUID).members, g.UUID)
		}
		if err := errors.Join(write.guilds(ctx, some), past.store(ctx, store, mongo.RecordedGuild),
			ratings.store(ctx, store, mongo.RecordedSeason), activity.store(ctx, store, mongo.RecordedActivity),
			ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// playerBatch is players with what is stored of them.
type playerBatch struct {
	players    []*model.Player
	characters []*model.Character
	past       points
	events     []mongo.NewEvent
}

func (b *playerBatch) add(o Options, index int, p *model.Player, characters []*model.Character,
	founded map[string]time.Time,
) {
	if b.past == nil {
		b.past = points{}
	}
	b.players, b.characters = append(b.players, p), append(b.characters, characters...)
	b.past.addPlayer(o, index, p)
	b.events = append(b.events, biography(o, index, p, characters, founded)...)
}

// store begins to write a batch.
func (b playerBatch) store(ctx context.Context, store *mongo.Store, write writer) *errgroup.Group {
	writes := new(errgroup.Group)
	writes.Go(func() error { return write.players(ctx, b.players) })
	writes.Go(func() error { return write.characters(ctx, b.characters) })
	writes.Go(func() error {
		return errors.Join(b.past.store(ctx, store, mongo.RecordedPlayer), store.Events.PutPast(ctx, b.events))
	})
	return writes
}
