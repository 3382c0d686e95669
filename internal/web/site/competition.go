package site

import (
	"strings"

	"gamedata/graph"
	"gamedata/internal/web"
)

// competitionBody shows a competition.
type competitionBody struct {
	*CompetitionPage
	Span    string
	State   string // whether it runs, in words
	Running bool
	Rows    []competitionLine
}

type competitionLine struct {
	CompetitionRow
	Start, End, Text string

	Bar int // the gain as percentage of the highest on the page
}

// Metric is the metric in words.
func (b *competitionBody) Metric() string { return strings.ToLower(web.Label(b.Competition.Metric)) }

func showCompetition(c *renderContext, data *CompetitionPage) *graph.Error {
	of := data.Competition
	body := &competitionBody{CompetitionPage: data, Span: daysText(of.StartsAt, &of.EndsAt)}
	switch now := c.site.o.Now(); {
	case now.Before(of.StartsAt):
		body.State = "It has not begun yet."
	case now.Before(of.EndsAt):
		body.State, body.Running = "It is running: the standings refresh every minute.", true
	default:
		body.State = "It is over: these are the final standings."
	}
	standings := orEmpty(of.Standings).Nodes
	for _, s := range standings {
		line := competitionLine{
			CompetitionRow: s, Start: web.Number(int64(s.Gain.StartValue)), End: web.Number(int64(s.Gain.EndValue)),
			Text: gainText(s.Gain.Gained),
		}
		if s.Gain.Gained > 0 {
			line.Bar = int(max(1, 100*s.Gain.Gained/standings[0].Gain.Gained))
		}
		body.Rows = append(body.Rows, line)
	}
	c.setCanonical(web.Path("competitions", of.Key))
	return c.show(of.Name, "Who gained most: "+body.Metric()+", "+body.Span+".", body)
}
