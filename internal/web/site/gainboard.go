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

// Parameters of the gain boards.
const (
	kindParameter   = "kind"
	metricParameter = "metric"
	periodParameter = "period"
	atParameter     = "at"
)

// gainBoardBody shows a gain board, or a note that there is none.
type gainBoardBody struct {
	*GainBoardPage
	Choices []choiceLinks
	Metrics []option
	Page    string   // address of the page
	Hidden  []string // further parameters that the metric form sends

	Previous, Next string // days of the neighbouring periods, empty if there is none
}

// findNeighbours sets Previous and Next. No season runs on the days between two seasons, such as the given day.
func (b *gainBoardBody) findNeighbours(period string, shown, now time.Time) {
	board := orEmpty(b.GainBoard)
	if b.GainBoard != nil {
		shown = board.StartedAt
	}
	if period != string(model.PeriodSeason) {
		b.Previous = shown.AddDate(0, 0, -1).Format(time.DateOnly)
		if board.Final && board.EndsAt != nil {
			b.Next = board.EndsAt.Format(time.DateOnly)
		}
		return
	}
	for _, s := range orEmpty(b.GuildSeasons).Nodes {
		first := s.StartsAt.UTC().Truncate(day)
		whole := first.Add(day).Format(time.DateOnly) // a season begins during its first day
		if first.Before(shown) {
			b.Previous = whole
		} else if first.After(shown) && b.Next == "" && first.Add(day).Before(now) {
			b.Next = whole
		}
	}
}

// Rows returns the entries of the page, none without a board.
func (p *GainBoardPage) Rows() []GainBoardRow {
	return orEmpty(orEmpty(p.GainBoard).Entries).Nodes
}

// Bar returns the gain as a percentage of the highest on the page.
func (p *GainBoardPage) Bar(e GainBoardRow) int { return percent(e.Gained, p.Rows()[0].Gained) }

// Span returns the days of the board in words.
func (p *GainBoardPage) Span() string {
	if p.GainBoard == nil {
		return ""
	}
	end := p.GainBoard.EndsAt
	if !p.GainBoard.Final && p.GainBoard.Period != string(model.PeriodDay) {
		end = nil // what was gained until now
	}
	return daysText(p.GainBoard.StartedAt, end)
}

// Text returns the gain with its sign.
func (e GainBoardRow) Text() string { return gainText(e.Gained) }

// UUID returns the uuid of the player or guild.
func (e GainBoardRow) UUID() *string {
	if e.Guild != nil {
		return &e.Guild.UUID
	}
	return &orEmpty(e.Player).UUID
}

// Name returns the name of the player or guild, or says that it is hidden.
func (e GainBoardRow) Name() string {
	switch {
	case e.Guild != nil:
		return e.Guild.Name
	case e.Player != nil:
		return e.Player.Username
	}
	return "hidden by the player"
}

// Shift returns how many positions the entry climbed since the previous period.
func (e GainBoardRow) Shift() shift {
	if e.PreviousPosition == nil {
		return shiftOf(nil)
	}
	return shiftOf(new(*e.PreviousPosition - e.Position))
}

// gainBoardValues drops a metric that the chosen kind lacks, because links between the kinds keep the metric.
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
	now := c.site.o.Now()
	shown, err := time.Parse(time.DateOnly, c.query.Get(atParameter))
	if err != nil {
		shown = now
	}
	body.findNeighbours(c.Value(periodParameter), shown, now)
	for _, m := range metrics {
		body.Metrics = append(body.Metrics, option{m, gainLabel(m), m == metric})
	}
	c.setCanonical("/leaderboards/gains")
	title := cmp.Or(gainTitles[metric], "Who gained most: "+strings.ToLower(gainLabel(metric)))
	c.Picture, body.Page = "gains-picture", c.site.o.Origin+c.Link(formatParameter, "")
	return c.show(title, "Players and guilds by what they gained in a day, week, month or season.", body)
}

// gainTitles holds titles for boards whose numbers are not gains.
var gainTitles = map[string]string{
	string(model.HistoryMetricCaptured): "Who captured most territories",
	string(model.HistoryMetricLost):     "Who lost most territories",
}

// gainLabel names a metric next to its gain.
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

// daysText describes a span of days in words; end is exclusive.
func daysText(start time.Time, end *time.Time) string {
	if end == nil {
		return "since " + web.Day(start)
	}
	last := end.AddDate(0, 0, -1)
	if last.Equal(start) {
		return web.Day(start)
	}
	from := web.Day(start)
	if start.Year() == last.Year() {
		from = start.Format("2 January")
		if start.Month() == last.Month() {
			from = start.Format("2")
		}
	}
	return from + " to " + web.Day(last)
}
