package httpapi

import (
	"net/http"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// The doors of Observed.
const (
	DoorGraphQL = "graphql"
	DoorREST    = "rest"
	DoorOther   = "other" // pages, metadata, paths nothing lies under
)

// What the answer cache had for a request; empty when the answer is not one that is kept.
const (
	CacheHit   = "hit"
	CacheStale = "stale" // served while the store fails
	CacheMiss  = "miss"
)

// Observed is what a request came to, told when it is over.
type Observed struct {
	Request *http.Request
	Viewer  viewer.Viewer
	Door    string
	// Path is the pattern of the path, such as /v3/player/{username}; empty for a path that
	// nothing lies under.
	Path string
	// Operation is the name of the fixed operation of a path, or the one a GraphQL caller
	// gave: theirs, so bounded in nothing but length.
	Operation string
	// Label is one of few: the fixed operation, or the root field of a GraphQL operation,
	// "several" when it has more than one, "none" when it did not come to run.
	Label  string
	Status int
	Bytes  int64 // of the body, as sent
	Took   time.Duration
	Cache  string
	// Cost is what the request was charged, all buckets together; Bucket the one its
	// headers tell of.
	Cost   int
	Bucket string
	// Store is the time the store took, its commands added up; 0 for an answer that was kept.
	Store time.Duration
}

const (
	labelNone    = "none"
	labelSeveral = "several"
)

// labelOf is the label of a GraphQL operation.
func labelOf(op *graph.Operation) string {
	label := labelNone
	for i, f := range op.Policy.Fields {
		if i > 0 && f.Field != label {
			return labelSeveral
		}
		label = f.Field
	}
	return label
}

// observed collects what is told of a request.
func (p *reply) observed(took time.Duration) Observed {
	o := Observed{
		Request: p.request, Viewer: p.asker, Door: p.through, Path: p.path, Operation: p.operation, Label: p.label,
		Status: p.status, Bytes: p.bytes,
		Took: took, Cache: p.cached, Cost: p.cost, Store: p.store,
	}
	if bucket := p.Header()["RateLimit-Bucket"]; len(bucket) > 0 {
		o.Bucket = bucket[0]
	}
	if o.Door == "" {
		o.Door = DoorOther
	}
	if o.Label == "" {
		o.Label = labelNone
	}
	return o
}
