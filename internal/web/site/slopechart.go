package site

// slopeChart shows how the top of a leaderboard changed: previous ranks at the left,
// current ranks at the right.
type slopeChart struct {
	Height int
	Lines  []slope
	Below  int // y of the ranks below those shown
}

type slope struct {
	Position    int64
	Label       string
	Direction   string
	Hidden      bool
	From, To    int  // y
	HasPrevious bool // whether a previous rank is known
	TextY       int  // of the label
}

// maxSlopes is how many entries are drawn.
const maxSlopes = 20

// newSlopeChart draws the top of a leaderboard; nil if it is empty.
func newSlopeChart(entries []entry) *slopeChart {
	entries = entries[:min(maxSlopes, len(entries))]
	if len(entries) == 0 {
		return nil
	}
	y := func(position int64) int { return chartTop + int(position-1)*lineHeight + lineHeight/2 }
	last := entries[len(entries)-1].Position
	c := &slopeChart{Below: y(last + 1)}
	for _, e := range entries {
		line := slope{
			Position: e.Position, Direction: e.Direction(), Hidden: e.Name == nil,
			From: y(e.Position), To: y(e.Position), TextY: y(e.Position) + 4,
		}
		if e.Name != nil {
			line.Label = *e.Name
		}
		if e.PreviousPosition != nil {
			line.HasPrevious = true
			line.From = y(min(max(1, *e.PreviousPosition), last+1))
		}
		c.Lines = append(c.Lines, line)
	}
	c.Height = c.Below + lineHeight
	return c
}
