package graph

import "gamedata/graph/viewer"

// Counter is the state of one caller's rate limit in one bucket.
type Counter struct {
	Bucket string // upper case
	// Kind selects the counter: guests are counted by address, sessions by user, tokens by token, applications by
	// application and user.
	Kind viewer.Kind
	// Limit is the number of requests allowed in Window seconds, Remaining the number allowed now.
	Limit, Remaining int
	// Reset is the number of seconds until the counter is full again.
	Reset, Window int
}
