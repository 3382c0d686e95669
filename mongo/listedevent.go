package mongo

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// MaxListedEvents is the most events read about a guild, player or character.
const MaxListedEvents = 100

// About reads the last events of some types in a span about guilds, players and characters, newest first, in the order
// of their uuids.
func (s *EventStore) About(ctx context.Context, types []model.EventType, span EventSpan, uuids []string,
) ([][]*model.Event, error) {
	about := make(map[string][]*model.Event, len(uuids))
	for _, uuid := range uuids {
		about[uuid] = nil
	}
	filter := append(bson.D{
		{Key: "subjects", Value: bson.D{{Key: "$in", Value: uuids}}},
		{Key: "type", Value: bson.D{{Key: "$in", Value: types}}},
	}, span.filter()...)
	limit := min(MaxListedEvents*len(uuids), maxRead)
	for read, more := 0, true; more; read += limit {
		found, err := conn.Find(ctx, s.db.Collection(Events), filter, conn.All[bson.Raw], options.Find().
			SetSort(bson.D{{Key: "at", Value: -1}, {Key: "_id", Value: -1}}).SetSkip(int64(read)).SetLimit(int64(limit)))
		if err != nil {
			return nil, err
		}
		for _, e := range s.decode(found) {
			for _, uuid := range model.ListedFor(e.Data) {
				if list, wanted := about[uuid]; wanted && len(list) < MaxListedEvents {
					about[uuid] = append(list, e)
				}
			}
		}
		more = len(found) == limit && slices.ContainsFunc(uuids, func(uuid string) bool {
			return len(about[uuid]) < MaxListedEvents
		})
	}
	return each(uuids, func(uuid string) []*model.Event { return about[uuid] }), nil
}
