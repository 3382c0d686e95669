package site

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

// seasonsPage shows a season as a race, and links to all.
type seasonsPage struct {
	Season *seasonRace
	All    []season
	Chart  *chart
	Now    time.Time
}

// seasonRace is a season and the ratings of its leading guilds over time.
type seasonRace struct {
	season
	TerritoryHoldingSrPerHour, SrPerWar int64
	Leaderboard                         *struct {
		Type  string
		Count int64
	}
	History []struct {
		Guild  *struct{ Name, Prefix, UUID string }
		Points []historyPoint
	}
}

// seasonSpans are the lengths of the race, with the time between two points.
var seasonSpans = []struct {
	days, text, interval string
	length               time.Duration
}{
	{"1", "Last day", "HOUR", day},
	{"7", "Last 7 days", "HOUR", 7 * day},
	{"all", "Whole season", "DAY", 0},
}

// seasonSpan sets from and interval; the whole season has no `from`.
func seasonSpan(now time.Time, given url.Values) *graph.Error {
	chosen := cmp.Or(given.Get(daysParameter), "all")
	for _, s := range seasonSpans {
		if s.days != chosen {
			continue
		}
		if given.Set("interval", s.interval); s.length > 0 {
			given.Set("from", now.UTC().Truncate(time.Hour).Add(-s.length).Format(time.RFC3339))
		}
		return checkFormat(given)
	}
	return errDays
}

func showSeasons(c *renderContext) *graph.Error {
	var data struct {
		GuildSeasons *struct{ Nodes []*seasonRace }
		All          *struct{ Nodes []season }
	}
	if bad := c.read(&data); bad != nil {
		return bad
	}
	if data.GuildSeasons == nil || data.All == nil {
		return graph.ErrUnavailable
	}
	if len(data.GuildSeasons.Nodes) == 0 && c.Value("season") != "" {
		return graph.ErrNotFound
	}
	out := &seasonsPage{All: data.All.Nodes, Now: c.site.o.Now()}
	slices.Reverse(out.All)
	title, description := "Seasons", "The seasons of the guilds: ratings over time, dates and leaderboards."
	if len(data.GuildSeasons.Nodes) > 0 {
		out.Season = data.GuildSeasons.Nodes[0]
		out.Chart = c.raceChart(out.Season)
		title = fmt.Sprintf("Season %d", out.Season.Number)
		description = title + " of the guilds: how the ratings of the leading ones changed."
	}
	return c.show(title, description, out)
}

func (c *renderContext) raceChart(s *seasonRace) *chart {
	var options []option
	for _, o := range seasonSpans {
		options = append(options, option{Value: o.days, Text: o.text})
	}
	out := &chart{
		ID: "race-chart", Title: fmt.Sprintf("Season %d: rating of the leading guilds", s.Number),
		Unit: "season rating", Step: true,
		Empty:   "No rating was recorded in this time.",
		Choices: []choiceLinks{c.choose("Time", daysParameter, "all", "race", options)},
		CSV:     c.Link(formatParameter, "csv"), Console: c.Console,
	}
	var all []series
	for _, h := range s.History {
		if h.Guild != nil {
			all = append(all, series{
				Name: h.Guild.Name, Path: web.Path("guilds", h.Guild.Name), Colour: web.Colour(h.Guild.UUID),
				Points: h.Points,
			})
		}
	}
	out.draw(all)
	return c.addChart(out)
}
