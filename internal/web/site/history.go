package site

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
)

// Values of the parameter metric on the pages of players and guilds, the default first.
var (
	playerMetrics = metricsOfPlayers()
	guildMetrics  = []string{"LEVEL", "MEMBERS", "TERRITORIES", "CAPTURED", "LOST", "SEASON_RATING", "WARS", "GUILD_RAIDS"}
)

func metricsOfPlayers() []string {
	var out []string
	for _, c := range model.PlayerCounters { // the first is the level
		if c.Metric != "" {
			out = append(out, string(c.Metric))
		}
	}
	out = append(out, string(model.HistoryMetricContributed))
	return slices.Insert(out, 1, string(model.HistoryMetricPlaytime))
}

// recentParameter is the variable for the beginning of the lines beside numbers; no address sets it.
const recentParameter = "recentFrom"

// historySpan checks the metric and sets the beginning of its history.
func historySpan(metrics []string) func(time.Time, url.Values) *graph.Error {
	return func(now time.Time, given url.Values) *graph.Error {
		if m := given.Get("metric"); m != "" && !slices.Contains(metrics, m) {
			return noSuch("metric")
		}
		given.Set(recentParameter, now.UTC().Truncate(day).Add(-30*day).Format(time.RFC3339))
		return historySpans.begin(now, given)
	}
}

// lineOf returns how the values of a metric are joined: all but numbers that fall too are sums.
func lineOf(metric string) lineKind {
	if metric == string(model.HistoryMetricMembers) || metric == string(model.HistoryMetricTerritories) {
		return steps
	}
	return growth
}

// unitNames names the units of metrics.
var unitNames = map[string]string{
	"HOURS": "hours", "LEVELS": "levels", "RATING": "season rating", "EXPERIENCE": "experience",
}

// historyChart adds the chart of the chosen metric, by default the first one, up to the present value. query is an
// operation that returns only the data of the chart.
func (c *renderContext) historyChart(h *HistorySeries, metrics []string, present []Gained, query string) {
	chosen := cmp.Or(c.Value("metric"), metrics[0])
	var options []option
	for _, m := range metrics {
		options = append(options, option{Value: m, Text: metricLabel(m)})
	}
	out := &chart{
		ID: "history-chart", Title: metricLabel(chosen), Unit: strings.ToLower(metricLabel(chosen)),
		Empty: "Nothing was recorded in this time.", Line: lineOf(chosen), Interval: day,
		Choices: []choiceLinks{
			c.choose("Metric", "metric", metrics[0], "history", options), c.chooseSpan(historySpans, "history"),
		},
		Console: c.site.consoleLink(query, c.variables),
	}
	h = orEmpty(h)
	out.From, out.To = h.From, h.To
	if out.Line == growth {
		out.From = h.From.Add(day) // the end of the first day
	}
	var lines []series // one at most
	for _, s := range h.Series {
		out.Unit = cmp.Or(unitNames[s.Unit], out.Unit)
		for _, g := range present {
			if g.Metric == s.Metric {
				s.Points = untilNow(s.Points, h.To, day, g.EndValue)
			}
		}
		lines = append(lines, series{Name: metricLabel(s.Metric), Points: s.Points})
	}
	c.addChart(out, lines)
}
