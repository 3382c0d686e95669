package site

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// movement is how a position moved since the day before.
type movement struct {
	Type                         string
	Position, Previous, Movement *int64
}

// Way is the class of a movement: up, down, same, new or gone.
func (m movement) Way() string {
	switch {
	case m.Position == nil:
		return "gone"
	case m.Previous == nil:
		return "new"
	}
	return way(m.Movement)
}

// Says is the movement in a word.
func (m movement) Says() string { return says(m.Way(), m.Movement) }

func way(moved *int64) string {
	switch {
	case moved == nil:
		return "new"
	case *moved > 0:
		return "up"
	case *moved < 0:
		return "down"
	}
	return "same"
}

func says(way string, moved *int64) string {
	switch way {
	case "up":
		return "▲ " + num(*moved)
	case "down":
		return "▼ " + num(-*moved)
	case "same":
		return "="
	}
	return way
}

// dumbbells is a chart of positions then and now: a line for each board, the first place at the
// left. Positions are laid out by their logarithm, since a place at the top weighs more.
type dumbbells struct {
	Height int
	Lines  []dumbbell
	Ticks  []tick
	More   int // boards that are left out
}

type dumbbell struct {
	Label, Way, Says string
	Y                int
	From, To         float64 // places then and now; equal when one is not known
	Then, Now        bool
}

type tick struct {
	X    float64
	Text string
}

// Measures of the charts, in their own units.
const (
	chartWidth = 420
	chartLeft  = 150 // where the first place stands
	chartRight = 350
	lineHeight = 24
	chartTop   = 28
	mostLines  = 15
)

// chartOfMoves draws the boards on which one stands best; nil when there is none.
func chartOfMoves(list []movement) *dumbbells {
	best := func(m movement) int64 {
		switch {
		case m.Position != nil:
			return *m.Position
		case m.Previous != nil:
			return *m.Previous
		}
		return math.MaxInt64
	}
	list = slices.DeleteFunc(slices.Clone(list), func(m movement) bool { return best(m) < 1 || best(m) == math.MaxInt64 })
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b movement) int {
		return cmp.Or(cmp.Compare(best(a), best(b)), cmp.Compare(a.Type,
			b.Type))
	})
	d := &dumbbells{More: max(0, len(list)-mostLines)}
	list = list[:len(list)-d.More]
	last := int64(10)
	for _, m := range list {
		for _, p := range []*int64{m.Position, m.Previous} {
			if p != nil {
				last = max(last, *p)
			}
		}
	}
	for at := int64(1); at <= last; at *= 10 {
		d.Ticks = append(d.Ticks, tick{place(at, last), strconv.FormatInt(at, 10)})
	}
	for i, m := range list {
		line := dumbbell{
			Label: m.Type, Way: m.Way(), Says: m.Says(), Y: chartTop + i*lineHeight + lineHeight/2,
			Then: m.Previous != nil, Now: m.Position != nil,
		}
		line.From, line.To = place(best(m), last), place(best(m), last)
		if m.Previous != nil {
			line.From = place(*m.Previous, last)
		}
		d.Lines = append(d.Lines, line)
	}
	d.Height = chartTop + len(list)*lineHeight + 8
	return d
}

// place is where a position stands between the first and the last one shown.
func place(position, last int64) float64 {
	x := chartLeft + (chartRight-chartLeft)*math.Log(float64(max(1, position)))/math.Log(float64(last))
	return math.Round(x*10) / 10
}
