package site

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/web"
)

type worldsBody struct {
	*WorldsPage
	Worlds []*world
	At     string // when the latest numbers were recorded
}

type world struct {
	Name                  string
	Latest, Average, Peak int64
	Chosen                bool
	Path                  string // of the page with the world added to the chart, or removed
	Line                  string // the drawing
	points                []model.HistoryPoint
}

// worldParameter names the worlds in the chart, and allWorlds the total of all.
const (
	worldParameter = "world"
	allWorlds      = "All worlds"
)

// worldSpans are the lengths of the history of worlds.
var worldSpans = spans{"1", 10 * time.Minute, []span{
	{"1", "1 day", day, "TEN_MINUTES"},
	{"7", "7 days", 7 * day, "HOUR"},
	{"30", "30 days", 30 * day, "DAY"},
	{"90", "90 days", 90 * day, "DAY"},
}}

// worldOrders maps the values of the parameter sort to comparisons of worlds.
var worldOrders = map[string]func(a, b *world) int{
	"NAME":    func(a, b *world) int { return cmp.Compare(a.Name, b.Name) },
	"LATEST":  func(a, b *world) int { return cmp.Compare(a.Latest, b.Latest) },
	"AVERAGE": func(a, b *world) int { return cmp.Compare(a.Average, b.Average) },
	"PEAK":    func(a, b *world) int { return cmp.Compare(a.Peak, b.Peak) },
}

// worldsOf returns the worlds of a history by name, each with a small chart, and the total over all worlds.
func worldsOf(data *WorldsPage, shown chart) (worlds []*world, all series) {
	total := map[time.Time]float64{}
	for _, h := range data.WorldHistory {
		w := &world{Name: h.World, points: h.Points}
		mean, drawing := 0.0, shown
		for _, p := range h.Points {
			total[p.At] += p.Value
			mean += p.Value / float64(len(h.Points))
			w.Peak, w.Latest = max(w.Peak, int64(math.Round(p.Value))), int64(math.Round(p.Value))
		}
		w.Average = int64(math.Round(mean))
		drawing.draw([]series{{Points: h.Points}})
		for _, s := range drawing.Series {
			w.Line = s.Line
		}
		worlds = append(worlds, w)
	}
	all.Name = allWorlds
	for _, at := range slices.SortedFunc(maps.Keys(total), time.Time.Compare) {
		all.Points = append(all.Points, model.HistoryPoint{At: at, Value: total[at]})
	}
	return worlds, all
}

func showWorlds(c *renderContext, data *WorldsPage) *errorPage {
	now := c.site.o.Now().UTC().Truncate(time.Minute)
	shown := chart{
		ID: "worlds-chart", Title: "Players online", Unit: "players", Interval: intervals[c.variable("interval")],
		From: c.from(), To: now,
		Empty:   "Nothing was recorded in this time.",
		Choices: []choiceLinks{c.chooseSpan(worldSpans, "main")}, Console: c.Console,
	}
	worlds, total := worldsOf(data, shown)
	body := &worldsBody{WorldsPage: data, Worlds: worlds}
	chosen := c.query[worldParameter]
	var lines []series
	if last := len(total.Points) - 1; last >= 0 {
		body.At = web.Moment(total.Points[last].At)
	}
	if len(chosen) == 0 && body.At != "" { // next to the total, lines of single worlds look flat
		total.Points = append(total.Points, model.HistoryPoint{At: now, Value: float64(data.OnlinePlayers.OnlineCount)})
		lines = append(lines, total)
	}
	for _, w := range worlds {
		others := slices.DeleteFunc(slices.Clone(chosen), func(name string) bool { return name == w.Name })
		w.Chosen = len(others) < len(chosen)
		if !w.Chosen {
			others = append(others, w.Name)
		}
		w.Path = c.linkWith(worldParameter, others)
		if w.Chosen {
			lines = append(lines, series{Name: w.Name, Points: w.points})
		}
	}
	c.addChart(&shown, lines)
	if worldOrders[c.Value("sort")] == nil {
		c.query.Set("sort", "AVERAGE")
		c.query.Set("direction", "DESC")
	}
	slices.SortStableFunc(worlds, worldOrders[c.Value("sort")])
	if c.Value("direction") == "DESC" {
		slices.Reverse(worlds)
	}
	return c.show("Worlds", "How many players are online on each world, now and over time.", body)
}
