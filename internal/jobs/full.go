package jobs

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// batch is how many players or guilds are read and written at once.
const batch = 1000

// everything computes all boards and positions anew. With a moment given, the positions
// become those of the day before too, for players in use since and for all guilds.
func (r *run) everything(previousSince time.Time) error {
	r.report.Full = true
	r.fresh, r.swaps, r.old = nil, nil, nil // of an incremental refresh that met damage
	r.state.Unfinished = true
	if err := r.save(); err != nil {
		return err
	}
	for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
		// The state asks for another full refresh until this one ends, so no flag is lost.
		flagged, err := r.store.FlaggedUUIDs(r.ctx, of)
		if err != nil {
			return err
		}
		for few := range slices.Chunk(flagged, batch) {
			if err := r.store.ClearFlags(r.ctx, of, few); err != nil {
				return err
			}
		}
		c := newCensus(r, of)
		if err := c.collect(); err != nil {
			return err
		}
		if err := c.write(); err != nil {
			return err
		}
		if err := c.rank(previousSince); err != nil {
			return err
		}
	}
	r.state.Unfinished, r.state.RefreshedAt, r.state.FullAt = false, r.now, r.now
	return r.save()
}

// census is a full refresh of players or guilds: everybody's entries, packed so that a
// hundred thousand players fit into a fraction of the memory their keys would need.
type census struct {
	*run
	of         mongo.Ranked
	who        [][16]byte // in order, so that places in it compare as the uuids do
	characters [][16]byte // those of one player in order
	piles      []pile
	byBoard    map[*leaderboard.Board]*pile
}

// pile is the entries of one board, then the position of each of who, 0 for none.
type pile struct {
	board     *leaderboard.Board
	entries   []packed
	positions []uint32
}

// packed is an entry: places in who and, from 1, in characters.
type packed struct {
	meta           int64
	who, character uint32
}

func newCensus(r *run, of mongo.Ranked) *census {
	c := &census{run: r, of: of, byBoard: map[*leaderboard.Board]*pile{}}
	for _, b := range r.catalogue.All {
		if !b.Computed() && b.OfGuilds() == (of == mongo.RankedGuilds) {
			before := r.dirs[b.Name].Count
			c.piles = append(c.piles, pile{board: b, entries: make([]packed, 0, before+before/32)})
		}
	}
	for i := range c.piles {
		c.byBoard[c.piles[i].board] = &c.piles[i]
	}
	return c
}

// collect reads everybody, batch by batch, and notes in the standings what they will have.
func (c *census) collect() error {
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
		if err := c.stand(list); err != nil {
			return err
		}
		c.progress(step, len(c.who), 0)
	}
}

// next reads the next batch and adds its entries to the piles; an empty uuid is the end.
func (c *census) next(after string) (list []*mongo.Standing, last string, err error) {
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

// add puts entries on the piles; a record whose uuid is none stands on no board.
func (c *census) add(list []*mongo.Standing, uuid string, entries []leaderboard.Entry,
	characters []*model.Character,
) []*mongo.Standing {
	places, ok := leaderboard.Places(uuid, entries)
	if !ok {
		return list
	}
	who, first := uint32(len(c.who)), uint32(len(c.characters))
	self, _ := leaderboard.NewKey(0, uuid, "")
	c.who = append(c.who, [16]byte(self[8:24]))
	for _, ch := range characters {
		k, _ := leaderboard.NewKey(0, uuid, ch.UUID)
		c.characters = append(c.characters, [16]byte(k[24:]))
	}
	for i, e := range entries {
		p := packed{meta: e.MetaScore, who: who}
		if e.Character != "" {
			p.character = first + 1 + uint32(slices.Index(c.characters[first:], [16]byte(places[i].Key[24:])))
		}
		pile := c.byBoard[e.Board]
		pile.entries = append(pile.entries, p)
	}
	return append(list, &mongo.Standing{UUID: uuid, Entries: leaderboard.PackStanding(places)})
}

// stand writes the standings that change.
func (c *census) stand(list []*mongo.Standing) error {
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

// write makes the boards one after another: new pages, the directory, then the old pages go.
func (c *census) write() error {
	for i := range c.piles {
		p := &c.piles[i]
		slices.SortFunc(p.entries, func(a, b packed) int {
			return cmp.Or(cmp.Compare(b.meta, a.meta), cmp.Compare(a.who, b.who), cmp.Compare(a.character, b.character))
		})
		if err := c.writeBoard(p); err != nil {
			return err
		}
		p.positions = make([]uint32, len(c.who))
		for at, e := range p.entries {
			if p.positions[e.who] == 0 {
				p.positions[e.who] = uint32(at) + 1
			}
		}
		p.entries = nil
		c.progress("writing boards of "+string(c.of), i+1, len(c.piles))
	}
	return nil
}

func (c *census) writeBoard(p *pile) error {
	before := c.dirs[p.board.Name]
	d := &mongo.Directory{Board: p.board.Name, RefreshedAt: &c.now, Count: len(p.entries)}
	for rest := p.entries; len(rest) > 0; {
		n := min(leaderboard.PageSize, len(rest))
		page := make(leaderboard.Page, 0, n*leaderboard.KeySize)
		for _, e := range rest[:n] {
			page = page.Append(c.key(e))
		}
		d.Pages, rest = append(d.Pages, c.run.add(page)), rest[n:]
		if len(c.fresh) == pagesAtOnce {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
	c.swaps = append(c.swaps, d)
	for _, ref := range before.Pages {
		c.old = append(c.old, ref.ID)
	}
	return c.settle()
}

func (c *census) key(e packed) leaderboard.Key {
	if e.character == 0 {
		return leaderboard.PackKey(e.meta, c.who[e.who], [16]byte{})
	}
	return leaderboard.PackKey(e.meta, c.who[e.who], c.characters[e.character-1])
}
