package events

import (
	"slices"

	"gamedata/graph/model"
)

// Subjects select events by what they are about. An event matches a list if it names one of its entries, and an empty
// list in any case; it must match all lists.
type Subjects model.EventSubjects

// Match reports whether an event is about the subjects. What is hidden from a viewer must not decide: match the event
// as the viewer sees it.
func (s Subjects) Match(e *model.Event) bool {
	about := e.Subjects()
	return overlap(s.Players, about.Players) && overlap(s.Guilds, about.Guilds) &&
		overlap(s.Territories, about.Territories) && overlap(s.Worlds, about.Worlds) &&
		overlap(s.Leaderboards, about.Leaderboards)
}

func overlap(wanted, named []string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(named, func(n string) bool { return slices.Contains(wanted, n) })
}
