package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// The orders of lists of players. An order or filter by a field that players can hide includes only players who share
// it with everyone.
const (
	ByUsername   = "nameFold"
	ByUUID       = ""
	ByLastJoin   = "lastJoin"
	ByTotalLevel = "globalData.totalLevel"
	ByUpdated    = UpdatedField
)

// PlayerList is a list of players in the store, in the order of a field. An index serves it.
type PlayerList struct {
	Order  Order
	Prefix string // a folded prefix of the name
	Range
}

func (l PlayerList) filter() bson.D {
	field := l.Order.Field
	switch field {
	case ByUUID:
		return bson.D{}
	case ByUsername:
		if l.Prefix == "" {
			return bson.D{}
		}
		return hasPrefix(field, l.Prefix)
	}
	span := l.span()
	switch {
	case len(span) > 0:
	case field == ByTotalLevel:
		span = anyNumber
	default:
		span = anyTime
	}
	filter := bson.D{{Key: field, Value: span}}
	for _, rule := range model.RulesOf(field) {
		public := bson.A{string(model.Public), "", nil}
		filter = append(filter, bson.E{Key: "rules." + rule.Info().Key, Value: bson.D{{Key: "$in", Value: public}}})
	}
	return filter
}

// Page reads a page of a list of players. The list sets the query's filter and order.
func (s *PlayerStore) Page(ctx context.Context, l PlayerList, q PageQuery) ([]*model.Player, bool, error) {
	q.Filter, q.Order = l.filter(), l.Order
	return findPageOf[model.Player](ctx, s.db.Collection(Players), q)
}

// Count returns the number of players of a list; nil if there are more than MaxCount, or than MaxRecordCount if players
// can hide the list's field.
func (s *PlayerStore) Count(ctx context.Context, l PlayerList) (*int, error) {
	filter := l.filter()
	switch len(filter) {
	case 0:
		n, err := s.EstimateCount(ctx)
		return new(int(n)), err
	case 1:
		return countUpTo(ctx, s.db.Collection(Players), filter, MaxCount)
	}
	return countUpTo(ctx, s.db.Collection(Players), filter, MaxRecordCount)
}
