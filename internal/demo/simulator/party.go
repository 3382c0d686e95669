package simulator

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/feed"
)

const (
	// partySize is the size of a raid party.
	partySize = 4
	// meanParty is how long a party without a raid lasts on average.
	meanParty = 30 * time.Minute
)

type party struct {
	members []*player
	ends    time.Time
	raid    string // the current raid, empty if none
}

// raidLevels are the levels that raids require of each member, in the order of model.Raids.
var raidLevels = []int{54, 79, 95, 103, 105}

func (w *World) formParties() {
	for range w.happen(0.5 * float64(len(w.online))) {
		leader := pick(w.dice, w.online)
		if leader.party != nil || leader.playing == nil {
			continue
		}
		w.formParty(leader, w.companions(leader))
	}
}

// companions returns up to three players to join a leader: first members of the guild and friends on any
// world, then others on the same world.
func (w *World) companions(leader *player) []*player {
	friends, nearby := []*player{}, []*player{}
	for _, p := range w.online {
		if p == leader || p.party != nil || p.playing == nil {
			continue
		}
		switch {
		case leader.guild != nil && p.guild == leader.guild, slices.Contains(leader.Friends, p.UUID):
			friends = append(friends, p)
		case *p.World == *leader.World:
			nearby = append(nearby, p)
		}
	}
	shuffle(w.dice, friends)
	shuffle(w.dice, nearby)
	all := slices.Concat(friends, nearby)
	return all[:min(len(all), partySize-1)]
}

// formParty forms a party, moves it to the leader's world and may start a raid.
func (w *World) formParty(leader *player, companions []*player) {
	if len(companions) == 0 {
		return
	}
	id := w.uuid()
	formed := &party{ends: w.now.Add(w.duration(meanParty))}
	for _, p := range append([]*player{leader}, companions...) {
		p.party, formed.members = formed, append(formed.members, p)
		w.play(&feed.PartyJoined{Player: p.id(), Party: id})
		if *p.World != *leader.World {
			w.enterWorld(p, *leader.World)
		}
	}
	w.parties = append(w.parties, formed)
	w.enterRaid(formed)
}

// enterRaid starts a raid that all members of a full party may enter.
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

// endParties completes raids and disbands parties whose time is over.
func (w *World) endParties() {
	w.parties = slices.DeleteFunc(w.parties, func(p *party) bool {
		if w.now.Before(p.ends) && len(p.members) > 1 {
			return false
		}
		if p.raid != "" {
			w.completeRaid(p)
			p.raid = ""
			if w.chance(0.4) {
				w.enterRaid(p)
				return false
			}
		}
		for _, m := range p.members {
			m.party = nil
			w.play(&feed.PartyLeft{Player: m.id()})
		}
		return true
	})
}

// quitParty removes a player from the party; the next step disbands it if one member is left.
func (w *World) quitParty(p *player) {
	if p.party != nil {
		p.party.members = slices.DeleteFunc(p.party.members, func(m *player) bool { return m == p })
		p.party = nil
	}
}

// completeRaid counts a raid for all members, of whom two may become friends.
func (w *World) completeRaid(p *party) {
	run := &feed.RaidCompleted{Raid: p.raid}
	common := p.members[0].guild
	for _, m := range p.members {
		if m.guild != common {
			common = nil
		}
		run.Raiders = append(run.Raiders, feed.RaidCompletedRaider{
			Character: characterID(m.playing), Gambits: w.gambits(),
			Stats: model.RaidStats{
				DamageTaken: w.about(44_000), DamageDealt: w.about(45_000_000), HealthHealed: w.about(61_000),
				Deaths: w.about(0.4), BuffsTaken: w.about(3),
			},
		})
	}
	if common != nil {
		run.Guild = common.id()
	}
	w.play(run)
	a, b := pick(w.dice, p.members), pick(w.dice, p.members)
	if a != b && len(a.Friends) < 50 && len(b.Friends) < 50 && w.chance(0.15) {
		w.play(&feed.Befriended{Player: a.id(), Friend: b.id()})
	}
}

func (d dice) gambits() (g model.GambitCounts) {
	for _, kind := range []*int64{&g.Ten, &g.Twenty, &g.Thirty} {
		if d.chance(0.35) {
			*kind = 1
		}
	}
	return g
}
