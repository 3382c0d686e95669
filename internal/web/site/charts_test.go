package site

import (
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gamedata/graph/model"
)

// The best rank comes first, and no leaderboard is lost.
func TestRankTable(t *testing.T) {
	position := rapid.Custom(func(r *rapid.T) *int64 {
		if rapid.Bool().Draw(r, "none") {
			return nil
		}
		return new(rapid.Int64Range(1, 2_000_000).Draw(r, "position"))
	})
	rapid.Check(t, func(r *rapid.T) {
		var list []Rank
		for range rapid.IntRange(0, 40).Draw(r, "boards") {
			list = append(list, Rank{
				Type: rapid.StringMatching(`[a-z]{1,8}`).Draw(r, "type"), Position: position.Draw(r, "now"),
				Previous: position.Draw(r, "then"),
			})
		}
		table := newRankTable("x", list)
		if len(table.Top)+len(table.Rest) != len(list) || len(table.Top) > shownRanks {
			r.Fatalf("got %d and %d of %d ranks", len(table.Top), len(table.Rest), len(list))
		}
		rows := slices.Concat(table.Top, table.Rest)
		for i, row := range rows {
			if i > 0 && row.best() < rows[i-1].best() {
				r.Fatalf("got %+v at %d", row, i)
			}
		}
	})
}

func TestSeasons(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC) }
	end := at(10)
	all := []Season{{1, at(1), &end}, {2, at(20), nil}}
	for day, want := range map[int][2]int64{5: {1, 0}, 10: {0, 2}, 15: {0, 2}, 20: {2, 0}} {
		current, next := seasonsAt(all, at(day))
		if got := [2]int64{number(current), number(next)}; got != want {
			t.Errorf("day %d: got %v, want %v", day, got, want)
		}
	}
}

func number(s *Season) int64 {
	if s == nil {
		return 0
	}
	return s.Number
}

// The scale encloses all values with equal distances of whole numbers.
func TestNiceTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		fromLow   bool
		want      []float64
	}{
		{7, 7, false, []float64{7, 8, 9}},
		{0, 0, false, []float64{0, 1, 2}},
		{1000, 2500, false, []float64{1000, 1500, 2000, 2500}},
		{1, 37, true, []float64{1, 11, 21, 31, 41}},
		{1, 1, true, []float64{1, 2, 3}},
		{-3, 90, false, []float64{-25, 0, 25, 50, 75, 100}},
	} {
		if got := niceTicks(c.low, c.high, c.fromLow); !slices.Equal(got, c.want) {
			t.Errorf("%v to %v: got %v, want %v", c.low, c.high, got, c.want)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		most := math.Pow(10, float64(rapid.IntRange(0, 299).Draw(r, "digits")))
		low := rapid.Float64Range(-most, most).Draw(r, "low")
		high := low + rapid.Float64Range(0, most).Draw(r, "span")
		ticks := niceTicks(low, high, rapid.Bool().Draw(r, "from low"))
		rounding := 1e-9 * (ticks[1] - ticks[0])
		if n := len(ticks); n < 3 || n > 6 || ticks[0] > low+rounding || ticks[n-1] < high-rounding {
			r.Errorf("%v to %v: got %v", low, high, ticks)
		}
	})
}

// anyNumber draws what a chart may have to show: flat, negative, tiny, larger than floats can tell apart, the largest.
func anyNumber(r *rapid.T) float64 {
	return rapid.OneOf(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64), rapid.SampledFrom([]float64{
		0, 1, -1, 5e-324, 1 << 53, 1<<53 + 2, math.MaxInt64, math.MinInt64, math.MaxFloat64, -math.MaxFloat64,
	})).Draw(r, "value")
}

// Every drawing of the site ends, with few ticks and finite places, whatever it shows.
func TestDrawingsOfAnyData(t *testing.T) {
	now := time.Date(2026, 3, 11, 0, 0, 0, 0, time.UTC)
	finite := func(r *rapid.T, line string) {
		if strings.ContainsAny(line, "NIna") {
			r.Errorf("got the line %s", line)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		var all []series
		for range rapid.IntRange(0, 12).Draw(r, "series") {
			var points []model.HistoryPoint
			for range rapid.IntRange(0, 5).Draw(r, "points") {
				ago := time.Duration(rapid.Int64Range(0, int64(9*day)).Draw(r, "ago"))
				points = append(points, model.HistoryPoint{At: now.Add(-ago), Value: anyNumber(r)})
			}
			slices.SortFunc(points, func(a, b model.HistoryPoint) int { return a.At.Compare(b.At) })
			all = append(all, series{Points: points})
			history := &HistorySeries{From: now.Add(-9 * day), To: now}
			history.Series = slices.Grow(history.Series, 1)[:1]
			history.Series[0].Metric, history.Series[0].Points = "WARS", points
			w := weekOf("WARS", []Gained{{"WARS", anyNumber(r), anyNumber(r)}}, history)
			finite(r, w.Line)
		}
		c := &chart{Rank: rapid.Bool().Draw(r, "rank"), Interval: day}
		c.Line = rapid.SampledFrom([]lineKind{straight, steps, growth}).Draw(r, "line")
		c.draw(all)
		if n := len(c.Ticks); (n == 0) != (c.Series == nil) || n > maxTicks || n > 0 && (n < 3 || len(c.Ticks[0].Text) > 20) {
			r.Errorf("got ticks %v", c.Ticks)
		}
		for _, s := range c.Series {
			finite(r, s.Line)
		}
		page := &GuildPage{}
		if err := json.Unmarshal([]byte(`{"guild":{}}`), page); err != nil {
			r.Fatal(err)
		}
		page.Guild.Activity = slices.Grow(page.Guild.Activity, 24)[:24]
		for hour := range page.Guild.Activity {
			h := &page.Guild.Activity[hour]
			h.Weekday, h.Hour, h.Members = "MONDAY", int64(hour), math.Abs(anyNumber(r))
		}
		if heat := page.Heat(); heat != nil {
			for _, h := range heat.Days[0].Hours {
				if h.Level < 0 || h.Level > 4 {
					r.Errorf("got the level %d of a square", h.Level)
				}
			}
		}
	})
}

// A chart has a line and a column for each series with values, and rows with the values of all times.
func TestChart(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC) }
	c := &chart{Title: "Rating", Line: steps, From: at(1), To: at(11)}
	c.draw([]series{
		{Name: "none"},
		{Name: "A, B", Points: []model.HistoryPoint{{At: at(1), Value: 1000}, {At: at(6), Value: 2500}}},
		{Name: "time", Points: []model.HistoryPoint{{At: at(6), Value: 2000.5}}},
	})
	if len(c.Series) != 2 || c.Series[0].Line != "M0.0 300.0h.1H500.0V0.0H1000.0" || c.Series[1].Class != "line-1" {
		t.Errorf("got series %+v", c.Series)
	}
	if len(c.Ticks) != 4 || c.Ticks[0] != (chartTick{"2,500", 0}) || c.Ticks[3] != (chartTick{"1,000", 300}) {
		t.Errorf("got ticks %v", c.Ticks)
	}
	if len(c.Rows) != 2 || c.Rows[0].Cells[1] != (chartCell{}) || c.Rows[1].Cells[0] != (chartCell{"2,500", "2500"}) {
		t.Errorf("got rows %v", c.Rows)
	}
	const table = "\r\n2026-03-01T00:00:00Z,1000,\r\n2026-03-06T00:00:00Z,2500,2000.5\r\n"
	if text, want := string(c.csv()), "\ufefftime,\"A, B\",time (2)"+table; text != want {
		t.Errorf("got %q, want %q", text, want)
	}
	c.Series[0].Name = "time"
	if text, want := string(c.csv()), "\ufefftime,time (2),time (3)"+table; text != want {
		t.Errorf("got %q, want %q", text, want)
	}
	for from, want := range map[time.Time]string{at(1).AddDate(0, -1, 0): "The values begin on 1 March 2026.", at(1): ""} {
		c.From = from
		if got := c.note(); got != want {
			t.Errorf("from %s: got note %q, want %q", from, got, want)
		}
	}
	lone := &chart{Rows: c.Rows[:1]}
	if got := lone.note(); got != "One value is recorded in this time, of 1 March 2026, 00:00 UTC." {
		t.Errorf("got note %q of one value", got)
	}
	empty := &chart{}
	empty.draw([]series{{Name: "none"}})
	if empty.Series != nil {
		t.Errorf("got %+v of no values", empty)
	}
	ranks := &chart{Rank: true}
	ranks.draw([]series{{Name: "x", Points: []model.HistoryPoint{{At: at(1), Value: 9}, {At: at(2), Value: 1}}}})
	if ranks.Ticks[0].Text != "1" || ranks.Series[0].Line != "M0.0 300.0h.1L1000.0 0.0" {
		t.Errorf("got %+v", ranks)
	}
	// The axis is the time that was chosen. A missing value is a gap, or the value before it, which grows in its interval.
	for line, want := range map[lineKind]string{
		straight: "M100.0 150.0h.1L200.0 0.0M900.0 300.0h.1",
		growth:   "M200.0 150.0h.1H200.0L300.0 0.0H900.0L1000.0 300.0H1000.0",
	} {
		c := &chart{Line: line, Interval: day, From: at(1), To: at(11)}
		c.draw([]series{{Points: []model.HistoryPoint{{At: at(2), Value: 1}, {At: at(3), Value: 2}, {At: at(10), Value: 0}}}})
		if got := c.Series[0].Line; got != want {
			t.Errorf("%q: got %s, want %s", line, got, want)
		}
	}
}

// Lines end with the present value, in place of what was recorded of the day.
func TestLinesEndNow(t *testing.T) {
	s := testSite()
	s.o.Now = func() time.Time { return time.Date(2026, 3, 11, 9, 0, 0, 0, time.UTC) }
	for operation, data := range map[string]string{
		"SeasonsPage": `{"all": {"nodes": []}, "guildSeasons": {"nodes": [{"number": 7, "history": [{
			"guild": {"name": "A", "seasonResults": [{"seasonNumber": 6, "rating": 1}, {"seasonNumber": 7, "rating": 42}]},
			"points": [{"at": "2026-03-10T00:00:00Z", "value": 30}, {"at": "2026-03-11T00:00:00Z", "value": 40}]
		}]}]}}`,
		"LeaderboardPage": `{"leaderboard": {"kind": "PLAYER", "entries": {"nodes": [{"position": 1}]}, "positions": [{
			"entry": {"name": "A", "position": 42},
			"points": [{"at": "2026-03-10T00:00:00Z", "position": 30}, {"at": "2026-03-11T00:00:00Z", "position": 40}]
		}]}}`,
	} {
		p := testPage(t, s, operation)
		c := &renderContext{site: s, page: p, data: json.RawMessage(data)}
		c.request = request{map[string]any{"interval": "DAY"}, url.Values{}}
		if bad := p.show(c); bad != nil {
			t.Fatal(operation, bad.err)
		}
		got := strings.Fields(string(c.Chart.csv()))
		if want := []string{"2026-03-10T00:00:00Z,30", "2026-03-11T00:00:00Z,42"}; !slices.Equal(got[1:], want) {
			t.Errorf("%s: got %s, want %s", operation, got[1:], want)
		}
	}
}
