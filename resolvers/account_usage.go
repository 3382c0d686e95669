package resolvers

import (
	"context"
	"time"

	"gamedata/graph/model"
	"gamedata/loaders"
)

func (r apiTokenResolver) Expired(_ context.Context, t *model.APIToken) (bool, error) {
	return r.accounts.TokenExpired(t), nil
}

func (apiTokenResolver) LastUsed(ctx context.Context, t *model.APIToken) (*time.Time, error) {
	return lastUsed(ctx, t.Key)
}

func (apiTokenResolver) Usage(ctx context.Context, t *model.APIToken) ([]*model.BucketUsage, error) {
	return usage(ctx, t.Key)
}

func (applicationResolver) LastUsed(ctx context.Context, a *model.Application) (*time.Time, error) {
	return lastUsed(ctx, a.ClientID)
}

func (applicationResolver) Usage(ctx context.Context, a *model.Application) ([]*model.BucketUsage, error) {
	return usage(ctx, a.ClientID)
}

func (grantResolver) LastUsed(ctx context.Context, g *model.Grant) (*time.Time, error) {
	return lastUsed(ctx, g.Key)
}

func (sessionResolver) LastUsed(ctx context.Context, s *model.Session) (*time.Time, error) {
	return lastUsed(ctx, s.Digest)
}

func usageOf(ctx context.Context, id string) (*model.Usage, error) {
	return stored(loaders.From(ctx).UsageOf.Load(ctx, id)())
}

func lastUsed(ctx context.Context, id string) (*time.Time, error) {
	u, err := usageOf(ctx, id)
	if err != nil {
		return nil, err
	}
	return u.LastUsed, nil
}

func usage(ctx context.Context, id string) ([]*model.BucketUsage, error) {
	u, err := usageOf(ctx, id)
	if err != nil {
		return nil, err
	}
	out := []*model.BucketUsage{}
	for _, b := range model.AllBucket {
		if n := u.Charged[string(b)]; n > 0 {
			out = append(out, &model.BucketUsage{Bucket: b, Charged: n})
		}
	}
	return out, nil
}
