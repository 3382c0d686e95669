package site

import (
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
	Title          string
	Choices        []choiceLinks
	Metrics        []option
	Hidden         []option // parameters and values that the form of the metric sends too
	Span           string
	Previous, Next string // paths of the periods beside this one
	Rows           []gainBoardLine
}

type gainBoardLine struct {
	GainBoardRow
	Text string
	Bar  int // the gain as percentage of the highest on the page
	Own  bool
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

func showGainBoard(c *renderContext, data *GainBoardPage) *graph.Error {
	if len(c.errors) > 0 { // a time without a board is none
		return graph.ErrorOf(c.errors[0])
	}
	metrics := gainBoardMetrics(c.Value(kindParameter))
	metric := c.Value(metricParameter)
	if !slices.Contains(metrics, metric) {
		metric = string(model.HistoryMetricWars)
	}
	body := &gainBoardBody{
		GainBoardPage: data, Title: "Who gained most: " + strings.ToLower(web.Label(metric)),
		Choices: []choiceLinks{
			c.choose("Who", kindParameter, "PLAYER", "board", []option{
				{Value: "PLAYER", Text: "Players"}, {Value: "GUILD", Text: "Guilds"},
			}),
			c.choose("Period", periodParameter, "WEEK", "board", c.Options(periodParameter)),
		},
	}
	for _, name := range []string{kindParameter, periodParameter, atParameter} {
		if value := c.Value(name); value != "" {
			body.Hidden = append(body.Hidden, option{Value: name, Text: value})
		}
	}
	for _, m := range metrics {
		body.Metrics = append(body.Metrics, option{m, web.Label(m), m == metric})
	}
	if b := data.GainBoard; b != nil {
		body.Span = daysText(b.StartedAt, b.EndsAt)
		body.Previous = c.Link(atParameter, b.StartedAt.AddDate(0, 0, -1).Format(time.DateOnly))
		if b.Final && b.EndsAt != nil {
			body.Next = c.Link(atParameter, b.EndsAt.Format(time.DateOnly))
		}
		body.Rows = gainBoardRows(orEmpty(b.Entries).Nodes, c.Value(aroundParameter))
	}
	c.setCanonical("/leaderboards/gains")
	return c.show(body.Title, "Players and guilds by what they gained in a day, week, month or season.", body)
}

// daysText is a span of days in words; end is behind the last one.
func daysText(start time.Time, end *time.Time) string {
	const layout = "2 January 2006"
	if end == nil {
		return "since " + start.Format(layout)
	}
	last := end.AddDate(0, 0, -1)
	if last.Equal(start) {
		return start.Format(layout)
	}
	return start.Format(layout) + " to " + last.Format(layout)
}

func gainBoardRows(entries []GainBoardRow, around string) []gainBoardLine {
	own, _ := model.ParseUUID(around)
	rows := make([]gainBoardLine, len(entries))
	for i, e := range entries {
		uuid := orEmpty(e.Player).UUID
		if e.Guild != nil {
			uuid = e.Guild.UUID
		}
		rows[i] = gainBoardLine{e, gainText(e.Gained), int(max(1, 100*e.Gained/entries[0].Gained)), uuid == own}
	}
	return rows
}
