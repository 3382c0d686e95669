package jobs

import (
	"context"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// statisticsLease is the lease of Statistics: it reads everything and writes one record, so it can run beside the
// other jobs.
const statisticsLease = "statistics"

// statisticsInterval is the time between two counts: each reads all players, characters and guilds.
const statisticsInterval = time.Hour

// countsBatch is the number of records read at once. They are small.
const countsBatch = 5000

// Statistics counts all players, characters and guilds, and replaces the census.
func Statistics(ctx context.Context, store *mongo.Store, now time.Time, o Options) (Report, error) {
	report := Report{Full: true}
	progress := o.Progress
	if progress == nil {
		progress = func(string, int, int) {}
	}
	err := store.Leases.With(ctx, statisticsLease, o.Holder, func(ctx context.Context, _ *mongo.Lease) error {
		census := &model.Census{At: now.UTC().Truncate(time.Millisecond)}
		members := map[string]int{}
		err := eachRecord(ctx, store.Census.Players, func(p *model.Player) string {
			if census.Players++; p.Guild != nil {
				members[p.Guild.UUID]++
			}
			return p.UUID
		}, func(done int) { progress("counting players", done, 0) })
		if err != nil {
			return err
		}
		if err := countCharacters(ctx, store, census, progress); err != nil {
			return err
		}
		err = eachRecord(ctx, store.Census.Guilds, func(g *model.Guild) string {
			census.AddGuild(g, members[g.UUID])
			return g.UUID
		}, func(done int) { progress("counting guilds", done, 0) })
		if err != nil {
			return err
		}
		report.Players, report.Guilds = census.Players, census.Guilds
		return store.Census.Put(ctx, census)
	})
	return report, err
}

// countCharacters adds all characters to a census.
func countCharacters(ctx context.Context, store *mongo.Store, to *model.Census, progress func(string, int, int)) error {
	for after, done := "", 0; ; {
		batch, last, err := store.Census.Characters(ctx, after, countsBatch)
		if err != nil {
			return err
		}
		for _, c := range batch {
			to.AddCharacter(c)
		}
		if last == "" {
			return nil
		}
		after, done = last, done+len(batch)
		progress("counting characters", done, 0)
	}
}

// eachRecord calls visit for each record of a collection. read reads a batch after an id, visit returns the id.
func eachRecord[T any](ctx context.Context, read func(context.Context, string, int) ([]*T, error),
	visit func(*T) string, progress func(done int),
) error {
	for after, done := "", 0; ; {
		batch, err := read(ctx, after, countsBatch)
		if err != nil {
			return err
		}
		for _, record := range batch {
			after = visit(record)
		}
		if done += len(batch); len(batch) < countsBatch {
			return nil
		}
		progress(done)
	}
}

// StatisticsDue reports whether Statistics should run: an hour after the last time, or earlier when the number of
// players or guilds has changed by more than a fiftieth, as after an import.
func StatisticsDue(ctx context.Context, store *mongo.Store, now time.Time) (bool, error) {
	census, err := store.Census.Read(ctx)
	if err != nil {
		return false, err
	}
	if age := now.Sub(census.At); age >= statisticsInterval || age <= -statisticsInterval {
		return true, nil
	}
	players, guilds, err := store.Census.Records(ctx)
	return changed(census.Players, players) || changed(census.Guilds, guilds), err
}

// changed reports whether two numbers differ by more than a fiftieth.
func changed(before int, now int64) bool {
	difference := now - int64(before)
	return max(difference, -difference)*50 > int64(before)
}
