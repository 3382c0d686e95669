package model

// Counter is a number of PlayerTotals that grows while the player plays. PlayerCounters has all of them, generated
// from the record's declaration.
type Counter struct {
	// Name is the name of the field, Path the path of the number in stored players: globalData.raids.total.
	Name, Path string
	// Label names the counter on pages: "Mobs killed".
	Label string
	// Metric is the metric of its history; empty without one.
	Metric HistoryMetric

	// Number is the counter, NumberOf what a character adds to it; nil for lists.
	Number   func(*PlayerTotals) *int64
	NumberOf func(*Character) int64
	// List is the counter of a player, a list with a total, and ListOf the counter of a character; nil for numbers,
	// and ListOf when characters have none.
	List   func(*PlayerTotals) **CountList
	ListOf func(*Character) *CountList
}

// Value returns the number of a player's totals; false when the record lacks it.
func (c Counter) Value(g *PlayerTotals) (int64, bool) {
	switch {
	case g == nil:
		return 0, false
	case c.Number != nil:
		return *c.Number(g), true
	}
	if list := *c.List(g); list != nil {
		return list.Total, true
	}
	return 0, false
}

// valueOf returns the value of a pointer, the zero value of nil.
func valueOf[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// Add raises a counter, which may be missing.
func Add(counter **int64, n int64) {
	if n != 0 {
		sum := valueOf(*counter)
		Raise(&sum, n)
		*counter = &sum
	}
}

// AddCounter adds a counter to another one; each may be missing.
func AddCounter(to **int64, counter *int64) { Add(to, valueOf(counter)) }

// PlayerStat returns a number of a player by the path of a featured stat: a counter, or the playtime in whole hours.
// ok is false for any other path, and for one that the record lacks.
func PlayerStat(p *Player, path string) (n int64, ok bool) {
	if path == "playtime" && p.Playtime != nil {
		return int64(*p.Playtime), true
	}
	for _, c := range PlayerCounters {
		if c.Path == path {
			return c.Value(p.Totals)
		}
	}
	return 0, false
}
