package loaders

import (
	"context"
	"strings"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// EventsKey selects the events of some types about a guild, player or character.
type EventsKey struct {
	UUID string
	eventList
}

// eventList is the types of events, joined by commas, so that keys can be compared, and their span.
type eventList struct {
	types string
	span  mongo.EventSpan
}

// EventsAbout returns the key for events of some types in a span.
func EventsAbout(uuid string, types []model.EventType, span mongo.EventSpan) EventsKey {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return EventsKey{uuid, eventList{strings.Join(names, ","), span}}
}

// eventsAbout reads events. Keys with the same types and span share one command.
func (s *Source) eventsAbout(ctx context.Context, keys []EventsKey) ([][]*model.Event, error) {
	return grouped(keys, func(k EventsKey) (list eventList, uuid string) { return k.eventList, k.UUID },
		func(l eventList, uuids []string) ([][]*model.Event, error) {
			var list []model.EventType
			for name := range strings.SplitSeq(l.types, ",") {
				list = append(list, model.EventType(name))
			}
			return s.store.Events.About(ctx, list, l.span, uuids)
		})
}
