package site

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func held(name, by string, start, end [2]int64, links ...string) territory {
	t := territory{Name: name, Links: links}
	t.Location.Start, t.Location.End = start, end
	if by != "" {
		t.Guild.Name, t.Guild.Prefix = &by, &by
	}
	return t
}

// Corners may come in any order, a road is drawn once, and one to nowhere is not.
func TestMap(t *testing.T) {
	list := []territory{held("a", "X", [2]int64{10, 40}, [2]int64{-10, 20}, "b", "gone"), held("b", "", [2]int64{10, 0},
		[2]int64{30, 20}, "a")}
	d := drawLand(list, func(t territory) string { return t.Name })
	if d.X != -10-margin || d.Y != -margin || d.Width != 40+2*margin || d.Height != 40+2*margin {
		t.Errorf("the map is %+v", d)
	}
	if len(d.Roads) != 1 || d.Roads[0] != (road{0, 30, 20, 10}) {
		t.Errorf("the roads are %v", d.Roads)
	}
	if g := d.Grounds[0]; g.X != -10 || g.Y != 20 || g.Width != 20 || g.Height != 20 || g.Tag != "X" || g.Mark != "a" ||
		d.Grounds[1].Title != "b: nobody holds it" {
		t.Errorf("the grounds are %+v", d.Grounds)
	}
	if drawLand(nil, nil) != nil {
		t.Error("no land is drawn")
	}
}

func TestHolders(t *testing.T) {
	at := [2]int64{}
	got := holders([]territory{held("a", "B", at, at), held("b", "A", at, at), held("c", "B", at, at), held("d", "", at,
		at), held("e", "C", at, at)})
	if len(got) != 3 || got[0] != (holder{"B", "B", 2, "g0"}) || got[1].Name != "A" || got[2].Mark != "g2" {
		t.Errorf("%+v", got)
	}
}

// Whatever moved, every line lies inside the chart, the best place comes first, and nothing is lost.
func TestChart(t *testing.T) {
	position := rapid.Custom(func(r *rapid.T) *int64 {
		if rapid.Bool().Draw(r, "none") {
			return nil
		}
		return new(rapid.Int64Range(1, 2_000_000).Draw(r, "position"))
	})
	rapid.Check(t, func(r *rapid.T) {
		var list []movement
		known := 0
		for range rapid.IntRange(0, 40).Draw(r, "boards") {
			m := movement{
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
		d := chartOfMoves(list)
		if d == nil {
			if known > 0 {
				r.Fatal("nothing is drawn")
			}
			return
		}
		if len(d.Lines)+d.More != known || len(d.Lines) > mostLines {
			r.Fatalf("%d lines and %d more of %d", len(d.Lines), d.More, known)
		}
		for i, l := range d.Lines {
			if l.From < chartLeft || l.From > chartRight || l.To < chartLeft || l.To > chartRight || l.Y > d.Height || !l.Then &&
				!l.Now {
				r.Fatalf("%+v", l)
			}
			if i > 0 && l.Now && d.Lines[i-1].Now && l.To < d.Lines[i-1].To {
				r.Fatalf("%v after %v", l, d.Lines[i-1])
			}
			if l.Way == "up" && l.From < l.To || l.Way == "down" && l.From > l.To {
				r.Fatalf("%+v moves the wrong way", l)
			}
		}
	})
}

func TestSlopes(t *testing.T) {
	name := "x"
	s := chartOfBoard([]entry{
		{Position: 1, Name: &name, PreviousRanking: new(int64(3)), Movement: new(int64(2))},
		{Position: 2, PreviousRanking: new(int64(90)), Movement: new(int64(88))},
		{Position: 3},
	})
	if len(s.Lines) != 3 || s.Lines[0].From != s.Lines[2].To || s.Lines[1].From != s.Below || !s.Lines[1].Hidden ||
		s.Lines[2].Known || s.Lines[0].Way != "up" || s.Lines[2].Way != "new" {
		t.Errorf("%+v", s)
	}
}

func TestSeasons(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC) }
	end := at(10)
	all := []season{{1, at(1), &end}, {2, at(20), nil}}
	for day, want := range map[int][2]int64{5: {1, 0}, 10: {0, 2}, 15: {0, 2}, 20: {2, 0}} {
		running, next := seasonsAt(all, at(day))
		if got := [2]int64{number(running), number(next)}; got != want {
			t.Errorf("day %d: %v, want %v", day, got, want)
		}
	}
}

func number(s *season) int64 {
	if s == nil {
		return 0
	}
	return s.Number
}
