package site

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gamedata/graph"
	"gamedata/graph/model"
)

// firstName returns the first entry that is not a uuid, empty if all are uuids.
func firstName(players []string) string {
	for _, p := range players {
		if !isUUID(p) {
			return p
		}
	}
	return ""
}

func comparePlayers(_ time.Time, given url.Values) *graph.Error {
	if bad := splitCompared(playersParameter, given); bad != nil {
		return bad
	}
	players := given[playersParameter]
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

func showComparePlayers(c *renderContext, data *ComparePlayersPage) *errorPage {
	keys := comparedKeys(c.query[playersParameter])
	name := firstName(keys)
	// with returns the path with the name replaced by a player.
	with := func(uuid string) string {
		list := slices.Clone(keys)
		list[slices.Index(list, name)] = uuid
		return comparisonPath(playersParameter, list)
	}
	out := newPlayerComparison(keys, data.Players.Nodes)
	switch {
	case name == "":
	case data.Named != nil:
		c.location = with(data.Named.UUID)
	case len(c.errors) > 0:
		e := newErrorPage(graph.ErrorOf(c.errors[0]))
		for i := range e.Candidates {
			e.Candidates[i].Path = with(e.Candidates[i].UUID)
		}
		return e
	default:
		out.notice("No player named “%s”.", name)
		if len(keys) > 1 {
			out.Others = comparisonPath(playersParameter, without(keys, func(key string) bool { return key == name }))
		}
	}
	c.NoIndex = true
	return c.show("Compare players", "Players beside each other: levels, playtime and what they have completed.", out)
}

func newPlayerComparison(keys []string, players []ComparedPlayer) *comparison {
	out := newComparison(playersParameter, keys, players, func(p ComparedPlayer) comparedColumn {
		return comparedColumn{Key: p.UUID, Name: p.Username, UUID: p.UUID}
	})
	out.missing(len(without(keys, func(key string) bool { return !isUUID(key) })))
	var private []string
	for _, p := range players {
		if p.Restricted {
			private = append(private, p.Username)
		}
	}
	if private != nil {
		out.notice("These players keep their statistics private: %s.", strings.Join(private, ", "))
	}
	if len(players) == 0 {
		return out
	}
	addTexts(out, "Guild", players, func(p ComparedPlayer) string {
		if p.GuildMembership == nil {
			return "–"
		}
		return p.GuildMembership.GuildPrefix
	})
	out.addMetric("Playtime in hours", model.HistoryMetricPlaytime, players, func(p ComparedPlayer) *int64 {
		if p.Playtime == nil {
			return nil
		}
		return new(int64(*p.Playtime))
	})
	for _, counter := range model.PlayerCounters {
		out.addMetric(counter.Label, counter.Metric, players, func(p ComparedPlayer) *int64 {
			n, ok := counter.Value(p.Totals)
			if !ok {
				return nil
			}
			return &n
		})
	}
	return out
}

// addMetric adds a row of numbers with this week's gains.
func (v *comparison) addMetric(name string, metric model.HistoryMetric, players []ComparedPlayer,
	number func(ComparedPlayer) *int64,
) {
	rows := len(v.Rows)
	v.addRow(name, false, numbers(players, number))
	for _, row := range v.Rows[rows:] {
		for i, p := range players {
			if w := weekOf(string(metric), p.ThisWeek, nil); w != nil && w.Text != "0" {
				row.Cells[i].Note = w.Text
			}
		}
	}
}
