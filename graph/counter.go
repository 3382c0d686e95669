package graph

import "gamedata/graph/viewer"

// Counter is the state of one caller's rate limit in one bucket, as the headers of WIRE §1.2
// tell it.
type Counter struct {
	Bucket string // upper case
	// Kind says whose rates count for the caller: those of a guest are counted by address, of
	// a session by user, of a token by token, of an application by application and user.
	Kind viewer.Kind
	// Limit is what the counter allows in Window seconds, Remaining what would pass now.
	Limit, Remaining int
	// Reset is how many seconds it takes until the counter is full.
	Reset, Window int
}
