package site

// slopes is a chart of how the top of a board moved: the places of the day before at the left,
// those of now at the right.
type slopes struct {
	Height int
	Lines  []slope
	Below  int // y of the places beneath those shown
}

type slope struct {
	Position int64
	Label    string
	Way      string
	Hidden   bool
	From, To int  // y
	Known    bool // there was a place the day before
	Text     int  // y of the label
}

// mostSlopes is how many places are drawn.
const mostSlopes = 20

// chartOfBoard draws the top of a board; nil when it is empty.
func chartOfBoard(entries []entry) *slopes {
	entries = entries[:min(mostSlopes, len(entries))]
	if len(entries) == 0 {
		return nil
	}
	y := func(position int64) int { return chartTop + int(position-1)*lineHeight + lineHeight/2 }
	last := entries[len(entries)-1].Position
	s := &slopes{Below: y(last + 1)}
	for _, e := range entries {
		line := slope{
			Position: e.Position, Way: e.Way(), Hidden: e.Name == nil, To: y(e.Position), From: y(e.Position),
			Text: y(e.Position) + 4,
		}
		if e.Name != nil {
			line.Label = *e.Name
		}
		if e.PreviousRanking != nil {
			line.Known = true
			line.From = y(min(max(1, *e.PreviousRanking), last+1))
		}
		s.Lines = append(s.Lines, line)
	}
	s.Height = s.Below + lineHeight
	return s
}
