package jobs

import (
	"bytes"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// standingPass is phase 1 of a full refresh.
type standingPass struct {
	*run
	of mongo.Ranked
}

// refreshStandings makes the standings match the records.
func (r *run) refreshStandings(of mongo.Ranked) error {
	p := standingPass{r, of}
	for after, seen := "", 0; ; {
		uuids, err := r.store.Scores.UUIDsAfter(r.ctx, of, after, batch)
		if err != nil {
			return err
		}
		list, err := r.subjects(of, uuids, nil)
		if err != nil {
			return err
		}
		end := "" // standings may remain after the last record
		if len(uuids) == batch {
			end = uuids[batch-1]
		}
		if err := p.compare(list, after, end); err != nil {
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
func (p *standingPass) compare(list []*subject, after, upTo string) error {
	var changed []*mongo.Standing
	var deleted []string
	check := func(who *subject, old *mongo.Standing) {
		if p.of == mongo.RankedGuilds {
			var had []leaderboard.Place
			if old != nil { // an unreadable standing has no places to keep
				had, _ = leaderboard.Standing(old.Entries).Places(who.uuid)
			}
			who.places = p.own(p.withFinal(who.places, had), who.added)
		}
		if who.deleted && len(who.places) == 0 {
			deleted = append(deleted, who.uuid)
			return
		}
		entries := leaderboard.PackStanding(who.places)
		if old == nil || old.Pending || !bytes.Equal(old.Entries, entries) {
			changed = append(changed, &mongo.Standing{UUID: who.uuid, Entries: entries})
		}
	}
	write := func() error {
		if err := p.store.Standings.Put(p.ctx, p.of, changed, p.epoch); err != nil {
			return err
		}
		err := p.store.Standings.Delete(p.ctx, p.of, deleted, p.epoch)
		changed, deleted = nil, nil
		return err
	}
	for standings, err := range p.store.Standings.Between(p.ctx, p.of, after, upTo, 2*batch) {
		if err != nil {
			return err
		}
		for _, old := range standings {
			for len(list) > 0 && list[0].uuid < old.UUID {
				check(list[0], nil)
				list = list[1:]
			}
			if len(list) > 0 && list[0].uuid == old.UUID {
				check(list[0], old)
				list = list[1:]
			} else {
				check(&subject{uuid: old.UUID, deleted: true}, old)
			}
		}
		if err := write(); err != nil {
			return err
		}
	}
	for _, who := range list {
		check(who, nil)
	}
	return write()
}
