package events

import (
	"slices"

	"gamedata/graph/model"
)

// Subjects select events by what they are about. An event matches a list if it names one of its entries, and an empty
// list in any case; it must match all lists.
type Subjects struct {
	Players, Guilds []string // uuids
	Territories     []string // names
	Worlds          []string // such as EU37, of presence
	Leaderboards    []string // names
}

// Match reports whether an event is about the subjects. What is hidden from a viewer must not decide: match the event
// as the viewer sees it.
func (s Subjects) Match(e *model.Event) bool {
	about := SubjectsOf(e)
	return overlap(s.Players, about.Players) && overlap(s.Guilds, about.Guilds) &&
		overlap(s.Territories, about.Territories) && overlap(s.Worlds, about.Worlds) &&
		overlap(s.Leaderboards, about.Leaderboards)
}

func overlap(wanted, named []string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(named, func(n string) bool { return slices.Contains(wanted, n) })
}

// SubjectsOf returns what an event names.
func SubjectsOf(e *model.Event) Subjects {
	s := Subjects{Players: e.NamedPlayers()}
	switch d := e.Data.(type) {
	case *model.TerritoryCaptured:
		s.Territories = []string{d.Territory}
		for _, g := range []*model.EventGuild{d.From, d.To} {
			if g != nil {
				s.Guilds = append(s.Guilds, g.UUID)
			}
		}
	case *model.PlayerCameOnline:
		s.Guilds, s.Worlds = given(d.Guild), given(d.World)
	case *model.PlayerWentOffline:
		s.Guilds, s.Worlds = given(d.Guild), given(d.World)
	case *model.PlayerChangedWorld:
		s.Guilds, s.Worlds = given(d.Guild), given(d.From, d.To)
	case *model.GuildCreated:
		s.Guilds = []string{d.Guild.UUID}
	case *model.GuildLevelChanged:
		s.Guilds = []string{d.Guild}
	case *model.GuildMemberJoined:
		s.Guilds = []string{d.Guild}
	case *model.GuildMemberLeft:
		s.Guilds = []string{d.Guild}
	case *model.GuildMemberRankChanged:
		s.Guilds = []string{d.Guild}
	case *model.GuildDisbanded:
		s.Guilds = []string{d.Guild.UUID}
	case *model.WarFinished:
		s.Guilds = []string{d.Guild}
	case *model.RaidFinished:
		s.Guilds = given(d.Guild)
	case *model.LeaderboardsRefreshed:
		s.Leaderboards = d.Changed
	}
	return s
}

// given returns the texts that are not nil.
func given(texts ...*string) (out []string) {
	for _, t := range texts {
		if t != nil {
			out = append(out, *t)
		}
	}
	return out
}
