package feed_test

import (
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/mongo/mongotest"
)

// publicEvents are the events that change what a player with closed access rules shows everyone: names, ranks,
// appearance, access rules and the guild.
var publicEvents = map[string]bool{
	"PlayerRenamed": true, "PlayerRanked": true, "NicknameSet": true, "AppearanceSet": true, "AccessRulesSet": true,
	"GuildLeft": true, "RankGiven": true, "GuildRenamed": true, "GuildDisbanded": true,
}

// The updatedAt of players who hide everything does not show that they come, go or play, whichever event reports it.
func TestUpdatedAtOfClosedPlayers(t *testing.T) {
	for _, k := range feed.Events {
		t.Run(k.Name, func(t *testing.T) {
			store, _ := mongotest.Open(t)
			g := newGame()
			g.salted.Rules, g.brindle.Rules = model.UniformAccessRules(model.Private), model.UniformAccessRules(model.Private)
			g.storeWithSeason(t, store)
			before := [...]time.Time{readPlayer(t, store, 1).Updated, readPlayer(t, store, 2).Updated}
			for !time.Now().After(before[1].Add(time.Millisecond)) { // as precise as a stored time
			}
			play(t, store, example(t, k.Name)...)
			for i, was := range before {
				p := readPlayer(t, store, i+1)
				if p != nil && !p.Updated.Equal(was) && !publicEvents[k.Name] {
					t.Errorf("updatedAt of player %d moved", i+1)
				}
			}
		})
	}
}
