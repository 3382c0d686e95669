package site

import (
	"cmp"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"gamedata/graph"
	"gamedata/graph/model"
)

// playersParameter has the players of a comparison: uuids or usernames. The page finds the first username and redirects
// to the address with the uuid in its place, until all are uuids.
const playersParameter = "players"

type playerComparison struct {
	Players []comparedPlayer
	Rows    comparedRows
	CanAdd  bool // one more player
	Private []string
	Unknown int // uuids that no player has
	// Missing is a username that no player has, and Others the path of the comparison of the others, if there are any.
	Missing, Others string
}

type comparedPlayer struct {
	ComparedPlayer
	Without string // path of the comparison without them
}

// firstName returns the first of some players that is not a uuid, empty if all are.
func firstName(players []string) string {
	for _, p := range players {
		if !isUUID(p) {
			return p
		}
	}
	return ""
}

// playersToCompare makes variables of the players in the address, and reports too many.
func playersToCompare(_ time.Time, given url.Values) *graph.Error {
	players := comparedNames(given[playersParameter])
	if len(players) > maxCompared {
		return graph.Errorf(graph.InvalidQueryParams, "Compare at most %d players.", maxCompared)
	}
	given.Del("name")
	if name := firstName(players); utf8.RuneCountInString(name) > maxSearchTerm {
		return graph.Errorf(graph.InvalidQueryParams, "A name has at most %d characters.", maxSearchTerm)
	} else if name != "" {
		given.Set("name", name)
	}
	given.Del("uuids")
	if uuids := without(players, func(p string) bool { return !isUUID(p) }); len(uuids) > 0 {
		given["uuids"] = uuids
	}
	return nil
}

func comparePlayersPath(players []string) string {
	return comparisonPath("/players/compare", playersParameter, players)
}

func showComparePlayers(c *renderContext, data *ComparePlayersPage) *graph.Error {
	compared := comparedNames(c.query[playersParameter])
	name := firstName(compared)
	// with returns the path with a player in the place of the name.
	with := func(uuid string) string {
		list := slices.Clone(compared)
		list[slices.Index(list, name)] = uuid
		return comparePlayersPath(list)
	}
	switch {
	case name == "":
	case data.Named != nil:
		c.location = with(data.Named.UUID)
		return nil
	case len(c.errors) > 0:
		bad := graph.ErrorOf(c.errors[0])
		if bad.Code != graph.MultipleObjectsReturned {
			return bad
		}
		e := newErrorPage(bad)
		for i := range e.Candidates {
			e.Candidates[i].Path = with(e.Candidates[i].UUID)
		}
		c.instead = &e
		return nil
	}
	out := newPlayerComparison(data.Players.Nodes, compared)
	out.Missing = name
	if name != "" && len(compared) > 1 {
		out.Others = comparePlayersPath(without(compared, func(other string) bool { return other == name }))
	}
	c.NoIndex, c.REST = true, ""
	return c.show("Compare players", "Players beside each other: levels, playtime and what they have completed.", out)
}

// newPlayerComparison compares players in the order of the address.
func newPlayerComparison(players []ComparedPlayer, compared []string) *playerComparison {
	out := &playerComparison{CanAdd: len(compared) < maxCompared}
	place := map[string]int{}
	for i, p := range compared {
		if uuid, ok := model.ParseUUID(p); ok {
			place[uuid] = i
		}
	}
	out.Unknown = len(place) - len(players)
	slices.SortFunc(players, func(a, b ComparedPlayer) int { return cmp.Compare(place[a.UUID], place[b.UUID]) })
	for _, p := range players {
		others := without(compared, func(other string) bool {
			uuid, _ := model.ParseUUID(other)
			return uuid == p.UUID
		})
		out.Players = append(out.Players, comparedPlayer{p, comparePlayersPath(others)})
		if p.Restricted {
			out.Private = append(out.Private, p.Username)
		}
	}
	if len(out.Players) > 0 {
		out.compare()
	}
	return out
}

// compare sets the rows: the guild, the playtime, then the totals.
func (v *playerComparison) compare() {
	var guilds []string
	for _, p := range v.Players {
		guild := "–"
		if p.GuildMembership != nil {
			guild = p.GuildMembership.GuildPrefix
		}
		guilds = append(guilds, guild)
	}
	v.Rows.addTexts("Guild", guilds...)
	v.Rows.add("Playtime in hours", valuesOf(v.Players, func(p comparedPlayer) *int64 {
		if p.Playtime == nil {
			return nil
		}
		return new(int64(*p.Playtime))
	}), false)
	for _, c := range model.PlayerCounters {
		v.Rows.add(c.Label, valuesOf(v.Players, func(p comparedPlayer) *int64 {
			n, ok := c.Value(p.Totals)
			if !ok {
				return nil
			}
			return &n
		}), false)
	}
}
