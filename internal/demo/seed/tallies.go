package seed

import "gamedata/graph/model"

// tally is the total of a guild's players.
type tally struct {
	members           int
	contributed, wars int64
	raids             [raidCount]int64 // completions of all players, including former members
	most              [raidCount]int64 // completions of the player with most
}

// Tallies collects totals by guild uuid while players are generated, so that guilds agree with their
// members without keeping the players in memory.
type Tallies map[string]*tally

func (ts Tallies) of(uuid string) *tally {
	t := ts[uuid]
	if t == nil {
		t = &tally{}
		ts[uuid] = t
	}
	return t
}

// Add counts a player.
func (ts Tallies) Add(p *model.Player) {
	for _, h := range p.GuildHistory {
		t := ts.of(h.UUID)
		for i, c := range h.GuildRaids.List {
			t.raids[i] += c.Count
			t.most[i] = max(t.most[i], c.Count)
		}
	}
	if p.Guild != nil {
		t := ts.of(p.Guild.UUID)
		t.members++
		t.contributed += p.Membership.Contributed
		t.wars += p.Totals.Wars
	}
}

// raidParty is the size of a raid party.
const raidParty = 4

// runs returns the runs in which the completions of a raid happened: full parties, as far as no player
// was twice in one.
func (t *tally) runs(raid int) int64 { return max(t.most[raid], (t.raids[raid]+raidParty-1)/raidParty) }
