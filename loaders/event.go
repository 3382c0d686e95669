package loaders

import (
	"context"
	"strings"

	"gamedata/graph/model"
)

// EventsKey selects the events of some types about a guild, player or character.
type EventsKey struct {
	UUID  string
	types string // joined by commas, so that keys can be compared
}

// EventsAbout returns the key for events of some types.
func EventsAbout(uuid string, types []model.EventType) EventsKey {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return EventsKey{uuid, strings.Join(names, ",")}
}

// eventsAbout reads events. Keys with the same types share one command.
func (s *Source) eventsAbout(ctx context.Context, keys []EventsKey) ([][]*model.Event, error) {
	return grouped(keys, func(k EventsKey) (types, uuid string) { return k.types, k.UUID },
		func(types string, uuids []string) ([][]*model.Event, error) {
			var list []model.EventType
			for name := range strings.SplitSeq(types, ",") {
				list = append(list, model.EventType(name))
			}
			return s.store.Events.About(ctx, list, uuids)
		})
}
