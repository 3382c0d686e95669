package graph

import "gamedata/graph/viewer"

// Counter is the state of one caller's rate limit in one bucket.
type Counter struct {
	Bucket string // upper case
	// Kind is whose limit applies: guests are counted by address, sessions by user, tokens by
	// token, applications by application and user.
	Kind viewer.Kind
	// Limit is how many requests the counter allows in Window seconds, Remaining how many it would allow now.
	Limit, Remaining int
	// Reset is how many seconds it takes until the counter is full.
	Reset, Window int
}
