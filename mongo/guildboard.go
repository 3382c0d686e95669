package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// GuildOrder is an order that guilds are ranked in by a number of their record.
type GuildOrder int

// The orders: the number highest first, equal ones by level, then by uuid. Guilds without
// the number, or with 0, are left out.
const (
	GuildsByLevel GuildOrder = iota
	GuildsByWars
)

// Number is what a guild is ranked by, 0 when it is left out.
func (o GuildOrder) Number(g *model.Guild) int64 {
	switch {
	case o == GuildsByLevel:
		return int64(g.Level)
	case g.Wars == nil:
		return 0
	}
	return *g.Wars
}

// fields are those of the order, highest first; the uuid follows, lowest first.
func (o GuildOrder) fields() []string {
	if o == GuildsByWars {
		return []string{"wars", "level"}
	}
	return []string{"level"}
}

func (o GuildOrder) ranked() bson.D {
	return bson.D{{Key: o.fields()[0], Value: bson.D{{Key: "$gt", Value: 0}}}}
}

// RankedGuilds reads some guilds in an order.
func (s *Store) RankedGuilds(ctx context.Context, o GuildOrder, skip, limit int) ([]*model.Guild, error) {
	sort := bson.D{}
	for _, f := range o.fields() {
		sort = append(sort, bson.E{Key: f, Value: -1})
	}
	sort = append(sort, bson.E{Key: "_id", Value: 1})
	return find[model.Guild](ctx, s.db.Collection(Guilds), o.ranked(),
		options.Find().SetSort(sort).SetSkip(int64(skip)).SetLimit(int64(limit)))
}

// CountRankedGuilds counts the guilds of an order.
func (s *Store) CountRankedGuilds(ctx context.Context, o GuildOrder) (int, error) {
	return s.countGuilds(ctx, o.ranked())
}

// GuildsAhead counts the guilds that stand before one in an order.
func (s *Store) GuildsAhead(ctx context.Context, o GuildOrder, g *model.Guild) (int, error) {
	ahead, equal := 0, bson.D{}
	values := map[string]int64{"level": int64(g.Level)}
	if g.Wars != nil {
		values["wars"] = *g.Wars
	}
	for _, f := range o.fields() {
		n, err := s.countGuilds(ctx, append(equal[:len(equal):len(equal)], bson.E{
			Key:   f,
			Value: bson.D{{Key: "$gt", Value: values[f]}},
		}))
		if err != nil {
			return 0, err
		}
		ahead += n
		equal = append(equal, bson.E{Key: f, Value: values[f]})
	}
	n, err := s.countGuilds(ctx, append(equal, bson.E{Key: "_id", Value: bson.D{{Key: "$lt", Value: g.UUID}}}))
	return ahead + n, err
}

func (s *Store) countGuilds(ctx context.Context, filter bson.D) (int, error) {
	n, err := s.db.Collection(Guilds).CountDocuments(ctx, filter)
	return int(n), translateError(err)
}

// CountMembers counts the members of guilds in the order of the uuids.
func (s *Store) CountMembers(ctx context.Context, uuids []string) ([]int, error) {
	type count struct {
		UUID    string `bson:"_id"`
		Members int    `bson:"members"`
	}
	found, err := read(ctx, s.db.Collection(Players), func(ctx context.Context, c *driver.Collection) (*driver.Cursor,
		error,
	) {
		return c.Aggregate(ctx, bson.A{
			bson.D{{Key: "$match", Value: bson.D{{Key: "guild.uuid", Value: in(uuids)}}}},
			bson.D{{Key: "$group", Value: bson.D{{Key: "_id", Value: "$guild.uuid"}, {Key: "members", Value: bson.D{{
				Key:   "$sum",
				Value: 1,
			}}}}}},
		}, options.Aggregate().SetBatchSize(100_000))
	}, all[count])
	if err != nil {
		return nil, err
	}
	at := make(map[string]int, len(found))
	for _, f := range found {
		at[f.UUID] = f.Members
	}
	out := make([]int, len(uuids))
	for i, uuid := range uuids {
		out[i] = at[uuid]
	}
	return out, nil
}
