package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

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
	Range
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
	span := l.span()
	switch {
	case len(span) > 0:
	case l.Field == GuildWars:
		span = anyNumber
	case l.Field == GuildUpdated:
		span = anyTime
	default:
		return out
	}
	return append(out, bson.E{Key: string(l.Field), Value: span})
}

// Page reads a page of a list; the list sets the query's filter and order. With brief the guilds have only uuid, name
// and tag, which an index covers in the order of names.
func (s *GuildStore) Page(ctx context.Context, l GuildList, q PageQuery, brief bool) ([]*model.Guild, bool, error) {
	q.Filter, q.Order = l.filter(), l.Order()
	if brief { // there can be tens of thousands
		ctx, q.Projection = conn.WithLongTimeout(ctx), briefGuild
	}
	return findPageOf[model.Guild](ctx, s.db.Collection(Guilds), q)
}

var briefGuild = projection("_id", "name", "prefix")

// Count counts the guilds of a list.
func (s *GuildStore) Count(ctx context.Context, l GuildList) (int, error) {
	return s.count(ctx, l.filter())
}
