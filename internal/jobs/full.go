package jobs

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// batch is the number of players or guilds read and written at once.
const batch = 1000

// fullRefresh recomputes all boards. With previous it also writes previousRanking.
func (r *run) fullRefresh(previous *previousRankings) error {
	r.report.Full = true
	r.newPages, r.newDirectories, r.oldPages = nil, nil, nil // left by an incremental refresh that failed
	r.state.Unfinished = true
	if err := r.save(); err != nil {
		return err
	}
	if err := r.finishSeasons(); err != nil {
		return err
	}
	for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
		// No flag is lost: until this refresh ends, state.Unfinished causes another full one.
		flagged, err := r.store.FlaggedUUIDs(r.ctx, of)
		if err != nil {
			return err
		}
		for few := range slices.Chunk(flagged, batch) {
			if err := r.store.ClearFlags(r.ctx, of, few); err != nil {
				return err
			}
		}
		c := newFullPass(r, of)
		if err := c.readFinal(); err != nil {
			return err
		}
		if err := c.collect(); err != nil {
			return err
		}
		if err := c.write(); err != nil {
			return err
		}
		if previous != nil {
			if err := c.writePrevious(previous); err != nil {
				return err
			}
		}
	}
	if err := r.recordEvents(); err != nil {
		return err
	}
	r.state.Unfinished, r.state.RefreshedAt, r.state.FullAt = false, r.now, r.now
	return r.save()
}

// fullPass is a full refresh of players or guilds. It holds the entries of all of them, packed into a
// fraction of the memory that their keys would need.
type fullPass struct {
	*run
	of         mongo.Ranked
	subjects   []uuid.UUID // sorted, so that indexes compare as the uuids do
	characters []uuid.UUID // those of one player are sorted
	boards     []boardEntries
	byBoard    map[*leaderboard.Board]*boardEntries
	finals     map[uuid.UUID][]leaderboard.Place // places on final boards
}

// boardEntries are the entries of a board, then the position of each subject, 0 for none.
type boardEntries struct {
	board     *leaderboard.Board
	entries   []packedEntry
	positions []uint32
	final     []leaderboard.Key // of a board that is not written again, in order
}

// packedEntry is an entry: an index into subjects, and one into characters plus 1, 0 for none.
type packedEntry struct {
	meta               int64
	subject, character uint32
}

func newFullPass(r *run, of mongo.Ranked) *fullPass {
	c := &fullPass{run: r, of: of, byBoard: map[*leaderboard.Board]*boardEntries{}}
	for _, b := range r.catalogue.All {
		if !b.Computed() && b.OfGuilds() == (of == mongo.RankedGuilds) {
			before := r.dirs[b.Name].Count
			c.boards = append(c.boards, boardEntries{board: b, entries: make([]packedEntry, 0, before+before/32)})
		}
	}
	for i := range c.boards {
		c.byBoard[c.boards[i].board] = &c.boards[i]
	}
	return c
}

// collect reads all records in batches and writes their standings.
func (c *fullPass) collect() error {
	step := fmt.Sprintf("reading %s", c.of)
	for after := ""; ; {
		list, last, err := c.next(after)
		if err != nil {
			return err
		}
		if last == "" {
			return nil
		}
		after = last
		if err := c.putStandings(list); err != nil {
			return err
		}
		c.progress(step, len(c.subjects), 0)
	}
}

// next reads the next batch and adds its entries to the boards. An empty uuid is the end.
func (c *fullPass) next(after string) (list []*mongo.Standing, last string, err error) {
	if c.of == mongo.RankedGuilds {
		uuids, err := c.store.UUIDsAfter(c.ctx, c.of, after, batch)
		if err != nil || len(uuids) == 0 {
			return nil, "", err
		}
		guilds, err := c.store.ScoredGuilds(c.ctx, uuids)
		if err != nil {
			return nil, "", err
		}
		for i, g := range guilds {
			if g != nil {
				list = c.add(list, uuids[i], c.catalogue.OfGuild(g), nil)
			}
		}
		c.report.Guilds += len(uuids)
		return list, uuids[len(uuids)-1], nil
	}
	players, characters, err := c.store.NextScoredPlayers(c.ctx, after, batch)
	if err != nil || len(players) == 0 {
		return nil, "", err
	}
	for i, p := range players {
		list = c.add(list, p.UUID, c.catalogue.OfPlayer(p, characters[i]), characters[i])
	}
	c.report.Players += len(players)
	return list, players[len(players)-1].UUID, nil
}

// add adds entries to the boards. A record with an invalid uuid is on no board.
func (c *fullPass) add(list []*mongo.Standing, subject string, entries []leaderboard.Entry,
	characters []*model.Character,
) []*mongo.Standing {
	entries = slices.DeleteFunc(entries, func(e leaderboard.Entry) bool { return c.final(e.Board.Name) })
	places, ok := leaderboard.Places(subject, entries)
	if !ok {
		return list
	}
	index, first := uint32(len(c.subjects)), uint32(len(c.characters))
	id, _ := leaderboard.ParseUUID(subject)
	c.subjects = append(c.subjects, id)
	for _, ch := range characters {
		id, _ := leaderboard.ParseUUID(ch.UUID)
		c.characters = append(c.characters, id)
	}
	for i, e := range entries {
		p := packedEntry{meta: e.MetaScore, subject: index}
		if e.Character != "" {
			p.character = first + 1 + uint32(slices.Index(c.characters[first:], uuid.UUID(places[i].Key[24:])))
		}
		board := c.byBoard[e.Board]
		board.entries = append(board.entries, p)
	}
	places = c.inOrder(append(places, c.finals[id]...))
	return append(list, &mongo.Standing{UUID: subject, Entries: leaderboard.PackStanding(places)})
}

// putStandings writes the standings that change.
func (c *fullPass) putStandings(list []*mongo.Standing) error {
	uuids := make([]string, len(list))
	for i, s := range list {
		uuids[i] = s.UUID
	}
	old, err := c.store.Standings(c.ctx, c.of, uuids)
	if err != nil {
		return err
	}
	changed := list[:0]
	for i, s := range list {
		if old[i] == nil || old[i].Pending || !bytes.Equal(old[i].Entries, s.Entries) {
			changed = append(changed, s)
		}
	}
	return c.store.PutStandings(c.ctx, c.of, changed, c.lease.Epoch)
}

// write writes the boards one by one: new pages, the directory, then it deletes the old pages.
func (c *fullPass) write() error {
	for i := range c.boards {
		p := &c.boards[i]
		if c.final(p.board.Name) {
			c.rankFinal(p)
			continue
		}
		slices.SortFunc(p.entries, func(a, b packedEntry) int {
			return cmp.Or(cmp.Compare(b.meta, a.meta), cmp.Compare(a.subject, b.subject), cmp.Compare(a.character, b.character))
		})
		if err := c.writeBoard(p); err != nil {
			return err
		}
		p.positions = make([]uint32, len(c.subjects))
		for at, e := range p.entries {
			if p.positions[e.subject] == 0 {
				p.positions[e.subject] = uint32(at) + 1
			}
		}
		p.entries = nil
		c.progress("writing boards of "+string(c.of), i+1, len(c.boards))
	}
	return nil
}

func (c *fullPass) writeBoard(p *boardEntries) error {
	before := c.dirs[p.board.Name]
	d := &mongo.Directory{Board: p.board.Name, RefreshedAt: &c.now, Count: len(p.entries)}
	for rest := p.entries; len(rest) > 0; {
		n := min(leaderboard.PageSize, len(rest))
		page := make(leaderboard.Page, 0, n*leaderboard.KeySize)
		for _, e := range rest[:n] {
			page = page.Append(c.key(e))
		}
		d.Pages, rest = append(d.Pages, c.addPage(page)), rest[n:]
		if len(c.newPages) == maxPages {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
	c.newDirectories = append(c.newDirectories, d)
	for _, ref := range before.Pages {
		c.oldPages = append(c.oldPages, ref.ID)
	}
	return c.commit()
}

func (c *fullPass) key(e packedEntry) leaderboard.Key {
	if e.character == 0 {
		return leaderboard.PackKey(e.meta, c.subjects[e.subject], uuid.Nil)
	}
	return leaderboard.PackKey(e.meta, c.subjects[e.subject], c.characters[e.character-1])
}
