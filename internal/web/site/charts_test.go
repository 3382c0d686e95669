package site

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Every line lies inside the chart, the best rank comes first, and no leaderboard is lost.
func TestRankChart(t *testing.T) {
	position := rapid.Custom(func(r *rapid.T) *int64 {
		if rapid.Bool().Draw(r, "none") {
			return nil
		}
		return new(rapid.Int64Range(1, 2_000_000).Draw(r, "position"))
	})
	rapid.Check(t, func(r *rapid.T) {
		var list []rankMovement
		known := 0
		for range rapid.IntRange(0, 40).Draw(r, "boards") {
			m := rankMovement{
				Type: rapid.StringMatching(`[a-z]{1,8}`).Draw(r, "type"), Position: position.Draw(r, "now"),
				Previous: position.Draw(r, "then"),
			}
			if m.Position != nil && m.Previous != nil {
				m.Movement = new(*m.Previous - *m.Position)
			}
			if m.Position != nil || m.Previous != nil {
				known++
			}
			list = append(list, m)
		}
		d := newRankChart(list)
		if d == nil {
			if known > 0 {
				r.Fatal("got no chart, want one")
			}
			return
		}
		if len(d.Lines)+d.More != known || len(d.Lines) > maxLines {
			r.Fatalf("got %d lines and %d more of %d", len(d.Lines), d.More, known)
		}
		for i, l := range d.Lines {
			if l.From < chartLeft || l.From > chartRight || l.To < chartLeft || l.To > chartRight || l.Y > d.Height ||
				!l.HasPrevious && !l.HasCurrent {
				r.Fatalf("got line %+v outside the chart", l)
			}
			if i > 0 && l.HasCurrent && d.Lines[i-1].HasCurrent && l.To < d.Lines[i-1].To {
				r.Fatalf("got %v after %v", l, d.Lines[i-1])
			}
			if l.Direction == "up" && l.From < l.To || l.Direction == "down" && l.From > l.To {
				r.Fatalf("%+v moves the wrong way", l)
			}
		}
	})
}

func TestSlopeChart(t *testing.T) {
	name := "x"
	s := newSlopeChart([]entry{
		{Position: 1, Name: &name, PreviousPosition: new(int64(3)), Movement: new(int64(2))},
		{Position: 2, PreviousPosition: new(int64(90)), Movement: new(int64(88))},
		{Position: 3},
	})
	if len(s.Lines) != 3 || s.Lines[0].From != s.Lines[2].To || s.Lines[1].From != s.Below || !s.Lines[1].Hidden ||
		s.Lines[2].HasPrevious || s.Lines[0].Direction != "up" || s.Lines[2].Direction != "new" {
		t.Errorf("got %+v", s)
	}
}

func TestSeasons(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC) }
	end := at(10)
	all := []season{{1, at(1), &end}, {2, at(20), nil}}
	for day, want := range map[int][2]int64{5: {1, 0}, 10: {0, 2}, 15: {0, 2}, 20: {2, 0}} {
		current, next := seasonsAt(all, at(day))
		if got := [2]int64{number(current), number(next)}; got != want {
			t.Errorf("day %d: got %v, want %v", day, got, want)
		}
	}
}

func number(s *season) int64 {
	if s == nil {
		return 0
	}
	return s.Number
}

func TestShellQuote(t *testing.T) {
	for text, want := range map[string]string{"a": "'a'", "it's": `'it'\''s'`} {
		if got := shellQuote(text); got != want {
			t.Errorf("shellQuote(%q): got %s, want %s", text, got, want)
		}
	}
}

// A line holds a value until the next point; a table has the last value of each week.
func TestHistoryCharts(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC) } // the 2nd is a Monday
	h := &metricHistory{Series: []metricSeries{
		{"SEASON_RATING", "RATING", []historyPoint{{at(1), 1000}, {at(2), 1500}, {at(8), 2500}, {at(11), 2000}}},
		{"MEMBERS", "COUNT", []historyPoint{{at(1), 7}, {at(11), 7}}},
		{"WARS", "COUNT", []historyPoint{{at(1), 7}}}, // no line
	}}
	got := newHistoryCharts(h)
	if len(got) != 2 || newHistoryCharts(nil) != nil {
		t.Fatalf("got %+v", got)
	}
	if c := got[0]; c.Title != "Season rating" || c.Line != "M0.0 80.0H30.0V53.3H210.0V0.0H300.0V26.7" ||
		c.Low != "1,000" || c.High != "2,500" || c.Last != "2,000" {
		t.Errorf("got %+v", c)
	}
	if rows := got[0].Rows; len(rows) != 3 || rows[1] != (historyRow{at(8), "2,500"}) {
		t.Errorf("got rows %v", rows)
	}
	if c := got[1]; c.Line != "M0.0 40.0H300.0V40.0" {
		t.Errorf("got %+v", c)
	}
}
