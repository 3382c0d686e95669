package site

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/web"
)

// Parameters of the boards of gains.
const (
	kindParameter   = "kind"
	metricParameter = "metric"
	periodParameter = "period"
	atParameter     = "at"
)

// gainBoardBody shows a board of gains, or that there is none.
type gainBoardBody struct {
	*GainBoardPage
	Choices []choiceLinks
	Metrics []option
	Page    string   // address of the page
	Hidden  []string // parameters that the form of the metric sends too
}

// Rows are the entries of the page, none without a board.
func (p *GainBoardPage) Rows() []GainBoardRow {
	return orEmpty(orEmpty(p.GainBoard).Entries).Nodes
}

// Bar is the gain as percentage of the highest on the page.
func (p *GainBoardPage) Bar(e GainBoardRow) int { return percent(e.Gained, p.Rows()[0].Gained) }

// Span are the days of the board.
func (p *GainBoardPage) Span() string {
	if p.GainBoard == nil {
		return ""
	}
	return daysText(p.GainBoard.StartedAt, p.GainBoard.EndsAt)
}

// Text is the gain with its sign.
func (e GainBoardRow) Text() string { return gainText(e.Gained) }

// UUID is the uuid of the player or guild.
func (e GainBoardRow) UUID() *string {
	if e.Guild != nil {
		return &e.Guild.UUID
	}
	return &orEmpty(e.Player).UUID
}

// Name is the name of the player or guild, or says that it is hidden.
func (e GainBoardRow) Name() string {
	switch {
	case e.Guild != nil:
		return e.Guild.Name
	case e.Player != nil:
		return e.Player.Username
	}
	return "hidden by the player"
}

// Movement is how many positions the entry climbed since the period before; nil if it had none among the first.
func (e GainBoardRow) Movement() *int64 {
	if e.PreviousPosition == nil {
		return nil
	}
	return new(*e.PreviousPosition - e.Position)
}

// Direction is the CSS class of the change.
func (e GainBoardRow) Direction() string { return direction(e.Movement()) }

// Change is the change in words.
func (e GainBoardRow) Change() string { return changeText(e.Direction(), e.Movement()) }

// gainBoardValues drops a metric that the chosen kind does not have: links to the other kind have it.
func gainBoardValues(_ time.Time, given url.Values) *graph.Error {
	if !slices.Contains(gainBoardMetrics(given.Get(kindParameter)), given.Get(metricParameter)) {
		given.Del(metricParameter)
	}
	if bad := checkFormat(given); bad != nil {
		return bad
	}
	if at := given.Get(atParameter); at != "" {
		if _, err := time.Parse(time.DateOnly, at); err != nil {
			return graph.Errorf(graph.InvalidQueryParams, "Enter a day such as 2026-03-20 for at.")
		}
		given.Set(atParameter, at+"T00:00:00Z")
	}
	return nil
}

func gainBoardMetrics(kind string) []string {
	if kind == string(model.GainBoardKindGuild) {
		return guildMetrics
	}
	return playerMetrics
}

func showGainBoard(c *renderContext, data *GainBoardPage) *errorPage {
	if len(c.errors) > 0 { // a time without a board is none
		return newErrorPage(graph.ErrorOf(c.errors[0]))
	}
	metrics := gainBoardMetrics(c.Value(kindParameter))
	metric := c.Value(metricParameter)
	if !slices.Contains(metrics, metric) {
		metric = string(model.HistoryMetricWars)
	}
	body := &gainBoardBody{
		GainBoardPage: data, Hidden: []string{kindParameter, periodParameter, atParameter},
		Choices: []choiceLinks{
			c.choose("Who", kindParameter, "PLAYER", "board", []option{
				{Value: "PLAYER", Text: "Players"}, {Value: "GUILD", Text: "Guilds"},
			}),
			c.choose("Period", periodParameter, "WEEK", "board", c.Options(periodParameter)),
		},
	}
	for _, m := range metrics {
		body.Metrics = append(body.Metrics, option{m, gainLabel(m), m == metric})
	}
	c.setCanonical("/leaderboards/gains")
	title := cmp.Or(gainTitles[metric], "Who gained most: "+strings.ToLower(gainLabel(metric)))
	c.Picture, body.Page = "gains-picture", c.site.o.Origin+c.Link(formatParameter, "")
	return c.show(title, "Players and guilds by what they gained in a day, week, month or season.", body)
}

// gainTitles are the titles of boards whose numbers nobody would call gains.
var gainTitles = map[string]string{
	string(model.HistoryMetricCaptured): "Who captured most territories",
	string(model.HistoryMetricLost):     "Who lost most territories",
}

// gainLabel names a metric where its gain is shown.
func gainLabel(metric string) string {
	if metric == string(model.HistoryMetricTerritories) {
		return "Territories, net"
	}
	return metricLabel(metric)
}

// metricLabel names a metric.
func metricLabel(metric string) string {
	switch model.HistoryMetric(metric) {
	case model.HistoryMetricCaptured, model.HistoryMetricLost:
		return "Territories " + strings.ToLower(metric)
	}
	return web.Label(metric)
}

// Label names the metric.
func (r gainRow) Label() string { return gainLabel(r.Metric) }

// daysText is a span of days in words; end is behind the last one.
func daysText(start time.Time, end *time.Time) string {
	if end == nil {
		return "since " + web.Day(start)
	}
	last := end.AddDate(0, 0, -1)
	if last.Equal(start) {
		return web.Day(start)
	}
	return web.Day(start) + " to " + web.Day(last)
}
