package simulator

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo/feed"
)

const (
	// partySize is how many go into a raid together.
	partySize = 4
	// outing is how long a party without a raid stays together on average.
	outing = 30 * time.Minute
)

// party is players who play together until it ends.
type party struct {
	members []*player
	ends    time.Time
	raid    string // the raid they are in, empty when none
}

// raidLevels are what a raid wants of each raider, in the order of model.Raids.
var raidLevels = []int{54, 79, 95, 103, 105}

// beginParties lets players gather.
func (w *World) beginParties() {
	for range w.happen(0.5 * float64(len(w.online))) {
		leader := one(w.dice, w.online)
		if leader.party != nil || leader.playing == nil {
			continue
		}
		w.gather(leader, w.company(leader))
	}
}

// company finds who goes along: members of the guild and friends wherever they are, and
// others on the same world; the party is made of one kind first.
func (w *World) company(leader *player) []*player {
	kin, near := []*player{}, []*player{}
	for _, p := range w.online {
		if p == leader || p.party != nil || p.playing == nil {
			continue
		}
		switch {
		case leader.guild != nil && p.guild == leader.guild, slices.Contains(leader.Friends, p.UUID):
			kin = append(kin, p)
		case *p.Server == *leader.Server:
			near = append(near, p)
		}
	}
	w.Shuffle(len(kin), func(i, j int) { kin[i], kin[j] = kin[j], kin[i] })
	w.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
	all := append(kin, near...)
	return all[:min(len(all), partySize-1)]
}

// gather makes a party, brings it to one world and may send it into a raid.
func (w *World) gather(leader *player, company []*player) {
	if len(company) == 0 {
		return
	}
	id := w.uuid()
	gathered := &party{ends: w.now.Add(w.lasting(outing))}
	for _, p := range append([]*player{leader}, company...) {
		p.party, gathered.members = gathered, append(gathered.members, p)
		w.feed.PartyJoined(p.Player, id)
		if *p.Server != *leader.Server {
			w.feed.WorldEntered(p.Player, *leader.Server, p.playing, w.spawn())
			w.tally[WorldChanges]++
		}
	}
	w.parties = append(w.parties, gathered)
	w.tally[Parties]++
	w.enterRaid(gathered)
}

// enterRaid sends a full party into a raid that all its members may enter.
func (w *World) enterRaid(p *party) {
	if len(p.members) != partySize {
		return
	}
	level := maxLevel
	for _, m := range p.members {
		level = min(level, m.playing.Level)
	}
	open := 0
	for open < len(raidLevels) && raidLevels[open] <= level {
		open++
	}
	if open == 0 {
		return
	}
	p.raid = model.Raids[w.IntN(open)]
	p.ends = w.now.Add(time.Duration(w.between(12, 25)) * time.Minute)
}

// endParties ends raids that are completed and parties that are over.
func (w *World) endParties() {
	w.parties = slices.DeleteFunc(w.parties, func(p *party) bool {
		if w.now.Before(p.ends) && len(p.members) > 1 {
			return false
		}
		if p.raid != "" {
			w.completeRaid(p)
			if p.raid = ""; w.chance(0.4) {
				w.enterRaid(p)
				return false
			}
		}
		for _, m := range p.members {
			m.party = nil
			w.feed.PartyLeft(m.Player)
		}
		return true
	})
}

// quitParty takes a player out of the party; the last one left ends it at the next step.
func (w *World) quitParty(p *player) {
	if p.party != nil {
		p.party.members = slices.DeleteFunc(p.party.members, func(m *player) bool { return m == p })
		p.party = nil
	}
}

// completeRaid counts a raid for everybody in it; those who were together may become
// friends.
func (w *World) completeRaid(p *party) {
	run := feed.RaidRun{Raid: p.raid}
	common := p.members[0].guild
	for _, m := range p.members {
		if m.guild != common {
			common = nil
		}
		run.Raiders = append(run.Raiders, feed.Raider{
			Player: m.Player, Character: m.playing, Gambits: w.gambits(),
			Stats: model.RaidStats{
				DamageTaken: w.about(44_000), DamageDealt: w.about(45_000_000), HealthHealed: w.about(61_000), Deaths: w.about(0.4),
				BuffsTaken: w.about(3),
			},
		})
	}
	if w.tally[Raids]++; common != nil {
		run.Guild = common.Guild
		w.tally[GuildRaids]++
	}
	w.feed.RaidCompleted(run)
	a, b := one(w.dice, p.members), one(w.dice, p.members)
	if a != b && len(a.Friends) < 50 && len(b.Friends) < 50 && w.chance(0.15) {
		w.feed.Befriended(a.Player, b.Player)
	}
}

func (w *World) gambits() (g model.GambitCounts) {
	for _, kind := range []*int64{&g.Ten, &g.Twenty, &g.Thirty} {
		if w.chance(0.35) {
			*kind = 1
		}
	}
	return g
}
