package jobs

import (
	"context"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// pageReader returns pages one by one and reads many with each command.
type pageReader struct {
	store *mongo.BoardStore
	refs  []mongo.PageRef // not read yet
	read  [][]byte
}

func newPageReader(store *mongo.BoardStore, boards ...*mongo.Directory) *pageReader {
	p := &pageReader{store: store}
	for _, d := range boards {
		p.refs = append(p.refs, d.Pages...)
	}
	return p
}

// next returns the next page; nil if it is missing or damaged.
func (p *pageReader) next(ctx context.Context) (leaderboard.Page, error) {
	if len(p.read) == 0 {
		n := min(maxPages, len(p.refs))
		ids := make([]int64, n)
		for i, ref := range p.refs[:n] {
			ids[i] = ref.ID
		}
		var err error
		if p.read, err = p.store.Pages(ctx, ids); err != nil {
			return nil, err
		}
		p.refs = p.refs[n:]
	}
	page, err := leaderboard.ParsePage(p.read[0])
	p.read = p.read[1:]
	if err != nil {
		page = nil
	}
	return page, nil
}
