package jobs

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// maxChanges is how many flagged players or guilds an incremental refresh takes.
const maxChanges = 500_000

// maxSubjects bounds the number of players or guilds in memory.
const maxSubjects = 10_000

// incrementalRefresh updates the boards for players and guilds that may have changed.
func (r *run) incrementalRefresh(allGuilds bool) error {
	online, err := r.store.Players.OnlineUUIDs(r.ctx)
	if err != nil {
		return err
	}
	players, err := r.pendingSubjects(mongo.RankedPlayers, online)
	if err != nil {
		return err
	}
	guilds := map[string]bool{}
	if err := r.refreshInParts(mongo.RankedPlayers, players, guilds, nil); err != nil {
		return err
	}
	touched := slices.Collect(maps.Keys(guilds))
	if allGuilds {
		every, err := r.everyGuild()
		if err != nil {
			return err
		}
		touched = append(touched, every...)
	}
	list, err := r.pendingSubjects(mongo.RankedGuilds, touched)
	if err != nil {
		return err
	}
	if err := r.refreshInParts(mongo.RankedGuilds, list, nil, nil); err != nil {
		return err
	}
	return r.touch(r.live())
}

// pendingSubjects appends flagged uuids, and uuids that an earlier run left pending. It marks the standing as pending
// before it clears a flag and before the record is read, so that no flag is lost.
func (r *run) pendingSubjects(of mongo.Ranked, uuids []string) ([]string, error) {
	n := 0
	err := r.eachFlagged(of, func(flagged []string) error {
		n += len(flagged)
		if n > r.MaxChanges {
			return errManyChanges
		}
		return r.store.Standings.MarkPending(r.ctx, of, flagged, r.epoch)
	})
	if err != nil {
		return nil, err
	}
	pending, err := r.store.Standings.Pending(r.ctx, of)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(uuids, pending)
	slices.Sort(all)
	return slices.Compact(all), nil
}

// eachFlagged passes the flagged uuids to work, some at a time, and then clears their flags.
func (r *run) eachFlagged(of mongo.Ranked, work func([]string) error) error {
	for {
		flagged, err := r.store.Scores.NextFlagged(r.ctx, of, batch)
		if err != nil || len(flagged) == 0 {
			return err
		}
		if err := work(flagged); err != nil {
			return err
		}
		if err := r.store.Scores.ClearFlags(r.ctx, of, flagged); err != nil {
			return err
		}
	}
}

// refreshInParts refreshes players or guilds; only restricts it to some boards unless nil. Standings still list places
// on all boards, so a full refresh of the other boards must follow.
func (r *run) refreshInParts(of mongo.Ranked, uuids []string, guilds map[string]bool, only []string) error {
	done := 0
	for part := range slices.Chunk(uuids, maxSubjects) {
		c := incrementalPass{
			run: r, of: of, guilds: guilds, only: only,
			drop: map[string][]leaderboard.Key{}, insert: map[string][]leaderboard.Key{},
		}
		for few := range slices.Chunk(part, batch) {
			if err := c.read(few); err != nil {
				return err
			}
		}
		if err := c.write(); err != nil {
			return err
		}
		done += len(part)
		r.Progress(fmt.Sprintf("refreshing %s", of), done, len(uuids))
	}
	return nil
}

type incrementalPass struct {
	*run
	of       mongo.Ranked
	guilds   map[string]bool // of the players read
	only     []string        // the boards to change, all if nil
	subjects []*subject
	drop     map[string][]leaderboard.Key
	insert   map[string][]leaderboard.Key
}

// subject is a player or guild to refresh.
type subject struct {
	uuid    string
	deleted bool                // no record, and no places
	added   time.Time           // of the record
	former  *model.FormerGuild  // the last disbanded guild with the uuid
	places  []leaderboard.Place // to have
	changed bool                // the standing must be written
}

// read reads records and standings and computes what to change. It writes standings that gain entries
// before any board is written, so that a standing always lists at least what is on the boards.
func (c *incrementalPass) read(uuids []string) error {
	old, err := c.store.Standings.ByUUID(c.ctx, c.of, uuids)
	if err != nil {
		return err
	}
	subjects, err := c.run.subjects(c.of, uuids, c.guilds)
	if err != nil {
		return err
	}
	var wide []*mongo.Standing
	for i, s := range subjects {
		before := &mongo.Standing{}
		if old[i] != nil {
			before = old[i]
		}
		had, err := leaderboard.Standing(before.Entries).Places(s.uuid)
		if err != nil {
			return fmt.Errorf("standing of %s: %w", s.uuid, err)
		}
		if c.of == mongo.RankedGuilds && (s.deleted || s.former != nil) {
			s.places = append(s.places, c.afterDeletion(s.former, s.uuid, had)...)
		}
		onBoards := c.withFinal(s.places, had)
		s.places = c.own(onBoards, s.added)
		s.deleted = s.deleted && len(s.places) == 0
		entries := leaderboard.PackStanding(s.places)
		s.changed = old[i] == nil || before.Pending || !bytes.Equal(before.Entries, entries)
		for _, p := range had {
			if !slices.Contains(onBoards, p) && c.dirs[p.Board] != nil && c.changes(p.Board) {
				c.drop[p.Board] = append(c.drop[p.Board], p.Key)
			}
		}
		for _, p := range onBoards {
			if c.changes(p.Board) {
				c.insert[p.Board] = append(c.insert[p.Board], p.Key)
			}
			if !slices.Contains(had, p) {
				had = append(had, p)
			}
		}
		if !bytes.Equal(before.Entries, entries) {
			wide = append(wide, &mongo.Standing{UUID: s.uuid, Entries: leaderboard.PackStanding(had)})
		}
	}
	c.subjects = append(c.subjects, subjects...)
	return c.store.Standings.PutPending(c.ctx, c.of, wide, c.epoch)
}

func (c *incrementalPass) changes(board string) bool {
	return c.only == nil || slices.Contains(c.only, board)
}

// subjects reads players or guilds and computes their new places. It adds the players' guilds to guilds unless that is
// nil.
func (r *run) subjects(of mongo.Ranked, uuids []string, guilds map[string]bool) ([]*subject, error) {
	if of == mongo.RankedGuilds {
		return r.guildSubjects(uuids)
	}
	players, characters, err := r.store.Scores.Players(r.ctx, uuids)
	if err != nil {
		return nil, err
	}
	out := make([]*subject, len(uuids))
	for i, p := range players {
		if p == nil {
			out[i] = &subject{uuid: uuids[i], deleted: true}
			continue
		}
		if p.Guild != nil && guilds != nil {
			guilds[p.Guild.UUID] = true
		}
		out[i] = newSubject(uuids[i], r.catalogue.OfPlayer(p, characters[i]))
	}
	r.report.Players += len(uuids)
	return out, nil
}

// newSubject returns a player or guild that has a record. An invalid uuid is on no board.
func newSubject(uuid string, entries []leaderboard.Entry) *subject {
	places, ok := leaderboard.Places(uuid, entries)
	return &subject{uuid: uuid, places: places, deleted: !ok}
}

func (r *run) guildSubjects(uuids []string) ([]*subject, error) {
	guilds, err := r.store.Scores.Guilds(r.ctx, uuids)
	if err != nil {
		return nil, err
	}
	former, err := r.store.FormerGuilds.ByID(r.ctx, uuids)
	if err != nil && !errors.As(err, new(*mongo.MalformedError)) {
		return nil, err
	}
	out := make([]*subject, len(uuids))
	for i, g := range guilds {
		if g == nil {
			out[i] = &subject{uuid: uuids[i], deleted: true, former: former[i]}
		} else {
			out[i] = newSubject(uuids[i], r.catalogue.OfGuild(g))
			out[i].added, out[i].former = g.AddedAt, former[i]
		}
	}
	r.report.Guilds += len(uuids)
	return out, nil
}

// write updates the boards, then the standings of all subjects.
func (c *incrementalPass) write() error {
	for _, name := range c.names {
		if len(c.drop[name])+len(c.insert[name]) == 0 {
			continue
		}
		if err := c.update(c.dirs[name], c.drop[name], c.insert[name]); err != nil {
			return err
		}
	}
	if err := c.commit(); err != nil {
		return err
	}
	for few := range slices.Chunk(c.subjects, batch) {
		var standings []*mongo.Standing
		var deleted []string
		for _, s := range few {
			if s.deleted {
				deleted = append(deleted, s.uuid)
				continue
			}
			if s.changed {
				standings = append(standings, &mongo.Standing{UUID: s.uuid, Entries: leaderboard.PackStanding(s.places)})
			}
		}
		if err := c.store.Standings.Put(c.ctx, c.of, standings, c.epoch); err != nil {
			return err
		}
		if err := c.store.Standings.Delete(c.ctx, c.of, deleted, c.epoch); err != nil {
			return err
		}
	}
	return nil
}
