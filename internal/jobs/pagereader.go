package jobs

import (
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// pageReader returns pages one by one and reads many with each command.
type pageReader struct {
	job
	refs []mongo.PageRef // not read yet
	read [][]byte
}

// next returns the next page; nil if it is missing or damaged.
func (p *pageReader) next() (leaderboard.Page, error) {
	if len(p.read) == 0 {
		n := min(maxPages, len(p.refs))
		ids := make([]int64, n)
		for i, ref := range p.refs[:n] {
			ids[i] = ref.ID
		}
		var err error
		if p.read, err = p.store.Boards.Pages(p.ctx, ids); err != nil {
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
