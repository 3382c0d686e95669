package site

import (
	"cmp"
	"maps"
	"math"
	"net/url"
	"slices"
	"time"

	"gamedata/graph"
)

// worldsPage shows the players online by world.
type worldsPage struct {
	Online *int64
	Worlds []world
	Chart  *chart
}

type world struct {
	Name                  string
	Latest, Average, Peak string
	Chosen                bool
	Path                  string // of the page with the world in the chart, or without it
	points                []historyPoint
	mean                  float64
}

// worldParameter names the worlds in the chart, and allWorlds the total of all.
const (
	worldParameter = "world"
	allWorlds      = "All worlds"
	// shownWorlds is how many worlds the chart shows if none is chosen.
	shownWorlds = 4
)

// worldSpans are the lengths of the history of worlds, with the time between two points.
var worldSpans = []struct {
	days, text, interval string
	length               time.Duration
}{
	{"1", "1 day", "TEN_MINUTES", day},
	{"7", "7 days", "HOUR", 7 * day},
	{"30", "30 days", "DAY", 30 * day},
	{"90", "90 days", "DAY", 90 * day},
}

// worldSpan sets from and interval, the beginning of a history of some days and the time between its points.
func worldSpan(now time.Time, given url.Values) *graph.Error {
	chosen := cmp.Or(given.Get(daysParameter), "1")
	for _, s := range worldSpans {
		if s.days == chosen {
			given.Set("from", now.UTC().Truncate(10*time.Minute).Add(-s.length).Format(time.RFC3339))
			given.Set("interval", s.interval)
			return checkFormat(given)
		}
	}
	return errDays
}

func showWorlds(c *renderContext) *graph.Error {
	var data struct {
		WorldHistory []struct {
			World  string
			Points []historyPoint
		}
		OnlinePlayers *struct{ OnlineCount int64 }
	}
	if bad := c.read(&data); bad != nil {
		return bad
	}
	var worlds []*world
	total := map[time.Time]float64{}
	for _, h := range data.WorldHistory {
		w := &world{Name: h.World, points: h.Points}
		peak := 0.0
		for _, p := range h.Points {
			total[p.At] += p.Value
			w.mean += p.Value / float64(len(h.Points))
			peak = max(peak, p.Value)
		}
		w.Average, w.Peak = amount(math.Round(w.mean)), amount(math.Round(peak))
		if n := len(h.Points); n > 0 {
			w.Latest = amount(math.Round(h.Points[n-1].Value))
		}
		worlds = append(worlds, w)
	}
	out := &worldsPage{}
	if data.OnlinePlayers != nil {
		out.Online = &data.OnlinePlayers.OnlineCount
	}
	slices.SortStableFunc(worlds, func(a, b *world) int { return cmp.Compare(b.mean, a.mean) })
	chosen := c.query[worldParameter]
	for _, w := range worlds {
		if w.Chosen = slices.Contains(chosen, w.Name); w.Chosen {
			w.Path = c.linkWith(worldParameter, slices.DeleteFunc(slices.Clone(chosen), func(s string) bool {
				return s == w.Name
			}))
		} else {
			w.Path = c.linkWith(worldParameter, append(slices.Clone(chosen), w.Name))
		}
		out.Worlds = append(out.Worlds, *w)
	}
	all := []series{{Name: allWorlds}}
	for _, at := range slices.SortedFunc(maps.Keys(total), time.Time.Compare) {
		all[0].Points = append(all[0].Points, historyPoint{at, total[at]})
	}
	for i, w := range out.Worlds {
		if w.Chosen || len(chosen) == 0 && i < shownWorlds {
			all = append(all, series{Name: w.Name, Points: w.points})
		}
	}
	if len(chosen) > 0 { // lines of single worlds are flat beside the total
		all = all[1:]
	}
	var options []option
	for _, s := range worldSpans {
		options = append(options, option{Value: s.days, Text: s.text})
	}
	out.Chart = &chart{
		ID: "worlds-chart", Title: "Players online", Unit: "players",
		Empty:   "Nothing was recorded in this time.",
		Choices: []choiceLinks{c.choose("Time", daysParameter, "1", "main", options)},
		CSV:     c.Link(formatParameter, "csv"), Console: c.Console,
	}
	out.Chart.draw(all)
	c.addChart(out.Chart)
	c.REST = ""
	return c.show("Worlds", "How many players are online on each world, now and over time.", out)
}
