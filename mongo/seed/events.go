package seed

import "gamedata/graph/model"

// WorldEvents returns the world events, first the examples of docs/spec/wire-content.md. Two start so often
// that the next start is always known, two never do; the others have periods from an hour to a week.
func WorldEvents() []*model.WorldEvent {
	var out []*model.WorldEvent
	for _, e := range readRecords[*struct {
		model.WorldEvent
		Timetable *model.Timetable
	}]("world-events.json") {
		e.WorldEvent.Timetable = e.Timetable
		out = append(out, &e.WorldEvent)
	}
	return out
}
