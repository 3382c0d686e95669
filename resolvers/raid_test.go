package resolvers_test

import (
	"slices"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/internal/feed"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A further raid is a record: without a restart it is in the lists of guild raids with 0, and after a refresh has
// its leaderboards.
func TestFurtherRaidIsData(t *testing.T) {
	w := newRankedWorld(t, 60)
	boards := []string{"vaultCompletion", "vaultSrPlayers", "vaultSrGPlayers", "vaultSrGuilds"}
	raids := func() []string {
		type list struct {
			GuildRaids struct{ List []struct{ Name string } }
		}
		var data struct {
			Player struct {
				Totals       list
				GuildHistory []list
			}
		}
		w.ask(t, `{player(by:{username:"Okapi"}){totals{guildRaids{list{name}}} guildHistory{guildRaids{list{name}}}}}`,
			nil, &data)
		var names []string
		for _, r := range data.Player.Totals.GuildRaids.List {
			names = append(names, r.Name)
		}
		if n := len(data.Player.GuildHistory[0].GuildRaids.List); n != len(names) {
			t.Errorf("the history lists %d raids, want %d", n, len(names))
		}
		return names
	}
	listed := func() (found int) {
		var data struct {
			Leaderboards struct{ Nodes []struct{ Type string } }
		}
		w.ask(t, `{leaderboards(first:100){nodes{type}}}`, nil, &data)
		for _, b := range data.Leaderboards.Nodes {
			if slices.Contains(boards, b.Type) {
				found++
			}
		}
		return found
	}
	if names := raids(); len(names) != 5 || listed() != 0 {
		t.Fatalf("before: %q and %d boards", names, listed())
	}
	if err := refused(t, w.exec, `{leaderboard(by:{type:"vaultSrGuilds"}){entryCount}}`); err.Code != graph.NotFound {
		t.Errorf("before: got %v", err)
	}

	const name = "The Salt Vault"
	mongotest.Must(t, mongo.Raids.Put(t.Context(), w.store, []*model.Raid{{Name: name, Board: "vault", Order: 6}}))
	okapi := seed.Cast[2].UUID
	players := mongotest.Value(w.store.Players.ByID(t.Context(), []string{okapi}))(t)
	characters := mongotest.Value(w.store.Characters.ByOwner(t.Context(), []string{okapi}))(t)
	if names := raids(); len(names) != 6 || names[5] != name {
		t.Errorf("after the raid was added: got %q", names)
	}
	w.feed(t, time.Now(), &feed.RaidCompleted{
		Raid: name, Guild: feed.GuildID(players[0].Guild.UUID), Raiders: []feed.RaidCompletedRaider{
			{Character: feed.CharacterID(characters[0][0].UUID), Gambits: model.GambitCounts{Ten: 1}},
		},
	})
	mongotest.Value(jobs.Refresh(t.Context(), w.store, now.Add(time.Hour), jobs.Options{}))(t)
	if n := listed(); n != len(boards) {
		t.Errorf("after the refresh: %d of %d boards are listed", n, len(boards))
	}
	for i, score := range []int64{1, 210, 210, 210} {
		if e := w.board(t, boards[i], 10, nil).Entries.Nodes; len(e) != 1 || e[0].Score != score {
			t.Errorf("%s: got %+v, want a score of %d", boards[i], e, score)
		}
	}
}
