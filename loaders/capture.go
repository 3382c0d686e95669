package loaders

import (
	"context"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// CapturePage returns a page of a list of captures, and whether captures follow it.
func (set *Set) CapturePage(ctx context.Context, l mongo.CaptureList, q mongo.PageQuery) (
	[]*model.Capture, bool, error,
) {
	return set.source.store.CapturePage(ctx, l, q)
}

// CountCaptures returns the number of captures of a list.
func (set *Set) CountCaptures(ctx context.Context, l mongo.CaptureList) (int, error) {
	return set.source.store.CountCaptures(ctx, l)
}

// FirstCaptures returns the first capture of each territory after a time, by its name.
func (set *Set) FirstCaptures(ctx context.Context, after time.Time, names []string) (map[string]*model.Capture, error) {
	return set.source.store.FirstCaptures(ctx, after, names)
}
