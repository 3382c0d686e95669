package jobs

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// changedAtOnce bounds how many players or guilds are held in memory.
const changedAtOnce = 10_000

// changes is the incremental refresh.
func (r *run) changes(allGuilds bool) error {
	online, err := r.store.OnlineUUIDs(r.ctx)
	if err != nil {
		return err
	}
	players, err := r.awaited(mongo.RankedPlayers, online)
	if err != nil {
		return err
	}
	guilds := map[string]bool{}
	if err := r.inParts(mongo.RankedPlayers, players, guilds); err != nil {
		return err
	}
	touched := slices.Collect(maps.Keys(guilds))
	for after := ""; allGuilds; {
		more, err := r.store.UUIDsAfter(r.ctx, mongo.RankedGuilds, after, batch)
		if err != nil {
			return err
		}
		if len(more) == 0 {
			break
		}
		touched, after = append(touched, more...), more[len(more)-1]
	}
	list, err := r.awaited(mongo.RankedGuilds, touched)
	if err != nil {
		return err
	}
	if err := r.inParts(mongo.RankedGuilds, list, nil); err != nil {
		return err
	}
	return r.store.TouchBoards(r.ctx, r.names, r.now, r.lease.Epoch)
}

// awaited adds to uuids those that are flagged and those that a run before left pending. A
// flag becomes a pending standing before it is cleared and before the record is read: it
// cannot be lost, and one that is set again later counts again.
func (r *run) awaited(of mongo.Ranked, uuids []string) ([]string, error) {
	flagged, err := r.store.FlaggedUUIDs(r.ctx, of)
	if err != nil {
		return nil, err
	}
	for few := range slices.Chunk(flagged, batch) {
		if err := r.store.MarkStandingsPending(r.ctx, of, few, r.lease.Epoch); err != nil {
			return nil, err
		}
		if err := r.store.ClearFlags(r.ctx, of, few); err != nil {
			return nil, err
		}
	}
	pending, err := r.store.PendingStandings(r.ctx, of)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(uuids, pending)
	slices.Sort(all)
	return slices.Compact(all), nil
}

func (r *run) inParts(of mongo.Ranked, uuids []string, guilds map[string]bool) error {
	done := 0
	for part := range slices.Chunk(uuids, changedAtOnce) {
		c := change{run: r, of: of, guilds: guilds, drop: map[string][]leaderboard.Key{}, want: map[string][]wanted{}}
		for few := range slices.Chunk(part, batch) {
			if err := c.read(few); err != nil {
				return err
			}
		}
		if err := c.write(); err != nil {
			return err
		}
		done += len(part)
		r.progress(fmt.Sprintf("refreshing %s", of), done, len(uuids))
	}
	return nil
}

// change is an incremental refresh of some players or guilds.
type change struct {
	*run
	of       mongo.Ranked
	guilds   map[string]bool // of the players read
	subjects []*subject
	drop     map[string][]leaderboard.Key
	want     map[string][]wanted
}

// subject is a player or guild that is looked at.
type subject struct {
	uuid      string
	gone      bool // there is no record any more
	ranking   []*model.RankPosition
	places    []leaderboard.Place // earned now
	positions []int               // of places
	changed   bool                // the standing is to be written
}

// read reads records and standings and works out what is to change. Standings that gain
// entries are widened in the store before any board is touched: whatever happens, a standing
// lists at least what is on the boards.
func (c *change) read(uuids []string) error {
	old, err := c.store.Standings(c.ctx, c.of, uuids)
	if err != nil {
		return err
	}
	subjects, err := c.records(uuids)
	if err != nil {
		return err
	}
	var wide []*mongo.Standing
	for i, s := range subjects {
		before := &mongo.Standing{}
		if old[i] != nil {
			before = old[i]
		}
		entries := leaderboard.PackStanding(s.places)
		s.changed = old[i] == nil && len(entries) > 0 || before.Pending || !bytes.Equal(before.Entries, entries)
		had, err := leaderboard.Standing(before.Entries).Places(s.uuid)
		if err != nil {
			return fmt.Errorf("standing of %s: %w", s.uuid, err)
		}
		for _, p := range had {
			if !slices.Contains(s.places, p) && c.dirs[p.Board] != nil {
				c.drop[p.Board] = append(c.drop[p.Board], p.Key)
			}
		}
		s.positions = make([]int, len(s.places))
		for n, p := range s.places {
			c.want[p.Board] = append(c.want[p.Board], wanted{p.Key, &s.positions[n]})
			if !slices.Contains(had, p) {
				had = append(had, p)
			}
		}
		if !bytes.Equal(before.Entries, entries) {
			wide = append(wide, &mongo.Standing{UUID: s.uuid, Entries: leaderboard.PackStanding(had)})
		}
	}
	c.subjects = append(c.subjects, subjects...)
	return c.store.PutPendingStandings(c.ctx, c.of, wide, c.lease.Epoch)
}

// records reads who is looked at and what they earned.
func (c *change) records(uuids []string) ([]*subject, error) {
	out := make([]*subject, 0, len(uuids))
	add := func(uuid string, ranking []*model.RankPosition, entries []leaderboard.Entry) {
		// A record whose uuid is none stands on no board.
		if places, ok := leaderboard.Places(uuid, entries); ok {
			out = append(out, &subject{uuid: uuid, ranking: ranking, places: places})
		} else {
			out = append(out, &subject{uuid: uuid, gone: true})
		}
	}
	if c.of == mongo.RankedGuilds {
		guilds, err := c.store.ScoredGuilds(c.ctx, uuids)
		if err != nil {
			return nil, err
		}
		for i, g := range guilds {
			if g == nil {
				out = append(out, &subject{uuid: uuids[i], gone: true})
			} else {
				add(uuids[i], g.Ranking, c.catalogue.OfGuild(g))
			}
		}
		c.report.Guilds += len(uuids)
		return out, nil
	}
	players, characters, err := c.store.ScoredPlayers(c.ctx, uuids)
	if err != nil {
		return nil, err
	}
	for i, p := range players {
		if p == nil {
			out = append(out, &subject{uuid: uuids[i], gone: true})
			continue
		}
		if p.Guild != nil {
			c.guilds[p.Guild.UUID] = true
		}
		add(uuids[i], p.Ranking, c.catalogue.OfPlayer(p, characters[i]))
	}
	c.report.Players += len(uuids)
	return out, nil
}

// write brings the boards, then the standings and positions of everybody looked at.
func (c *change) write() error {
	for _, name := range c.names {
		if len(c.drop[name])+len(c.want[name]) == 0 {
			continue
		}
		if err := c.update(c.dirs[name], c.drop[name], c.want[name]); err != nil {
			return err
		}
	}
	if err := c.settle(); err != nil {
		return err
	}
	for few := range slices.Chunk(c.subjects, batch) {
		var standings []*mongo.Standing
		var rankings []mongo.Ranking
		var gone []string
		for _, s := range few {
			if s.gone {
				gone = append(gone, s.uuid)
				continue
			}
			if s.changed {
				standings = append(standings, &mongo.Standing{UUID: s.uuid, Entries: leaderboard.PackStanding(s.places)})
			}
			if now := s.rankings(); !samePositions(now, s.ranking) {
				rankings = append(rankings, mongo.Ranking{UUID: s.uuid, Current: now})
			}
		}
		if err := c.store.PutRankings(c.ctx, c.of, rankings); err != nil {
			return err
		}
		c.report.Rankings += len(rankings)
		if err := c.store.PutStandings(c.ctx, c.of, standings, c.lease.Epoch); err != nil {
			return err
		}
		if err := c.store.DeleteStandings(c.ctx, c.of, gone, c.lease.Epoch); err != nil {
			return err
		}
	}
	return nil
}

// rankings are the positions of a subject: its best on each board.
func (s *subject) rankings() []*model.RankPosition {
	out := []*model.RankPosition{}
	for i, p := range s.places {
		if i == 0 || s.places[i-1].Board != p.Board {
			out = append(out, &model.RankPosition{Type: p.Board, Position: s.positions[i]})
		}
	}
	return out
}
