package resolvers

import (
	"context"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// countedBy maps a kind of caller to what its requests are counted by.
var countedBy = map[viewer.Kind]model.RateLimitCaller{
	viewer.Guest:   model.RateLimitCallerAddress,
	viewer.Session: model.RateLimitCallerUser,
	viewer.Token:   model.RateLimitCallerToken,
	viewer.OAuth:   model.RateLimitCallerGrant,
}

// RateLimit returns the counters of the viewer. graph.Executor.DryRun decides what a dry run leaves out.
func (r queryResolver) RateLimit(ctx context.Context, _ bool) (*model.RateLimits, error) {
	l, names := r.Limits, each(model.AllBucket, model.Bucket.String)
	out := &model.RateLimits{
		Cost: []*model.BucketCost{}, CountedBy: countedBy[viewer.Guest], UnitFields: l.UnitFields,
		Query: &model.QueryLimits{
			Tokens: l.Tokens, Selections: l.Selections, Fields: l.Fields, Depth: l.Depth,
			IntrospectionDepth: l.IntrospectionDepth, Aliases: l.Aliases, AliasLength: l.AliasLength, Cost: l.Cost,
			Body: int(r.MaxBody),
		},
	}
	charges := graph.ChargesOf(ctx)
	for _, b := range model.AllBucket {
		if cost := charges[string(b)]; cost > 0 {
			out.Cost = append(out.Cost, &model.BucketCost{Bucket: b, Cost: cost})
		}
	}
	for _, c := range r.Counters(viewer.From(ctx), names) {
		out.CountedBy = countedBy[c.Kind]
		out.Buckets = append(out.Buckets, &model.BucketLimit{
			Bucket: model.Bucket(c.Bucket), Limit: c.Limit, Remaining: c.Remaining, Reset: c.Reset, Window: c.Window,
		})
	}
	return out, nil
}
