package jobs

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// boardRecord is the size of an entry in the sorter: the index of the board, then the key.
const boardRecord = 2 + leaderboard.KeySize

// refreshBoards is phase 2 of a full refresh: it sorts the entries of all standings and writes the changed pages.
func (r *run) refreshBoards(ctx context.Context, of mongo.Ranked) error {
	boards := slices.DeleteFunc(r.namesOf(of), r.isFinal)
	entries := r.newSorter(boardRecord)
	defer entries.close()
	if err := r.readEntries(ctx, of, boards, entries); err != nil {
		return err
	}
	s, err := entries.sorted()
	if err != nil {
		return err
	}
	step, done := "writing boards of "+string(of), 0
	err = r.eachBoard(ctx, boards, func(d *mongo.Directory, pages *pageReader) error {
		err := r.rebuild(ctx, d, done, entryStream{s}, pages)
		done++
		r.Progress(step, done, len(boards))
		return err
	})
	if err != nil {
		return err
	}
	if err := r.boards.commit(ctx); err != nil {
		return err
	}
	return r.store.Boards.Touch(ctx, boards, r.now, r.epoch)
}

// readEntries reads the entries of boards from all standings of players or guilds.
func (r *run) readEntries(ctx context.Context, of mongo.Ranked, boards []string, to *sorter) error {
	index := map[string]int{}
	for i, name := range boards {
		index[name] = i
	}
	record, seen := make([]byte, boardRecord), 0
	for standings, err := range r.store.Standings.Between(ctx, of, "", "", 2*batch) {
		if err != nil {
			return err
		}
		for _, s := range standings {
			places, err := leaderboard.Standing(s.Entries).Places(s.UUID)
			if err != nil {
				continue // phase 1 rewrote every standing it could
			}
			for _, p := range places {
				i, ok := index[p.Board]
				if !ok {
					continue
				}
				binary.BigEndian.PutUint16(record, uint16(i))
				copy(record[2:], p.Key[:])
				if err := to.add(record); err != nil {
					return err
				}
			}
		}
		seen += len(standings)
		r.Progress("sorting "+string(of), seen, 0)
	}
	return nil
}

// entryStream iterates over the sorted entries of boards.
type entryStream struct{ *stream }

// of reports whether the current entry belongs to the board with an index.
func (s entryStream) of(index int) bool {
	return s.record() != nil && int(binary.BigEndian.Uint16(s.record())) == index
}

func (s entryStream) key() leaderboard.Key { return leaderboard.Key(s.record()[2:]) }

// smallPage is a number of entries; a smaller page is merged with the next.
const smallPage = leaderboard.PageSize / 4

// rebuild compares a board with its sorted entries, page by page. Unchanged pages stay, which keeps readers' caches
// valid; others are replaced.
func (r *run) rebuild(ctx context.Context, d *mongo.Directory, index int, entries entryStream, pages *pageReader,
) error {
	changed := &mongo.Directory{Board: d.Board, RefreshedAt: &r.now, Pages: make([]mongo.PageRef, 0, len(d.Pages)+1)}
	add := func(p leaderboard.Page) error {
		ref, err := r.boards.add(ctx, slices.Clone(p))
		changed.Pages = append(changed.Pages, ref)
		return err
	}
	var page leaderboard.Page // the entries up to the end of a page
	for i := range max(len(d.Pages), 1) {
		last, fits := i >= len(d.Pages)-1, true
		for entries.of(index) && (last || entries.key().Compare(d.Pages[i].Last) <= 0) {
			if page.Len() == 2*leaderboard.PageSize {
				if err := add(page[:len(page)/2]); err != nil {
					return err
				}
				page, fits = append(page[:0], page[len(page)/2:]...), false
			}
			page = page.Append(entries.key())
			if err := entries.advance(); err != nil {
				return err
			}
		}
		if i < len(d.Pages) {
			stored, err := pages.next(ctx)
			if err != nil {
				return err
			}
			if ref := d.Pages[i]; fits && page.Len() == ref.Count && page.Len() > 0 && bytes.Equal(stored, page) &&
				page.Last() == ref.Last && (last || page.Len() >= smallPage) {
				changed.Pages, page = append(changed.Pages, ref), page[:0]
				continue
			}
			r.boards.old = append(r.boards.old, d.Pages[i].ID)
		}
		if page.Len() > 0 && (last || page.Len() >= smallPage) {
			if err := add(page); err != nil {
				return err
			}
			page = page[:0]
		}
	}
	return r.boards.replaceChanged(ctx, d, changed)
}
