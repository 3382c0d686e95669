package seed

import "gamedata/graph/model"

// WorldEvents returns the world events, first the examples of docs/spec/wire-content.md. Some start so often
// that the next start is always known, two never do; the others have periods from an hour to a week.
func WorldEvents(o Options) []*model.WorldEvent {
	type event struct {
		model.WorldEvent
		Timetable *model.Timetable
	}
	list := readRecords[*event]("world-events.json")
	if o.country() {
		list = append(list, readRecords[*event]("country-events.json")...)
	}
	out := make([]*model.WorldEvent, 0, len(list))
	for _, e := range list {
		e.WorldEvent.Timetable = e.Timetable
		out = append(out, &e.WorldEvent)
	}
	return out
}
