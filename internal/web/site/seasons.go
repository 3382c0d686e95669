package site

import (
	"fmt"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

// seasonSpans are the lengths of the race of a season.
var seasonSpans = spans{"all", time.Hour, []span{
	{"1", "Last day", day, "HOUR"},
	{"7", "Last 7 days", 7 * day, "HOUR"},
	{"all", "Whole season", 0, "DAY"},
}}

func showSeasons(c *renderContext, data *SeasonsPage) *errorPage {
	if data.All == nil {
		return newErrorPage(graph.ErrUnavailable)
	}
	if len(data.GuildSeasons.Nodes) == 0 && c.Value("season") != "" {
		return newErrorPage(graph.ErrNotFound)
	}
	slices.Reverse(data.All.Nodes)
	title, description := "Seasons", "The seasons of the guilds: ratings over time, dates and leaderboards."
	for _, s := range data.GuildSeasons.Nodes { // one at most
		from, until, step := c.from(), c.site.o.Now(), intervals[c.variable("interval")]
		if from.Before(s.StartsAt) {
			from = s.StartsAt
		}
		if s.EndsAt != nil && s.EndsAt.Before(until) {
			until = *s.EndsAt
		}
		var all []series
		for _, h := range s.History {
			if h.Guild == nil {
				continue
			}
			for _, r := range h.Guild.SeasonResults {
				if r.SeasonNumber == s.Number && len(h.Points) > 0 {
					h.Points = untilNow(h.Points, until, step, float64(r.Rating))
				}
			}
			all = append(all, series{
				Name: h.Guild.Name, Path: web.Path("guilds", h.Guild.Name), Colour: h.Guild.Colour, Points: h.Points,
			})
		}
		c.addChart(&chart{
			ID: "race-chart", Title: fmt.Sprintf("Season %d: rating of the first %d guilds", s.Number, len(all)),
			Unit: "season rating", Line: growth, Interval: step, From: from, To: until,
			Empty:   "No rating was recorded in this time.",
			Choices: []choiceLinks{c.chooseSpan(seasonSpans, "race")}, Console: c.Console,
		}, all)
		title = fmt.Sprintf("Season %d", s.Number)
		description = title + " of the guilds: how the ratings of the leading ones changed."
	}
	return c.show(title, description, data)
}
