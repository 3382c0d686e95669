package mongo

import (
	"context"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// GuildField is a field by which guilds are listed.
type GuildField string

// The fields that lists of guilds are ordered by. An index serves each in both directions.
const (
	GuildName    GuildField = "name"
	GuildLevel   GuildField = "level"
	GuildWars    GuildField = "wars"
	GuildCreated GuildField = "created"
	GuildUpdated GuildField = UpdatedField
)

// GuildList selects guilds by a condition and orders them by a field.
type GuildList struct {
	Field      GuildField
	Descending bool
	// NamePrefix and Prefix restrict a list by name, which is then ordered with case ignored; nil for no restriction.
	NamePrefix, Prefix *string
	// Min, Max and Below restrict the values of the field, Below excludes its value; nil for no restriction.
	Min, Max, Below any
}

// foldedName orders lists that are restricted by name, ignoring case.
const foldedName GuildField = "nameFold"

func (l GuildList) field() GuildField {
	if l.NamePrefix != nil || l.Prefix != nil {
		return foldedName
	}
	return l.Field
}

// Order is the order of the list.
func (l GuildList) Order() Order {
	o := Order{Field: string(l.field()), Descending: l.Descending}
	switch l.Field {
	case GuildLevel, GuildWars:
		o.IDsDescending = !l.Descending
	default:
		o.IDsDescending = l.Descending
	}
	return o
}

// Position is the position of a guild in the list.
func (l GuildList) Position(g *model.Guild) Position {
	p := Position{ID: g.UUID}
	switch l.field() {
	case GuildLevel:
		p.Value = int64(g.Level)
	case GuildWars:
		p.Value = *g.Wars // others are not in the list
	case GuildCreated:
		p.Value = g.CreatedAt
	case GuildUpdated:
		p.Value = g.Updated
	case foldedName:
		p.Value = Fold(g.Name)
	default:
		p.Value = g.Name
	}
	return p
}

func (l GuildList) filter() bson.D {
	out := bson.D{}
	if l.NamePrefix != nil {
		out = append(out, hasPrefix("nameFold", Fold(*l.NamePrefix))...)
	}
	if l.Prefix != nil {
		out = append(out, bson.E{Key: "prefixFold", Value: Fold(*l.Prefix)})
	}
	span := bson.D{}
	for _, limit := range []struct {
		operator string
		value    any
	}{{"$gte", l.Min}, {"$lte", l.Max}, {"$lt", l.Below}} {
		if limit.value != nil {
			span = append(span, bson.E{Key: limit.operator, Value: limit.value})
		}
	}
	if len(span) == 0 && l.Field == GuildWars {
		span = bson.D{{Key: "$gte", Value: 0}} // not null
	}
	if len(span) == 0 && l.Field == GuildUpdated {
		span = bson.D{{Key: "$gte", Value: time.Unix(0, 0)}} // not null
	}
	if len(span) > 0 {
		out = append(out, bson.E{Key: string(l.Field), Value: span})
	}
	return out
}

// Page reads a page of a list; the list sets the query's filter and order. With brief the guilds have only uuid, name
// and tag, which an index covers in the order of names.
func (s *GuildStore) Page(ctx context.Context, l GuildList, q PageQuery, brief bool) ([]*model.Guild, bool, error) {
	q.Filter, q.Order = l.filter(), l.Order()
	if !brief {
		return findPageOf[model.Guild](ctx, s.db.Collection(Guilds), q)
	}
	ctx = conn.WithLongTimeout(ctx)
	var page []*model.Guild
	for _, filter := range q.ranges() {
		if len(page) > q.Limit {
			break
		}
		o := options.Find().SetSort(q.sort()).SetLimit(int64(q.Limit + 1 - len(page))).
			SetProjection(projection("_id", "name", "prefix"))
		found, err := conn.Find(ctx, s.db.Collection(Guilds), filter, briefGuilds, o)
		if err != nil {
			return nil, false, err
		}
		page = append(page, found...)
	}
	more := len(page) > q.Limit
	if more {
		page = page[:q.Limit]
	}
	page = named(page)
	if q.Backward {
		slices.Reverse(page)
	}
	return page, more, nil
}

// briefGuilds reads uuid, name and tag of guilds directly from the reply: there can be tens of thousands, and the
// driver's decoder would allocate 4 KB for each. A malformed guild may have no name.
func briefGuilds(ctx context.Context, cursor *driver.Cursor) ([]*model.Guild, error) {
	out := []*model.Guild{}
	for cursor.Next(ctx) {
		text := func(field string) string { v, _ := cursor.Current.Lookup(field).StringValueOK(); return v }
		out = append(out, &model.Guild{UUID: text("_id"), Name: text("name"), Prefix: text("prefix")})
	}
	return out, cursor.Err()
}

// Count counts the guilds of a list.
func (s *GuildStore) Count(ctx context.Context, l GuildList) (int, error) {
	return s.count(ctx, l.filter())
}

// Span sets the range of times of a list; the end is excluded.
func (l *GuildList) Span(from, to *time.Time) {
	if from != nil {
		l.Min = *from
	}
	if to != nil {
		l.Below = *to
	}
}

// named leaves out malformed guilds, which have no name.
func named(guilds []*model.Guild) []*model.Guild {
	return slices.DeleteFunc(guilds, func(g *model.Guild) bool { return g.Name == "" })
}
