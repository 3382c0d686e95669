package feed_test

import (
	"fmt"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo/feed"
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
			var sent []feed.Sent
			for _, e := range append(prepare[k.Name], [2]string{k.Name, k.Example}) {
				sent = append(sent, feed.Sent{Key: fmt.Sprint("test/", len(sent)), Event: decode(t, e[0], e[1])})
			}
			before := [...]time.Time{readPlayer(t, store, 1).Updated, readPlayer(t, store, 2).Updated}
			for !time.Now().After(before[1].Add(time.Millisecond)) { // as precise as a stored time
			}
			outcomes, err := newJournal(store).Apply(t.Context(), sent)
			if err != nil || outcomes[len(outcomes)-1].Err != nil {
				t.Fatal(outcomes, err)
			}
			for i, was := range before {
				p := readPlayer(t, store, i+1)
				if p != nil && !p.Updated.Equal(was) && !publicEvents[k.Name] {
					t.Errorf("updatedAt of player %d moved", i+1)
				}
			}
		})
	}
}
