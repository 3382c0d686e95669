package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// GuildOrder ranks guilds by a number in their record.
type GuildOrder int

// The orders: highest number first, ties by level, then by uuid. Guilds without the number, or with
// 0, are not ranked.
const (
	GuildsByLevel GuildOrder = iota
	GuildsByWars
)

// Number returns the number that ranks a guild, 0 when it is not ranked.
func (o GuildOrder) Number(g *model.Guild) int64 {
	switch {
	case o == GuildsByLevel:
		return int64(g.Level)
	case g.Wars == nil:
		return 0
	}
	return *g.Wars
}

// fields are the fields of the order, descending; the uuid follows, ascending.
func (o GuildOrder) fields() []string {
	if o == GuildsByWars {
		return []string{"wars", "level"}
	}
	return []string{"level"}
}

func (o GuildOrder) ranked() bson.D {
	return bson.D{{Key: o.fields()[0], Value: bson.D{{Key: "$gt", Value: 0}}}}
}

// Ranked reads a page of the guilds in an order.
func (s *GuildStore) Ranked(ctx context.Context, o GuildOrder, skip, limit int) ([]*model.Guild, error) {
	sort := bson.D{}
	for _, f := range o.fields() {
		sort = append(sort, bson.E{Key: f, Value: -1})
	}
	sort = append(sort, bson.E{Key: "_id", Value: 1})
	return find[model.Guild](ctx, s.db.Collection(Guilds), o.ranked(),
		options.Find().SetSort(sort).SetSkip(int64(skip)).SetLimit(int64(limit)))
}

// CountRanked counts the ranked guilds of an order.
func (s *GuildStore) CountRanked(ctx context.Context, o GuildOrder) (int, error) {
	return s.count(ctx, o.ranked())
}

// CountBefore counts the guilds that rank before a guild.
func (s *GuildStore) CountBefore(ctx context.Context, o GuildOrder, g *model.Guild) (int, error) {
	values := map[string]int64{"level": int64(g.Level)}
	if g.Wars != nil {
		values["wars"] = *g.Wars
	}
	before, equal := 0, bson.D{}
	for _, f := range o.fields() {
		greater := bson.E{Key: f, Value: bson.D{{Key: "$gt", Value: values[f]}}}
		n, err := s.count(ctx, append(equal[:len(equal):len(equal)], greater))
		if err != nil {
			return 0, err
		}
		before += n
		equal = append(equal, bson.E{Key: f, Value: values[f]})
	}
	n, err := s.count(ctx, append(equal, bson.E{Key: "_id", Value: bson.D{{Key: "$lt", Value: g.UUID}}}))
	return before + n, err
}

func (s *GuildStore) count(ctx context.Context, filter bson.D) (int, error) {
	return s.db.Collection(Guilds).Count(ctx, filter)
}
