package jobs

import (
	"context"
	"iter"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// statisticsLease is the lease of Statistics: it reads everything and writes one record, so it can run beside the
// other jobs.
const statisticsLease = "statistics"

// statisticsInterval is the time between two counts. A count reads all players, characters and guilds.
const statisticsInterval = time.Hour

// countsBatch is the number of records read at once. They are small.
const countsBatch = 5000

// Statistics counts all players, characters and guilds, and replaces the census.
func Statistics(ctx context.Context, store *mongo.Store, now time.Time, o Options) (Report, error) {
	report := Report{Full: true}
	err := store.Leases.With(ctx, statisticsLease, o.Holder, func(ctx context.Context, _ *mongo.Lease) error {
		j := newJob(store, now, o)
		census, members := &model.Census{At: j.now}, map[string]int{}
		err := eachRecord(j, "players", store.Census.Players(ctx, countsBatch), func(p *model.Player) {
			census.Players++
			if p.Guild != nil {
				members[p.Guild.UUID]++
			}
		})
		if err != nil {
			return err
		}
		err = eachRecord(j, "characters", store.Census.Characters(ctx, countsBatch), census.AddCharacter)
		if err != nil {
			return err
		}
		err = eachRecord(j, "guilds", store.Census.Guilds(ctx, countsBatch), func(g *model.Guild) {
			census.AddGuild(g, members[g.UUID])
		})
		if err != nil {
			return err
		}
		report.Players, report.Guilds = census.Players, census.Guilds
		return store.Census.Put(ctx, census)
	})
	return report, err
}

// eachRecord calls count for each record of a collection.
func eachRecord[T any](j job, name string, pages iter.Seq2[[]*T, error], count func(*T)) error {
	done := 0
	for records, err := range pages {
		if err != nil {
			return err
		}
		for _, record := range records {
			count(record)
		}
		done += len(records)
		j.Progress("counting "+name, done, 0)
	}
	return nil
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
