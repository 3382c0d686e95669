package seed

import "gamedata/graph/model"

// tally is what the players of a world add up to for one guild.
type tally struct {
	members           int
	contributed, wars int64
	raids             [raidCount]int64 // of former members too
}

// tallies are kept by guild uuid while the players stream by, so that guilds agree with
// their members and memory grows with the number of guilds alone.
type tallies map[string]*tally

func (ts tallies) of(uuid string) *tally {
	t := ts[uuid]
	if t == nil {
		t = &tally{}
		ts[uuid] = t
	}
	return t
}

func (ts tallies) add(p *model.Player) {
	for _, h := range p.GuildHistory {
		t := ts.of(h.UUID)
		for i, c := range h.GuildRaids.List {
			t.raids[i] += c.Count
		}
	}
	if p.Guild != nil {
		t := ts.of(p.Guild.UUID)
		t.members++
		t.contributed += p.Membership.Contributed
		t.wars += p.GlobalData.Wars
	}
}
