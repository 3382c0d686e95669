package site

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/web"
)

// gainRow holds the gains of a metric today, this week and this month.
type gainRow struct {
	Metric string
	Path   string // of the board, around the player or guild
	Cells  [3]string
}

// gainRows returns the metrics that changed in at least one of the periods.
func gainRows(kind, uuid string, today, week, month []Gained) (rows []gainRow) {
	for _, m := range month {
		address := url.Values{kindParameter: {kind}, metricParameter: {m.Metric}, aroundParameter: {uuid}}
		row := gainRow{Metric: m.Metric, Path: "/leaderboards/gains?" + address.Encode()}
		changed := false
		for i, list := range [...][]Gained{today, week, month} {
			row.Cells[i] = "?"
			if g := gainIn(m.Metric, list); g != nil {
				row.Cells[i], changed = shortGain(*g), changed || g.Gained != 0
			}
		}
		if changed {
			rows = append(rows, row)
		}
	}
	return rows
}

// gainIn returns the gain of a metric; nil if it is unknown.
func gainIn(metric string, list []Gained) *Gained {
	at := slices.IndexFunc(list, func(g Gained) bool { return g.Metric == metric })
	if at < 0 {
		return nil
	}
	return &list[at]
}

// shortGain formats a gain with its unit, in millions if it is large.
func shortGain(g Gained) string {
	text := gainText(g.Gained)
	if math.Abs(g.Gained) >= 1e6 {
		text = signOf(g.Gained) + compact(math.Round(math.Abs(g.Gained)/1e5)*1e5)
	}
	if g.Metric == string(model.HistoryMetricPlaytime) {
		text += " h"
	}
	return text
}

// week is this week's gain of a number, with a line of its last days.
type week struct{ Text, Direction, Line string }

// weekOf returns the week of a metric; nil if its gain is unknown.
func weekOf(metric string, gains []Gained, recent *HistorySeries) *week {
	g := gainIn(metric, gains)
	if g == nil {
		return nil
	}
	out := &week{Text: shortGain(*g), Direction: shiftOf(new(int64(cmp.Compare(g.Gained, 0)))).Direction}
	recent = orEmpty(recent)
	for _, s := range recent.Series {
		if s.Metric == metric {
			line := &chart{Line: lineOf(metric), Interval: day, From: recent.From, To: recent.To}
			line.draw([]series{{Points: untilNow(s.Points, recent.To, day, g.EndValue)}})
			out.Line = line.Series[0].Line
		}
	}
	return out
}

// untilNow ends points with the present value, as the point of the current day or span.
func untilNow(points []model.HistoryPoint, now time.Time, span time.Duration, value float64) []model.HistoryPoint {
	begin := now.UTC().Truncate(span)
	points = slices.DeleteFunc(slices.Clone(points), func(p model.HistoryPoint) bool { return !p.At.Before(begin) })
	return append(points, model.HistoryPoint{At: begin, Value: value})
}

// Week returns what the player gained in a metric this week.
func (p *PlayerPage) Week(metric string) *week {
	return weekOf(metric, p.Player.ThisWeek, p.Player.Recent)
}

// Week returns what the guild gained in a metric this week.
func (p *GuildPage) Week(metric string) *week {
	return weekOf(metric, p.Guild.ThisWeek, &p.Guild.Recent)
}

// gainText formats a gain with its sign; fractions below 10 keep one decimal.
func gainText(v float64) string {
	switch whole := math.Round(v); {
	case v == 0:
		return "0"
	case math.Abs(v) < 10 && v != whole:
		return signOf(v) + strings.TrimSuffix(strconv.FormatFloat(math.Abs(v), 'f', 1, 64), ".0")
	default:
		return signOf(v) + web.Number(int64(math.Abs(whole)))
	}
}

func signOf(v float64) string {
	if v < 0 {
		return "−"
	}
	return "+"
}

// Gains returns the player's recent gains.
func (p *PlayerPage) Gains() []gainRow {
	return gainRows("PLAYER", p.Player.UUID, p.Player.Today, p.Player.ThisWeek, p.Player.ThisMonth)
}

// Gains returns the guild's recent gains.
func (p *GuildPage) Gains() []gainRow {
	return gainRows("GUILD", p.Guild.UUID, p.Guild.Today, p.Guild.ThisWeek, p.Guild.ThisMonth)
}
