package site

import (
	"strings"

	"gamedata/internal/web"
)

// competitionBody shows a competition.
type competitionBody struct {
	*CompetitionPage
	State   string // whether it runs, in words
	Running bool
}

// Span returns the days of the competition in words.
func (p *CompetitionPage) Span() string {
	return daysText(p.Competition.StartsAt, &p.Competition.EndsAt)
}

// Rows returns the standings of the page.
func (p *CompetitionPage) Rows() []CompetitionRow { return orEmpty(p.Competition.Standings).Nodes }

// Bar returns the gain as a percentage of the highest on the page.
func (p *CompetitionPage) Bar(r CompetitionRow) int {
	return percent(r.Gain.Gained, p.Rows()[0].Gain.Gained)
}

// Text returns the gain with its sign.
func (r CompetitionRow) Text() string { return gainText(r.Gain.Gained) }

func showCompetition(c *renderContext, data *CompetitionPage) *errorPage {
	of := data.Competition
	body := &competitionBody{CompetitionPage: data}
	switch now := c.site.o.Now(); {
	case now.Before(of.StartsAt):
		body.State = "It has not begun yet."
	case now.Before(of.EndsAt):
		body.State, body.Running = "It is running: the standings refresh every minute.", true
	default:
		body.State = "It is over: these are the final standings."
	}
	c.setCanonical(web.Path("competitions", of.Key))
	return c.show(of.Name, "Who gained most: "+strings.ToLower(web.Label(of.Metric))+", "+body.Span()+".", body)
}
