package site

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gamedata/internal/web"
)

// metricHistory is how the metrics of a player or guild changed.
type metricHistory struct {
	Series []metricSeries
}

type metricSeries struct {
	Metric, Unit string
	Points       []historyPoint
}

type historyPoint struct {
	At    time.Time
	Value float64
}

// historyChart shows one metric over time: a line that holds a value until the next point.
type historyChart struct {
	ID, Title string
	Line      string // path of the line
	// Low and High are the ends of the scale, Last the last value.
	Low, High, Last string
	From, To        time.Time
	Rows            []historyRow // by week
}

type historyRow struct {
	At    time.Time
	Value string
}

// Measures of a history chart, in the units of its view box.
const (
	historyWidth  = 300.0
	historyHeight = 80.0
)

// newHistoryCharts draws the metrics that have two points or more.
func newHistoryCharts(h *metricHistory) (charts []*historyChart) {
	if h == nil {
		return nil
	}
	for _, s := range h.Series {
		if len(s.Points) < 2 {
			continue
		}
		byValue := func(a, b historyPoint) int { return cmp.Compare(a.Value, b.Value) }
		low, high := slices.MinFunc(s.Points, byValue).Value, slices.MaxFunc(s.Points, byValue).Value
		first, last := s.Points[0], s.Points[len(s.Points)-1]
		name := strings.ToLower(s.Metric)
		c := &historyChart{
			ID: name, Title: strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "_", " "),
			Line: linePath(s.Points, low, high), Low: amount(low, s.Unit), High: amount(high, s.Unit),
			Last: amount(last.Value, s.Unit), From: first.At, To: last.At,
		}
		for i, p := range s.Points {
			if last := i == len(s.Points)-1; last || week(p.At) != week(s.Points[i+1].At) {
				c.Rows = append(c.Rows, historyRow{p.At, amount(p.Value, s.Unit)})
			}
		}
		charts = append(charts, c)
	}
	return charts
}

func week(at time.Time) string {
	year, number := at.ISOWeek()
	return fmt.Sprint(year, "-", number)
}

// amount is a value in words of its unit.
func amount(v float64, unit string) string {
	if unit == "HOURS" {
		return web.Number(int64(math.Round(v))) + " h"
	}
	return web.Number(int64(math.Round(v)))
}

// linePath is the SVG path through some points, as a staircase.
func linePath(points []historyPoint, low, high float64) string {
	begin, span := points[0].At, points[len(points)-1].At.Sub(points[0].At).Seconds()
	var path strings.Builder
	for i, p := range points {
		x := historyWidth * p.At.Sub(begin).Seconds() / max(span, 1)
		y := historyHeight / 2
		if high > low {
			y = historyHeight * (high - p.Value) / (high - low)
		}
		if i == 0 {
			fmt.Fprintf(&path, "M%.1f %.1f", x, y)
		} else {
			fmt.Fprintf(&path, "H%.1fV%.1f", x, y)
		}
	}
	return path.String()
}
