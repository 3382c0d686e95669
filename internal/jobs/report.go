package jobs

import "fmt"

// Report is what a job did.
type Report struct {
	// Full says that everything was computed anew.
	Full bool
	// Players and Guilds are how many were looked at.
	Players, Guilds int
	// Pages is how many pages of boards were written, Rankings how many records got new
	// positions.
	Pages, Rankings int
	// Removed is how much was swept.
	Removed int
}

// String tells it in a few words.
func (r Report) String() string {
	return fmt.Sprintf("looked at %d players and %d guilds, wrote %d pages and %d rankings, removed %d",
		r.Players, r.Guilds, r.Pages, r.Rankings, r.Removed)
}
