package jobs

import (
	"context"
	"slices"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// withoutFinal removes the uuids with places on final boards only: they need no refresh.
func (r *run) withoutFinal(ctx context.Context, of mongo.Ranked, uuids []string) ([]string, error) {
	found, err := r.store.Standings.ByUUID(ctx, of, uuids)
	if err != nil {
		return nil, err
	}
	var out []string
	for i, s := range found {
		if s == nil {
			continue
		}
		places, err := leaderboard.Standing(s.Entries).Places(uuids[i])
		if err != nil || len(places) == 0 ||
			slices.ContainsFunc(places, func(p leaderboard.Place) bool { return !r.final[p.Board] }) {
			out = append(out, uuids[i])
		}
	}
	return out, nil
}

// finishSeasons makes the boards of all ended seasons final. A full refresh then does not rebuild them from the
// remaining records. A board with a missing page is rebuilt.
func (r *run) finishSeasons(ctx context.Context) error {
	var open []string
	for _, name := range r.names {
		if !r.ended(name) {
			continue
		}
		whole, err := r.isWhole(ctx, name)
		if err != nil {
			return err
		}
		if !whole {
			r.boards.dirs[name], r.final[name] = &mongo.Directory{Board: name}, false
		}
		if !r.final[name] {
			open = append(open, name)
		}
	}
	if open == nil {
		return nil
	}
	uuids, err := r.everyGuild(ctx)
	if err != nil {
		return err
	}
	counted := r.report.Guilds
	if err := r.refreshInParts(ctx, mongo.RankedGuilds, uuids, nil, open); err != nil {
		return err
	}
	r.report.Guilds = counted // the full refresh counts them again
	return r.touch(ctx, open)
}

// isWhole reports whether all pages of a board can be read.
func (r *run) isWhole(ctx context.Context, name string) (bool, error) {
	d := r.boards.dirs[name]
	pages := newPageReader(&r.store.Boards, d)
	for _, ref := range d.Pages {
		page, err := pages.next(ctx)
		if err != nil || page.Len() != ref.Count {
			return false, err
		}
	}
	return true, nil
}

// everyGuild lists all existing guilds, disbanded guilds and guilds on a board.
func (r *run) everyGuild(ctx context.Context) ([]string, error) {
	existing, err := r.store.Scores.UUIDsBetween(ctx, mongo.RankedGuilds, "", "")
	if err != nil {
		return nil, err
	}
	all, err := r.store.FormerGuilds.UUIDs(ctx)
	if err != nil {
		return nil, err
	}
	all = append(all, existing...)
	for ranked, err := range r.store.Standings.UUIDs(ctx, mongo.RankedGuilds, batch) {
		if err != nil {
			return nil, err
		}
		all = append(all, ranked...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// touch sets the time of the last refresh of boards, which makes the boards of ended seasons final.
func (r *run) touch(ctx context.Context, names []string) error {
	for _, name := range names {
		if r.ended(name) {
			r.final[name] = true
		}
	}
	return r.store.Boards.Touch(ctx, names, r.now, r.epoch)
}
