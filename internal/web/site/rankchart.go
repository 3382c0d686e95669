package site

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gamedata/internal/web"
)

// rankMovement is how a rank on a leaderboard changed since it was last stored.
type rankMovement struct {
	Type                         string
	Position, Previous, Movement *int64
}

// Direction is the CSS class of the change: up, down, same, new or unranked.
func (m rankMovement) Direction() string {
	switch {
	case m.Position == nil:
		return "unranked"
	case m.Previous == nil:
		return "new"
	}
	return direction(m.Movement)
}

// Change is the change in words.
func (m rankMovement) Change() string { return changeText(m.Direction(), m.Movement) }

func direction(movement *int64) string {
	switch {
	case movement == nil:
		return "new"
	case *movement > 0:
		return "up"
	case *movement < 0:
		return "down"
	}
	return "same"
}

func changeText(direction string, movement *int64) string {
	switch direction {
	case "up":
		return "▲ " + web.Number(*movement)
	case "down":
		return "▼ " + web.Number(-*movement)
	case "same":
		return "="
	}
	return direction
}

// best returns the current rank, else the previous one, else math.MaxInt64.
func (m rankMovement) best() int64 {
	switch {
	case m.Position != nil:
		return *m.Position
	case m.Previous != nil:
		return *m.Previous
	}
	return math.MaxInt64
}

// rankChart shows current and previous ranks: a line for each leaderboard, rank 1 at the
// left. The scale is logarithmic, since a rank at the top weighs more.
type rankChart struct {
	Height int
	Lines  []rankLine
	Ticks  []tick
	More   int // leaderboards that are left out
}

type rankLine struct {
	Label, Direction, Change string
	Y                        int
	From, To                 float64 // x of the ranks; equal when one is unknown
	HasPrevious, HasCurrent  bool
}

type tick struct {
	X    float64
	Text string
}

// Measures of the charts, in the units of their view box.
const (
	chartLeft  = 150 // x of rank 1
	chartRight = 350
	lineHeight = 24
	chartTop   = 28
	maxLines   = 15
)

// newRankChart draws the leaderboards with the best ranks; nil if there is none.
func newRankChart(list []rankMovement) *rankChart {
	list = slices.DeleteFunc(slices.Clone(list), func(m rankMovement) bool {
		return m.best() < 1 || m.best() == math.MaxInt64
	})
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b rankMovement) int {
		return cmp.Or(cmp.Compare(a.best(), b.best()), cmp.Compare(a.Type, b.Type))
	})
	c := &rankChart{More: max(0, len(list)-maxLines)}
	list = list[:len(list)-c.More]
	last := int64(10)
	for _, m := range list {
		for _, p := range []*int64{m.Position, m.Previous} {
			if p != nil {
				last = max(last, *p)
			}
		}
	}
	for at := int64(1); at <= last; at *= 10 {
		c.Ticks = append(c.Ticks, tick{chartX(at, last), strconv.FormatInt(at, 10)})
	}
	for i, m := range list {
		x := chartX(m.best(), last)
		line := rankLine{
			Label: m.Type, Direction: m.Direction(), Change: m.Change(), Y: chartTop + i*lineHeight + lineHeight/2,
			From: x, To: x, HasPrevious: m.Previous != nil, HasCurrent: m.Position != nil,
		}
		if m.Previous != nil {
			line.From = chartX(*m.Previous, last)
		}
		c.Lines = append(c.Lines, line)
	}
	c.Height = chartTop + len(list)*lineHeight + 8
	return c
}

// chartX is the x of a rank on a scale from 1 to last.
func chartX(rank, last int64) float64 {
	x := chartLeft + (chartRight-chartLeft)*math.Log(float64(max(1, rank)))/math.Log(float64(last))
	return math.Round(x*10) / 10
}
