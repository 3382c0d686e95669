package jobs

import (
	"bytes"
	"encoding/binary"
	"slices"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// boardRecord is the size of an entry in the sorter: the index of the board, then the key.
const boardRecord = 2 + leaderboard.KeySize

// refreshBoards is phase 2 of a full refresh: it sorts the entries of all standings and writes the changed pages.
func (r *run) refreshBoards(of mongo.Ranked) error {
	boards := slices.DeleteFunc(r.namesOf(of), func(name string) bool { return r.final[name] })
	entries := r.newSorter(boardRecord)
	defer entries.close()
	if err := r.readEntries(of, boards, entries); err != nil {
		return err
	}
	next, err := entries.sorted()
	if err != nil {
		return err
	}
	s := &entryStream{next: next}
	if err := s.advance(); err != nil {
		return err
	}
	step, done := "writing boards of "+string(of), 0
	err = r.eachDirectories(boards, func(list []*mongo.Directory) error {
		pages := &pageReader{job: r.job}
		for _, d := range list {
			pages.refs = append(pages.refs, d.Pages...)
		}
		for _, d := range list {
			if err := r.rebuild(d, done, s, pages); err != nil {
				return err
			}
			done++
			r.Progress(step, done, len(boards))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := r.commit(); err != nil {
		return err
	}
	return r.store.Boards.Touch(r.ctx, boards, r.now, r.epoch)
}

// readEntries reads the entries of boards from all standings of players or guilds.
func (r *run) readEntries(of mongo.Ranked, boards []string, to *sorter) error {
	index := map[string]int{}
	for i, name := range boards {
		index[name] = i
	}
	record, seen := make([]byte, boardRecord), 0
	for standings, err := range r.store.Standings.Between(r.ctx, of, "", "", 2*batch) {
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
type entryStream struct {
	next  func() ([]byte, bool, error)
	board int // of the first entry; -1 at the end
	key   leaderboard.Key
}

func (s *entryStream) advance() error {
	record, ok, err := s.next()
	if err != nil || !ok {
		s.board = -1
		return err
	}
	s.board, s.key = int(binary.BigEndian.Uint16(record)), leaderboard.Key(record[2:])
	return nil
}

// smallPage is a number of entries; a smaller page is merged with the next.
const smallPage = leaderboard.PageSize / 4

// rebuild compares a board with its sorted entries, page by page. Unchanged pages stay, which keeps readers' caches
// valid; others are replaced.
func (r *run) rebuild(d *mongo.Directory, index int, entries *entryStream, pages *pageReader) error {
	changed := &mongo.Directory{Board: d.Board, RefreshedAt: &r.now, Pages: make([]mongo.PageRef, 0, len(d.Pages)+1)}
	add := func(p leaderboard.Page) error {
		changed.Pages = append(changed.Pages, r.addPage(slices.Clone(p)))
		if len(r.newPages) < maxPages {
			return nil
		}
		return r.flush()
	}
	var page leaderboard.Page // the entries up to the end of a page
	for i := range max(len(d.Pages), 1) {
		last, fits := i >= len(d.Pages)-1, true
		for entries.board == index && (last || entries.key.Compare(d.Pages[i].Last) <= 0) {
			if page.Len() == 2*leaderboard.PageSize {
				if err := add(page[:len(page)/2]); err != nil {
					return err
				}
				page, fits = append(page[:0], page[len(page)/2:]...), false
			}
			page = page.Append(entries.key)
			if err := entries.advance(); err != nil {
				return err
			}
		}
		if i < len(d.Pages) {
			stored, err := pages.next()
			if err != nil {
				return err
			}
			if ref := d.Pages[i]; fits && page.Len() == ref.Count && page.Len() > 0 && bytes.Equal(stored, page) &&
				page.Last() == ref.Last && (last || page.Len() >= smallPage) {
				changed.Pages, page = append(changed.Pages, ref), page[:0]
				continue
			}
			r.oldPages = append(r.oldPages, d.Pages[i].ID)
		}
		if page.Len() > 0 && (last || page.Len() >= smallPage) {
			if err := add(page); err != nil {
				return err
			}
			page = page[:0]
		}
	}
	for _, ref := range changed.Pages {
		changed.Count += ref.Count
	}
	if changed.Count != d.Count || !slices.Equal(changed.Pages, d.Pages) {
		r.newDirectories = append(r.newDirectories, changed)
	}
	if len(r.newPages)+len(r.oldPages) < maxPages {
		return nil
	}
	return r.commit()
}
