package api

import (
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/jobs"
)

// A guild that disbands leaves the pages of its members and the leaderboards at once, a banned player has no ranks, and
// no page names a deleted player, although all of it is cached and no refresh has run since.
func TestGoneAtOnce(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t, "--guest-rate", "1000")
	if _, err := jobs.Refresh(t.Context(), svc.Store, svc.Clock(), jobs.Options{Full: true}); err != nil {
		t.Fatal(err)
	}
	token, err := svc.Users.FeedTokens.Create(t.Context(), "eu-1")
	if err != nil {
		t.Fatal(err)
	}
	feed, p := &eventFeed{t: t, token: token}, &apptest.Program{Base: svc.URL}
	type row struct{ Position, Name, UUID string }
	first := func(path string) (first row) {
		t.Helper()
		rows := apptest.Decode[map[string]row](t, apptest.RequestOK(t, svc.URL, "GET", path, ""))
		for position, r := range rows {
			first = row{position, r.Name, r.UUID}
		}
		if len(rows) != 1 {
			t.Fatalf("%s: got %v, want one row", path, rows)
		}
		return first
	}
	const board = "/v3/leaderboards/guildTotalRaids?resultLimit=1"
	guild := first(board)
	found, err := svc.Store.Players.ByGuild(t.Context(), []string{guild.UUID})
	if err != nil || len(found[0]) == 0 {
		t.Fatal(found, err)
	}
	member, inGuild := "/v3/player/"+found[0][0].UUID, `"uuid":"`+guild.UUID
	if res := svc.Request("GET", member, ""); !strings.Contains(string(res.Body), inGuild) {
		t.Fatalf("before: %s", res.Body)
	}
	feed.send(p, "GuildDisbanded", `{"guild": "`+guild.UUID+`"}`)
	if res := svc.Request("GET", member, ""); strings.Contains(string(res.Body), inGuild) {
		t.Errorf("the member's page still names the guild: %s", res.Body)
	}
	if next := first(board); next.Name == "" || next.UUID == "" || next.UUID == guild.UUID || next.Position != "2" {
		t.Errorf("the first row is %+v, want the guild at position 2", next)
	}

	player := "/v3/player/" + first("/v3/leaderboards/totalGlobalLevel?resultLimit=1").UUID
	if res := svc.Request("GET", player, ""); !strings.Contains(string(res.Body), `"totalGlobalLevel":`) {
		t.Fatalf("before: %s", res.Body)
	}
	feed.send(p, "PlayerBanned", `{"player": "`+strings.TrimPrefix(player, "/v3/player/")+`"}`)
	if res := svc.Request("GET", player, ""); strings.Contains(string(res.Body), `"totalGlobalLevel":`) {
		t.Errorf("a banned player has ranks: %s", res.Body)
	}

	similar := func(want bool) {
		t.Helper()
		for _, path := range []string{"/players/Saltd", "/players/alted"} {
			res := svc.Request("GET", path, "", "Accept", "text/html")
			if res.Expect(t, path, 404); strings.Contains(string(res.Body), "<bdi>Salted</bdi></a>") != want {
				t.Errorf("%s names Salted: %t, want %t", path, !want, want)
			}
		}
	}
	similar(true)
	feed.player(p, "PlayerDeleted", "Salted", "")
	similar(false)
}
