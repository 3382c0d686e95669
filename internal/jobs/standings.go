package jobs

import (
	"bytes"
	"cmp"
	"slices"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// standingPass is phase 1 of a full refresh, for a range of players or guilds.
type standingPass struct {
	*task
	entries map[string]int // of the standings, by board
}

// ranked is a player or guild with the places to have on boards that are not final.
type ranked struct {
	uuid   string
	places []leaderboard.Place
}

// refreshStandings makes the standings of a range match the records, and counts their entries.
func (t *task) refreshStandings() (map[string]int, error) {
	p := standingPass{task: t, entries: map[string]int{}}
	step := "reading " + string(t.Of)
	for after, last := t.uuidRange(); ; {
		list, end, err := p.next(after, last)
		if err != nil {
			return nil, err
		}
		// At the end there may be standings without a record.
		if err := p.compare(list, after, cmp.Or(end, last)); err != nil {
			return nil, err
		}
		t.Progress(step, t.read[t.Of]+t.report.Players+t.report.Guilds, 0)
		if end == "" {
			t.read[t.Of] += t.report.Players + t.report.Guilds
			return p.entries, nil
		}
		after = end
	}
}

// next reads the next batch of records and returns the last uuid in it, or none if it is the last batch.
func (p *standingPass) next(after, last string) (list []ranked, end string, err error) {
	if p.Of == mongo.RankedGuilds {
		uuids, err := p.store.Scores.NextUUIDs(p.ctx, p.Of, after, last, batch)
		if err != nil {
			return nil, "", err
		}
		guilds, err := p.store.Scores.Guilds(p.ctx, uuids)
		if err != nil {
			return nil, "", err
		}
		for i, g := range guilds {
			if g != nil {
				list = p.add(list, uuids[i], p.catalogue.OfGuild(g))
			}
		}
		p.report.Guilds += len(uuids)
		if len(uuids) < batch {
			return list, "", nil
		}
		return list, uuids[len(uuids)-1], nil
	}
	players, characters, err := p.store.Scores.NextPlayers(p.ctx, after, last, batch)
	if err != nil {
		return nil, "", err
	}
	for i, player := range players {
		list = p.add(list, player.UUID, p.catalogue.OfPlayer(player, characters[i]))
	}
	p.report.Players += len(players)
	if len(players) < batch {
		return list, "", nil
	}
	return list, players[len(players)-1].UUID, nil
}

// add adds a player or guild. A record with an invalid uuid is on no board.
func (p *standingPass) add(list []ranked, uuid string, entries []leaderboard.Entry) []ranked {
	entries = slices.DeleteFunc(entries, func(e leaderboard.Entry) bool { return p.final[e.Board.Name] })
	places, ok := leaderboard.Places(uuid, entries)
	if !ok {
		return list
	}
	return append(list, ranked{uuid, places})
}

// compare writes the standings that differ, and deletes those of players and guilds that do not exist unless they are
// on final boards. The list has all that exist after one uuid up to another, in order.
func (p *standingPass) compare(list []ranked, after, upTo string) error {
	var changed []*mongo.Standing
	var deleted []string
	check := func(who ranked, exists bool, old *mongo.Standing) {
		if p.Of == mongo.RankedGuilds && old != nil {
			// A standing that cannot be read has no places to keep.
			had, _ := leaderboard.Standing(old.Entries).Places(who.uuid)
			who.places = p.withFinal(who.places, had)
		}
		if !exists && len(who.places) == 0 {
			deleted = append(deleted, who.uuid)
			return
		}
		for _, place := range who.places {
			p.entries[place.Board]++
		}
		entries := leaderboard.PackStanding(who.places)
		if old == nil || old.Pending || !bytes.Equal(old.Entries, entries) {
			changed = append(changed, &mongo.Standing{UUID: who.uuid, Entries: entries})
		}
	}
	for {
		standings, err := p.store.Standings.Next(p.ctx, p.Of, after, upTo, 2*batch)
		if err != nil {
			return err
		}
		for _, old := range standings {
			for len(list) > 0 && list[0].uuid < old.UUID {
				check(list[0], true, nil)
				list = list[1:]
			}
			if len(list) > 0 && list[0].uuid == old.UUID {
				check(list[0], true, old)
				list = list[1:]
			} else {
				check(ranked{uuid: old.UUID}, false, old)
			}
		}
		more := len(standings) == 2*batch
		if !more {
			for _, who := range list {
				check(who, true, nil)
			}
		}
		if err := p.store.Standings.Put(p.ctx, p.Of, changed, p.epoch); err != nil {
			return err
		}
		if err := p.store.Standings.Delete(p.ctx, p.Of, deleted, p.epoch); err != nil {
			return err
		}
		if !more {
			return nil
		}
		changed, deleted, after = nil, nil, standings[len(standings)-1].UUID
	}
}
