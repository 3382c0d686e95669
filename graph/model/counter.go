package model

// Counter is a number of PlayerTotals that grows while the player plays. PlayerCounters lists all counters, generated
// from the record's declaration.
type Counter struct {
	// Name is the name of the field, Path the path of the number in stored players: globalData.raids.total.
	Name, Path string
	// Label names the counter on pages: "Mobs killed".
	Label string
	// Metric is the metric of the counter's history; empty without a history.
	Metric HistoryMetric

	// Number returns the player's counter, NumberOf the part of a character; nil for lists.
	Number   func(*PlayerTotals) *int64
	NumberOf func(*Character) int64
	// List returns the player's list with a total, ListOf the list of a character. Both are nil for numbers, and ListOf
	// if characters have no such list.
	List   func(*PlayerTotals) **CountList
	ListOf func(*Character) *CountList
}

// Value returns the counter's number in a player's totals, or false if the record lacks it.
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

// valueOf dereferences a pointer; nil gives the zero value.
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

// AddCounter adds a counter to another counter; each may be missing.
func AddCounter(to **int64, counter *int64) { Add(to, valueOf(counter)) }

// PlayerStat returns a number of a player by the path of a featured stat: a counter, or the playtime in whole hours. ok
// is false for any other path and for a missing number.
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
