package mongo

import (
	"context"
	"iter"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// recordedPlayer and recordedGuild are the fields that have a history.
var (
	recordedPlayer = projection(append(counterPaths(), "playtime", "firstJoin",
		"lastJoin", "guild", "membership", "rules", addedField)...)
	recordedGuild = projection("created", "level", "wars", "totalGuildRaids", "captured", "lost", "seasonRanks",
		addedField)
)

func counterPaths() (paths []string) {
	for _, c := range model.PlayerCounters {
		if c.Metric != "" {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

// Since reads the recorded fields of the players who joined at a time or later, in the order of their last join, in
// pages of a size.
func (s *PlayerStore) Since(ctx context.Context, since time.Time, size int) iter.Seq2[[]*model.Player, error] {
	q := PageQuery{
		Filter: bson.D{{Key: "lastJoin", Value: bson.D{{Key: "$gte", Value: since}}}},
		Order:  Order{Field: "lastJoin"}, Limit: size, Projection: recordedPlayer,
	}
	return func(yield func([]*model.Player, error) bool) {
		for {
			page, more, err := findPageOf[model.Player](conn.WithLongTimeout(ctx), s.db.Collection(Players), q)
			if !yield(page, err) || !more || len(page) == 0 {
				return
			}
			last := page[len(page)-1]
			q.After = &Position{Value: *last.LastJoinedAt, ID: last.UUID}
		}
	}
}

// RecordedOnline reads the recorded fields of the online players, in pages of a size.
func (s *PlayerStore) RecordedOnline(ctx context.Context, size int) iter.Seq2[[]*model.Player, error] {
	return s.online(size, recordedPlayer).pages(ctx)
}

// Recorded reads the recorded fields of all guilds, in pages of a size.
func (s *GuildStore) Recorded(ctx context.Context, size int) iter.Seq2[[]*model.Guild, error] {
	return scan[model.Guild]{in: s.db.Collection(Guilds), size: size, key: guildUUID, fields: recordedGuild}.pages(ctx)
}
