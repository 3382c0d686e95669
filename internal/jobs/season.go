package jobs

import (
	"errors"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// The board of a season that has ended is refreshed once more, then it is final: neither changed records nor
// guilds that are disbanded or leave the store change it.

// ended reports whether a board is that of a season that has ended.
func (r *run) ended(b *leaderboard.Board) bool {
	return b.Season != nil && b.Season.EndDate != nil && !r.now.Before(*b.Season.EndDate)
}

// final reports whether a board was refreshed after the end of its season.
func (r *run) final(name string) bool { return r.isFinal[name] }

func refreshedSince(d *mongo.Directory, t time.Time) bool {
	return d != nil && d.RefreshedAt != nil && !d.RefreshedAt.Before(t)
}

// refreshedAt returns the time to store with a new directory of a board. That of an ended season gets the time of
// the refresh when all guilds are done: it makes the board final.
func (r *run) refreshedAt(before *mongo.Directory) *time.Time {
	if b := r.catalogue.Named(before.Board); b != nil && r.ended(b) {
		return before.RefreshedAt
	}
	return &r.now
}

// liveBoards returns the names of the boards that are not final.
func (r *run) liveBoards() []string {
	return slices.DeleteFunc(slices.Clone(r.boardNames), r.final)
}

// withFinal returns the places that a guild or player is to have: on final boards those that it had.
func (r *run) withFinal(places, had []leaderboard.Place) []leaderboard.Place {
	onFinal := func(p leaderboard.Place) bool { return r.final(p.Board) }
	final := slices.DeleteFunc(slices.Clone(had), func(p leaderboard.Place) bool { return !onFinal(p) })
	return r.inOrder(append(slices.DeleteFunc(places, onFinal), final...))
}

// inOrder sorts places in the order of the boards.
func (r *run) inOrder(places []leaderboard.Place) []leaderboard.Place {
	slices.SortStableFunc(places, func(a, b leaderboard.Place) int { return r.orderOf[a.Board] - r.orderOf[b.Board] })
	return places
}

// afterDeletion returns the places that a deleted guild is to have: on boards of seasons that had ended before.
func (r *run) afterDeletion(former *model.FormerGuild, uuid string, had []leaderboard.Place) []leaderboard.Place {
	at := r.now
	if former != nil {
		at = former.Disbanded
	}
	endedBefore := func(b *leaderboard.Board) bool {
		return b != nil && b.Season != nil && b.Season.EndDate != nil && !at.Before(*b.Season.EndDate)
	}
	if former == nil { // nothing else is known of it
		return slices.DeleteFunc(slices.Clone(had), func(p leaderboard.Place) bool {
			return !endedBefore(r.catalogue.Named(p.Board))
		})
	}
	entries := r.catalogue.OfGuild(&model.Guild{UUID: uuid, SeasonResults: former.SeasonResults})
	entries = slices.DeleteFunc(entries, func(e leaderboard.Entry) bool { return !endedBefore(e.Board) })
	places, _ := leaderboard.Places(uuid, entries)
	return places
}

// withoutFinal removes the uuids whose standings list places on final boards only: there is nothing to refresh.
func (r *run) withoutFinal(of mongo.Ranked, uuids []string) ([]string, error) {
	standings, err := r.store.Standings.ByUUID(r.ctx, of, uuids)
	if err != nil {
		return nil, err
	}
	var out []string
	for i, s := range standings {
		if s == nil {
			continue
		}
		places, err := leaderboard.Standing(s.Entries).Places(uuids[i])
		if err != nil || len(places) == 0 ||
			slices.ContainsFunc(places, func(p leaderboard.Place) bool { return !r.final(p.Board) }) {
			out = append(out, uuids[i])
		}
	}
	return out, nil
}

// finishSeasons makes the boards of all seasons that have ended final, so that a full refresh does not build them
// from the records that are left. A board that lost a page is built again. It reports whether it changed a board.
func (r *run) finishSeasons() (bool, error) {
	var open []string
	for _, b := range r.catalogue.All {
		if !r.ended(b) {
			continue
		}
		_, err := r.keys(b.Name)
		switch {
		case errors.Is(err, errMissingPage):
			r.dirs[b.Name], r.isFinal[b.Name] = &mongo.Directory{Board: b.Name}, false
		case err != nil:
			return false, err
		}
		if !r.final(b.Name) {
			open = append(open, b.Name)
		}
	}
	if open == nil {
		return false, nil
	}
	uuids, err := r.everyGuild()
	if err != nil {
		return false, err
	}
	counted := r.report.Guilds
	if err := r.refreshInParts(mongo.RankedGuilds, uuids, nil, open); err != nil {
		return false, err
	}
	r.report.Guilds = counted // the full refresh counts them again
	return true, r.touch(open)
}

// everyGuild lists the guilds that exist, that are on a board, or that were disbanded.
func (r *run) everyGuild() ([]string, error) {
	var out []string
	for _, list := range []func(after string) ([]string, error){
		func(after string) ([]string, error) {
			return r.store.Scores.UUIDsAfter(r.ctx, mongo.RankedGuilds, after, batch)
		},
		func(after string) ([]string, error) {
			return r.store.Standings.UUIDs(r.ctx, mongo.RankedGuilds, after, batch)
		},
		func(after string) ([]string, error) { return r.store.Guilds.FormerUUIDs(r.ctx, after, batch) },
	} {
		for after := ""; ; {
			more, err := list(after)
			if err != nil {
				return nil, err
			}
			if len(more) == 0 {
				break
			}
			out, after = append(out, more...), more[len(more)-1]
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// touch sets the time of the last refresh of boards.
func (r *run) touch(names []string) error {
	for _, name := range names {
		b := r.catalogue.Named(name)
		r.isFinal[name] = b != nil && r.ended(b)
	}
	return r.store.Boards.Touch(r.ctx, names, r.now, r.epoch)
}

// keys reads all entries of a board, in order.
func (r *run) keys(name string) ([]leaderboard.Key, error) {
	d := r.dirs[name]
	out := make([]leaderboard.Key, 0, d.Count)
	for refs := range slices.Chunk(d.Pages, maxPages) {
		ids := make([]int64, len(refs))
		for i, ref := range refs {
			ids[i] = ref.ID
		}
		pages, err := r.store.Boards.Pages(r.ctx, ids)
		if err != nil {
			return nil, err
		}
		for i, raw := range pages {
			page, err := leaderboard.ParsePage(raw)
			if err != nil || page.Len() != refs[i].Count {
				return nil, errMissingPage
			}
			for n := range page.Len() {
				out = append(out, page.At(n))
			}
		}
	}
	return out, nil
}
