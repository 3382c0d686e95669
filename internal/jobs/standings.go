package jobs

import (
	"bytes"
	"context"
	"slices"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// standings writes the standings of players or guilds for the holder of a lease.
type standings struct {
	store *mongo.StandingStore
	of    mongo.Ranked
	epoch int64

	changed []*mongo.Standing
	deleted []string
}

func (r *run) standingsOf(of mongo.Ranked) *standings {
	return &standings{store: &r.store.Standings, of: of, epoch: r.epoch}
}

// add queues the standing of a player or guild if it differs from the stored one, which may be nil. A standing without
// places is deleted with its player or guild.
func (s *standings) add(who *subject, old *mongo.Standing) {
	if who.deleted && len(who.places) == 0 {
		s.deleted = append(s.deleted, who.uuid)
		return
	}
	entries := leaderboard.PackStanding(who.places)
	if old == nil || old.Pending || !bytes.Equal(old.Entries, entries) {
		s.changed = append(s.changed, &mongo.Standing{UUID: who.uuid, Entries: entries})
	}
}

func (s *standings) write(ctx context.Context) error {
	for some := range slices.Chunk(s.changed, batch) {
		if err := s.store.Put(ctx, s.of, some, s.epoch); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(s.deleted, batch) {
		if err := s.store.Delete(ctx, s.of, some, s.epoch); err != nil {
			return err
		}
	}
	s.changed, s.deleted = nil, nil
	return nil
}

// refreshStandings is phase 1 of a full refresh: it makes the standings match the records.
func (r *run) refreshStandings(ctx context.Context, of mongo.Ranked) error {
	to := r.standingsOf(of)
	for after, seen := "", 0; ; {
		uuids, err := r.store.Scores.UUIDsAfter(ctx, of, after, batch)
		if err != nil {
			return err
		}
		list, err := r.subjects(ctx, of, uuids, nil)
		if err != nil {
			return err
		}
		end := "" // standings may remain after the last record
		if len(uuids) == batch {
			end = uuids[batch-1]
		}
		if err := r.compare(ctx, to, list, after, end); err != nil {
			return err
		}
		seen += len(uuids)
		r.Progress("reading "+string(of), seen, 0)
		if end == "" {
			return nil
		}
		after = end
	}
}

// compare writes the standings that differ, and deletes the standings of missing players and guilds unless they are on
// final boards. list covers all existing uuids between after (exclusive) and upTo, in order.
func (r *run) compare(ctx context.Context, to *standings, list []*subject, after, upTo string) error {
	for page, err := range to.store.Between(ctx, to.of, after, upTo, 2*batch) {
		if err != nil {
			return err
		}
		for _, old := range page {
			for len(list) > 0 && list[0].uuid < old.UUID {
				to.add(r.withHad(to.of, list[0], nil), nil)
				list = list[1:]
			}
			who := &subject{uuid: old.UUID, deleted: true}
			if len(list) > 0 && list[0].uuid == old.UUID {
				who, list = list[0], list[1:]
			}
			to.add(r.withHad(to.of, who, old), old)
		}
		if err := to.write(ctx); err != nil {
			return err
		}
	}
	for _, who := range list {
		to.add(r.withHad(to.of, who, nil), nil)
	}
	return to.write(ctx)
}

// withHad gives a guild the places on final boards that its old standing lists. An unreadable standing has none.
func (r *run) withHad(of mongo.Ranked, who *subject, old *mongo.Standing) *subject {
	if of == mongo.RankedGuilds {
		var had []leaderboard.Place
		if old != nil {
			had, _ = leaderboard.Standing(old.Entries).Places(who.uuid)
		}
		who.places = r.own(r.withFinal(who.places, had), who.added)
	}
	return who
}
