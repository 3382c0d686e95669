package events

import (
	"slices"

	"gamedata/graph/model"
)

// Subjects select events by the things they name. An event must match every list: it names one of the entries, or the
// list is empty.
type Subjects model.EventSubjects

// Match reports whether an event is about the subjects. Pass the event as the viewer sees it: hidden fields must not
// decide.
func (s Subjects) Match(e *model.Event) bool {
	about := e.Subjects()
	return overlap(s.Players, about.Players) && overlap(s.Guilds, about.Guilds) &&
		overlap(s.Territories, about.Territories) && overlap(s.Worlds, about.Worlds) &&
		overlap(s.Leaderboards, about.Leaderboards)
}

func overlap(wanted, named []string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(named, func(n string) bool { return slices.Contains(wanted, n) })
}
