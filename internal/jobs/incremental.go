package jobs

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// maxChanges is how many flagged players or guilds an incremental refresh takes.
const maxChanges = 500_000

// maxSubjects bounds the number of players or guilds in memory.
const maxSubjects = 10_000

// incrementalRefresh updates the boards for players and guilds that may have changed.
func (r *run) incrementalRefresh(ctx context.Context, allGuilds bool) error {
	online, err := r.store.Players.OnlineUUIDs(ctx)
	if err != nil {
		return err
	}
	players, err := r.pendingSubjects(ctx, mongo.RankedPlayers, online)
	if err != nil {
		return err
	}
	guilds := map[string]bool{}
	if err := r.refreshInParts(ctx, mongo.RankedPlayers, players, guilds, nil); err != nil {
		return err
	}
	touched := slices.Collect(maps.Keys(guilds))
	if allGuilds {
		every, err := r.everyGuild(ctx)
		if err != nil {
			return err
		}
		touched = append(touched, every...)
	}
	list, err := r.pendingSubjects(ctx, mongo.RankedGuilds, touched)
	if err != nil {
		return err
	}
	if err := r.refreshInParts(ctx, mongo.RankedGuilds, list, nil, nil); err != nil {
		return err
	}
	return r.touch(ctx, slices.DeleteFunc(slices.Clone(r.names), r.isFinal))
}

// pendingSubjects appends flagged uuids, and uuids that an earlier run left pending. It marks the standing as pending
// before it clears a flag and before the record is read, so that no flag is lost.
func (r *run) pendingSubjects(ctx context.Context, of mongo.Ranked, uuids []string) ([]string, error) {
	n := 0
	err := r.eachFlagged(ctx, of, func(flagged []string) error {
		n += len(flagged)
		if n > r.MaxChanges {
			return errManyChanges
		}
		return r.store.Standings.MarkPending(ctx, of, flagged, r.epoch)
	})
	if err != nil {
		return nil, err
	}
	pending, err := r.store.Standings.Pending(ctx, of)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(uuids, pending)
	slices.Sort(all)
	return slices.Compact(all), nil
}

// eachFlagged passes the flagged uuids to work, some at a time, and then clears their flags.
func (r *run) eachFlagged(ctx context.Context, of mongo.Ranked, work func([]string) error) error {
	for {
		flagged, err := r.store.Scores.NextFlagged(ctx, of, batch)
		if err != nil || len(flagged) == 0 {
			return err
		}
		if err := work(flagged); err != nil {
			return err
		}
		if err := r.store.Scores.ClearFlags(ctx, of, flagged); err != nil || len(flagged) < batch {
			return err
		}
	}
}

// refreshInParts refreshes players or guilds; only restricts it to some boards unless nil. Standings still list places
// on all boards, so a full refresh of the other boards must follow. It adds the guilds of players to guilds.
func (r *run) refreshInParts(
	ctx context.Context, of mongo.Ranked, uuids []string, guilds map[string]bool, only []string,
) error {
	done := 0
	for part := range slices.Chunk(uuids, maxSubjects) {
		c := &boardChanges{
			standings: r.standingsOf(of), only: only,
			drop: map[string][]leaderboard.Key{}, insert: map[string][]leaderboard.Key{},
		}
		for few := range slices.Chunk(part, batch) {
			subjects, err := r.subjects(ctx, of, few, guilds)
			if err != nil {
				return err
			}
			if err := r.collect(ctx, subjects, c); err != nil {
				return err
			}
		}
		if err := r.apply(ctx, c); err != nil {
			return err
		}
		done += len(part)
		r.Progress(fmt.Sprintf("refreshing %s", of), done, len(uuids))
	}
	return nil
}

// boardChanges are the changes of some players or guilds.
type boardChanges struct {
	standings *standings // to write after the boards
	only      []string   // the boards to change, all if nil
	drop      map[string][]leaderboard.Key
	insert    map[string][]leaderboard.Key
}

func (c *boardChanges) changes(board string) bool {
	return c.only == nil || slices.Contains(c.only, board)
}

// collect compares subjects with their standings and collects what to change. It writes standings that gain entries
// before any board is written, so that a standing always lists at least what is on the boards.
func (r *run) collect(ctx context.Context, subjects []*subject, c *boardChanges) error {
	of := c.standings.of
	uuids := make([]string, len(subjects))
	for i, s := range subjects {
		uuids[i] = s.uuid
	}
	stored, err := r.store.Standings.ByUUID(ctx, of, uuids)
	if err != nil {
		return err
	}
	var wide []*mongo.Standing
	for i, s := range subjects {
		var before []byte
		if stored[i] != nil {
			before = stored[i].Entries
		}
		had, err := leaderboard.Standing(before).Places(s.uuid)
		if err != nil {
			return fmt.Errorf("standing of %s: %w", s.uuid, err)
		}
		if of == mongo.RankedGuilds && (s.deleted || s.former != nil) {
			s.places = append(s.places, r.afterDeletion(s.former, s.uuid, had)...)
		}
		onBoards := r.withFinal(s.places, had)
		s.places = r.own(onBoards, s.added)
		c.standings.add(s, stored[i])
		for _, p := range had {
			if !slices.Contains(onBoards, p) && r.boards.dirs[p.Board] != nil && c.changes(p.Board) {
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
		if !bytes.Equal(before, leaderboard.PackStanding(s.places)) {
			wide = append(wide, &mongo.Standing{UUID: s.uuid, Entries: leaderboard.PackStanding(had)})
		}
	}
	return r.store.Standings.PutPending(ctx, of, wide, r.epoch)
}

// apply writes the boards, then the standings.
func (r *run) apply(ctx context.Context, c *boardChanges) error {
	for _, name := range r.names {
		if len(c.drop[name])+len(c.insert[name]) == 0 {
			continue
		}
		d, refreshed := r.boards.dirs[name], &r.now
		if r.ended(name) {
			refreshed = d.RefreshedAt // unchanged: touch makes the board final once all guilds are done
		}
		if err := r.boards.edit(ctx, d, refreshed, c.drop[name], c.insert[name]); err != nil {
			return err
		}
	}
	if err := r.boards.commit(ctx); err != nil {
		return err
	}
	return c.standings.write(ctx)
}
