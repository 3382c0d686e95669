package jobs

import (
	"bytes"
	"slices"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// standingPass is phase 1 of a full refresh.
type standingPass struct {
	*run
	of mongo.Ranked
}

// ranked is a player or guild with the places to have on boards that are not final.
type ranked struct {
	uuid   string
	places []leaderboard.Place
}

// refreshStandings makes the standings match the records.
func (r *run) refreshStandings(of mongo.Ranked) error {
	p := standingPass{r, of}
	for after, seen := "", 0; ; {
		list, end, n, err := p.next(after)
		if err != nil {
			return err
		}
		// At the end there may be standings without a record.
		if err := p.compare(list, after, end); err != nil {
			return err
		}
		seen += n
		r.Progress("reading "+string(of), seen, 0)
		if end == "" {
			return nil
		}
		after = end
	}
}

// next reads the next n records and returns the last uuid of the batch, or none if it is the last batch.
func (p *standingPass) next(after string) (list []ranked, end string, n int, err error) {
	if p.of == mongo.RankedGuilds {
		return p.nextGuilds(after)
	}
	players, characters, err := p.store.Scores.NextPlayers(p.ctx, after, batch)
	if err != nil {
		return nil, "", 0, err
	}
	for i, player := range players {
		list = p.add(list, player.UUID, p.catalogue.OfPlayer(player, characters[i]))
	}
	p.report.Players += len(players)
	if len(players) == batch {
		end = players[batch-1].UUID
	}
	return list, end, len(players), nil
}

func (p *standingPass) nextGuilds(after string) (list []ranked, end string, n int, err error) {
	uuids, err := p.store.Scores.UUIDsAfter(p.ctx, p.of, after, batch)
	if err != nil {
		return nil, "", 0, err
	}
	guilds, err := p.store.Scores.Guilds(p.ctx, uuids)
	if err != nil {
		return nil, "", 0, err
	}
	for i, g := range guilds {
		if g != nil {
			list = p.add(list, uuids[i], p.catalogue.OfGuild(g))
		}
	}
	p.report.Guilds += len(uuids)
	if len(uuids) == batch {
		end = uuids[batch-1]
	}
	return list, end, len(uuids), nil
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

// compare writes the standings that differ, and deletes the standings of missing players and guilds unless they are on
// final boards. The list has all existing ones after one uuid up to another, in order.
func (p *standingPass) compare(list []ranked, after, upTo string) error {
	var changed []*mongo.Standing
	var deleted []string
	check := func(who ranked, exists bool, old *mongo.Standing) {
		if p.of == mongo.RankedGuilds && old != nil {
			// A standing that cannot be read has no places to keep.
			had, _ := leaderboard.Standing(old.Entries).Places(who.uuid)
			who.places = p.withFinal(who.places, had)
		}
		if !exists && len(who.places) == 0 {
			deleted = append(deleted, who.uuid)
			return
		}
		entries := leaderboard.PackStanding(who.places)
		if old == nil || old.Pending || !bytes.Equal(old.Entries, entries) {
			changed = append(changed, &mongo.Standing{UUID: who.uuid, Entries: entries})
		}
	}
	for {
		standings, err := p.store.Standings.Next(p.ctx, p.of, after, upTo, 2*batch)
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
		if err := p.store.Standings.Put(p.ctx, p.of, changed, p.epoch); err != nil {
			return err
		}
		if err := p.store.Standings.Delete(p.ctx, p.of, deleted, p.epoch); err != nil {
			return err
		}
		if !more {
			return nil
		}
		changed, deleted, after = nil, nil, standings[len(standings)-1].UUID
	}
}
