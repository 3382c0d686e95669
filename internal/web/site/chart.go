package site

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/web"
)

// chart shows how some numbers changed over time: a line for each series. Its table has every value.
type chart struct {
	ID, Title string
	Unit      string // of the values
	// Line is how values are joined, Interval how far they are apart: a line between two is broken if one is missing.
	Line     lineKind
	Interval time.Duration
	// Rank means that values are positions: 1 is at the top.
	Rank bool
	// Choices are alternatives to the chart's content.
	Choices []choiceLinks
	// Empty is shown instead of a chart without values, Note below a chart whose values do not cover its time.
	Empty, Note string
	// CSV is the path of the table as CSV, set by addChart. Console is the path of the chart's query in the console.
	CSV, Console string
	// Picture is the address of the chart's picture for other sites, Page the address of the page.
	Picture, Page string

	Series    []chartSeries
	Ticks     []chartTick // of the values, from the top
	Rows      []chartRow
	From, To  time.Time
	Low, High string // the lowest and highest value
}

// lineKind is how a line runs between two values.
type lineKind string

const (
	straight lineKind = ""      // from one to the next
	steps    lineKind = "steps" // a value holds until the next one
	growth   lineKind = "grows" // a value holds until the interval of the next one, the value at the end of that interval
)

type series struct {
	Name, Path string // shown in the legend, as a link if it has a path
	Colour     string // #rrggbb; if empty, the chart picks one
	Points     []model.HistoryPoint
}

type chartSeries struct {
	Name, Path, Colour, Line, Last string
	Class                          string // of the line's colour
	EndY                           float64
}

type chartTick struct {
	Text string
	Y    float64
}

// PictureY is the base line of the text of a tick in a picture.
func (t chartTick) PictureY() float64 { return plotTop + 4 + plotScale*t.Y }

type chartRow struct {
	At    time.Time
	Cells []chartCell
}

// chartCell is a value as text for people and for programs; both are empty if there is none.
type chartCell struct{ Text, Value string }

// Measures of a chart, in the units of its view box, which is stretched to the page.
const (
	chartWidth  = 1000.0
	chartHeight = 300.0
	// maxLines is how many lines get distinct colours.
	maxLines = 10
)

// draw computes the lines, the scale and the table of a chart.
func (c *chart) draw(all []series) {
	all = slices.DeleteFunc(slices.Clone(all), func(s series) bool { return len(s.Points) == 0 })
	all = all[:min(maxLines, len(all))]
	if len(all) == 0 {
		return
	}
	low, high := math.Inf(1), math.Inf(-1)
	rows := map[int64][]chartCell{}
	for i, s := range all {
		for _, p := range s.Points {
			low, high = min(low, p.Value), max(high, p.Value)
			cells := rows[p.At.Unix()]
			if cells == nil {
				cells = make([]chartCell, len(all))
				rows[p.At.Unix()] = cells
			}
			cells[i] = chartCell{amount(p.Value), strconv.FormatFloat(p.Value, 'f', -1, 64)}
		}
	}
	for at, cells := range rows {
		c.Rows = append(c.Rows, chartRow{time.Unix(at, 0).UTC(), cells})
	}
	slices.SortFunc(c.Rows, func(a, b chartRow) int { return a.At.Compare(b.At) })
	first := c.Rows[0].At
	if c.Line == growth {
		first = first.Add(c.Interval)
	}
	if c.From.IsZero() || first.Before(c.From) {
		c.From = first
	}
	if last := c.Rows[len(c.Rows)-1].At; c.To.Before(last) {
		c.To = last
	}
	c.Low, c.High = amount(low), amount(high)
	scale := c.scale(low, high)
	for i, s := range all {
		c.Series = append(c.Series, chartSeries{
			Name: s.Name, Path: s.Path, Colour: s.Colour, Line: c.line(s.Points, scale),
			Last:  amount(s.Points[len(s.Points)-1].Value),
			Class: lineClass(i, s.Colour), EndY: scale(s.Points[len(s.Points)-1].Value),
		})
	}
}

// drawing returns the first lines of the chart for a picture; empty without values.
func (c *chart) drawing() web.Drawing {
	if len(c.Series) == 0 {
		return web.Drawing{}
	}
	out := web.Drawing{X: -30, Y: -30, Width: chartWidth + 60, Height: chartHeight + 60}
	out.Shapes = []web.Shape{{Fill: "#18221e", Path: rectangle(-30, -30, chartWidth+60, chartHeight+60)}}
	for _, s := range c.Series[:min(5, len(c.Series))] {
		out.Shapes = append(out.Shapes, web.Shape{Fill: cmp.Or(s.Colour, accentColour), Path: s.Line, Line: 4})
	}
	return out
}

// lineClass returns the CSS class of a line; without a colour of its own, the line's index determines it.
func lineClass(i int, colour string) string {
	if colour != "" {
		return "line"
	}
	return "line-" + strconv.Itoa(i)
}

// scale sets the ticks and returns the function from values to y.
func (c *chart) scale(low, high float64) func(float64) float64 {
	if c.Rank {
		low = 1
	}
	ticks := niceTicks(low, high, c.Rank)
	bottom, top := ticks[0], ticks[len(ticks)-1]
	y := func(v float64) float64 {
		at := (max(bottom, min(v, top)) - bottom) / (top - bottom)
		if !c.Rank {
			at = 1 - at
		}
		return math.Round(at*chartHeight*10) / 10
	}
	if !c.Rank {
		slices.Reverse(ticks)
	}
	for _, t := range ticks {
		c.Ticks = append(c.Ticks, chartTick{compact(t), y(t)})
	}
	return y
}

// maxTicks bounds the ticks of an axis, whatever the data.
const maxTicks = 20

// maxTick is the largest value with a tick: sums of ticks stay finite.
const maxTick = 1e300

// niceTicks returns three to six whole numbers with equal distances that enclose a range, ascending. The range is
// widened until a step exceeds the distance of neighbouring floats: a smaller step would add nothing.
func niceTicks(low, high float64, fromLow bool) []float64 {
	low, high = max(-maxTick, min(low, maxTick)), min(high, maxTick)
	if least := max(2, 1e-12*math.Abs(low)); high-low < least {
		high = low + least
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, f := range []float64{1, 2, 2.5, 5, 10} {
		if (high-low)/(f*step) <= 4 {
			step *= f
			break
		}
	}
	step = math.Ceil(step)
	start := math.Floor(low/step) * step
	if fromLow {
		start = low
	}
	out := []float64{start}
	for high-out[len(out)-1] > 1e-9*step && len(out) < maxTicks { // less is rounding
		out = append(out, start+float64(len(out))*step)
	}
	return out
}

func (c *chart) line(points []model.HistoryPoint, y func(float64) float64) string {
	span := max(c.To.Sub(c.From).Seconds(), 1)
	x := func(at time.Time) float64 { return chartWidth * min(at.Sub(c.From).Seconds()/span, 1) }
	var path strings.Builder
	for i, p := range points {
		at := x(p.At)
		if c.Line == growth {
			at = x(p.At.Add(c.Interval))
		}
		switch {
		case i == 0 || c.Line == straight && c.Interval > 0 && p.At.Sub(points[i-1].At) > c.Interval*3/2:
			fmt.Fprintf(&path, "M%.1f %.1fh.1", at, y(p.Value)) // a lone point is a dot
		case c.Line == steps:
			fmt.Fprintf(&path, "H%.1fV%.1f", at, y(p.Value))
		case c.Line == growth:
			fmt.Fprintf(&path, "H%.1fL%.1f %.1f", x(p.At), at, y(p.Value))
		default:
			fmt.Fprintf(&path, "L%.1f %.1f", at, y(p.Value))
		}
	}
	if c.Line != straight {
		fmt.Fprintf(&path, "H%.1f", chartWidth)
	}
	return path.String()
}

// label formats a time for the axis: the hour in a chart of a few days, else the day.
func (c *chart) label(at time.Time) string {
	switch span := c.To.Sub(c.From); {
	case span <= 2*day:
		return at.UTC().Format("2 Jan, 15:04")
	case span <= 300*day:
		return at.UTC().Format("2 January")
	}
	return at.UTC().Format("January 2006")
}

// TimeLabels returns the labels at the beginning, the middle and the end of the time axis.
func (c *chart) TimeLabels() []string {
	return []string{c.label(c.From), c.label(c.From.Add(c.To.Sub(c.From) / 2)), c.label(c.To)}
}

// Detailed reports whether the table has several rows a day.
func (c *chart) Detailed() bool {
	return len(c.Rows) > 1 && c.Rows[1].At.Sub(c.Rows[0].At) < day
}

// Description describes the drawing in words.
func (c *chart) Description() string {
	between := c.Low + " to " + c.High
	if c.Low == c.High {
		between = c.Low
	}
	return fmt.Sprintf("%s from %s to %s: %s. The table below has every value.", c.Title, web.Moment(c.From),
		web.Moment(c.To), between)
}

func amount(v float64) string {
	if math.Abs(v) >= 1<<63 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	if v == math.Trunc(v) || math.Abs(v) >= 1000 {
		return web.Number(int64(math.Round(v)))
	}
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

func compact(v float64) string {
	if math.Abs(v) >= 1<<63 {
		return amount(v)
	}
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, " bn"}, {1e6, " m"}} {
		if math.Abs(v) >= unit.size {
			return strconv.FormatFloat(v/unit.size, 'f', -1, 64) + unit.name
		}
	}
	return web.Number(int64(v))
}

// addChart draws a chart and adds it to the page, with the scripts that charts need.
func (c *renderContext) addChart(out *chart, lines []series) {
	out.CSV = c.Link(formatParameter, csvFormat)
	out.Picture, out.Page = c.site.o.Origin+c.Link(formatParameter, svgFormat), c.site.o.Origin+c.Link(formatParameter, "")
	out.draw(lines)
	out.Note = out.note()
	c.Chart = out
	if len(out.Series) > 0 {
		c.Scripts, c.Styles = []string{"chart.js"}, []string{"chart.css"}
	}
}

// note says that the values begin later than requested, or that there is only one.
func (c *chart) note() string {
	switch {
	case len(c.Rows) == 1:
		return "One value is recorded in this time, of " + web.Moment(c.Rows[0].At) + "."
	case len(c.Rows) > 0 && c.Rows[0].At.Sub(c.From) > 2*day:
		return "The values begin on " + web.Day(c.Rows[0].At) + "."
	}
	return ""
}

// consoleLink opens an operation in the console with the variables that it declares.
func (s *Site) consoleLink(operation string, variables map[string]any) string {
	op, declared := s.operations[operation], map[string]any{}
	for _, v := range op.Def.VariableDefinitions {
		if value, ok := variables[v.Variable]; ok {
			declared[v.Variable] = value
		}
	}
	return web.ConsoleLink(op.Document, declared)
}
