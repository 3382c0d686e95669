package site

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"gamedata/graph/model"
)

type worldsBody struct {
	*WorldsPage
	Worlds []*world
}

type world struct {
	Name                  string
	Latest, Average, Peak string
	Chosen                bool
	Path                  string // of the page with the world in the chart, or without it
	points                []model.HistoryPoint
	mean                  float64
}

// worldParameter names the worlds in the chart, and allWorlds the total of all.
const (
	worldParameter = "world"
	allWorlds      = "All worlds"
	// shownWorlds is how many worlds the chart shows if none is chosen.
	shownWorlds = 4
)

// worldSpans are the lengths of the history of worlds.
var worldSpans = spans{"1", 10 * time.Minute, []span{
	{"1", "1 day", day, "TEN_MINUTES"},
	{"7", "7 days", 7 * day, "HOUR"},
	{"30", "30 days", 30 * day, "DAY"},
	{"90", "90 days", 90 * day, "DAY"},
}}

// worldsOf returns the worlds of a history, the one with the most players first, and the total of all.
func worldsOf(data *WorldsPage) (worlds []*world, all series) {
	total := map[time.Time]float64{}
	for _, h := range data.WorldHistory {
		w := &world{Name: h.World, points: h.Points}
		peak := 0.0
		for _, p := range h.Points {
			total[p.At] += p.Value
			w.mean += p.Value / float64(len(h.Points))
			peak = max(peak, p.Value)
			w.Latest = amount(math.Round(p.Value))
		}
		w.Average, w.Peak = amount(math.Round(w.mean)), amount(math.Round(peak))
		worlds = append(worlds, w)
	}
	slices.SortStableFunc(worlds, func(a, b *world) int { return cmp.Compare(b.mean, a.mean) })
	all.Name = allWorlds
	for _, at := range slices.SortedFunc(maps.Keys(total), time.Time.Compare) {
		all.Points = append(all.Points, model.HistoryPoint{At: at, Value: total[at]})
	}
	return worlds, all
}

func showWorlds(c *renderContext, data *WorldsPage) *errorPage {
	worlds, total := worldsOf(data)
	chosen := c.query[worldParameter]
	var lines []series
	if len(chosen) == 0 { // lines of single worlds are flat beside the total
		lines = append(lines, total)
	}
	for i, w := range worlds {
		others := slices.DeleteFunc(slices.Clone(chosen), func(name string) bool { return name == w.Name })
		w.Chosen = len(others) < len(chosen)
		if !w.Chosen {
			others = append(others, w.Name)
		}
		w.Path = c.linkWith(worldParameter, others)
		if w.Chosen || len(chosen) == 0 && i < shownWorlds {
			lines = append(lines, series{Name: w.Name, Points: w.points})
		}
	}
	c.addChart(&chart{
		ID: "worlds-chart", Title: "Players online", Unit: "players",
		Empty:   "Nothing was recorded in this time.",
		Choices: []choiceLinks{c.chooseSpan(worldSpans, "main")}, Console: c.Console,
	}, lines)
	return c.show("Worlds", "How many players are online on each world, now and over time.", &worldsBody{data, worlds})
}
