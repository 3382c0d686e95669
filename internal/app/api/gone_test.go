package api

import (
	"encoding/json"
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
	feed := func(event string) {
		t.Helper()
		res := svc.Request("POST", "/feed", event, "Authorization", "Bearer "+token,
			"Content-Type", "application/x-ndjson")
		res.Expect(t, event, 200)
		if !strings.Contains(string(res.Body), `"applied":1`) {
			t.Fatalf("%s: %s", event, res.Body)
		}
	}
	type row struct{ Name, UUID *string }
	first := func(path string) (out struct {
		Position string
		row
	},
	) {
		t.Helper()
		res := svc.Request("GET", path, "")
		res.Expect(t, path, 200)
		rows := map[string]row{}
		if err := json.Unmarshal(res.Body, &rows); err != nil || len(rows) != 1 {
			t.Fatalf("%s: got %s, %v, want one row", path, res.Body, err)
		}
		for position, r := range rows {
			out.Position, out.row = position, r
		}
		return out
	}
	const board = "/v3/leaderboards/guildTotalRaids?resultLimit=1"
	guild := first(board)
	found, err := svc.Store.Players.ByGuild(t.Context(), []string{*guild.UUID})
	if err != nil || len(found[0]) == 0 {
		t.Fatal(found, err)
	}
	member, inGuild := "/v3/player/"+found[0][0].UUID, `"uuid":"`+*guild.UUID
	if res := svc.Request("GET", member, ""); !strings.Contains(string(res.Body), inGuild) {
		t.Fatalf("before: %s", res.Body)
	}
	feed(`{"id": "1", "event": "GuildDisbanded", "data": {"guild": "` + *guild.UUID + `"}}`)
	if res := svc.Request("GET", member, ""); strings.Contains(string(res.Body), inGuild) {
		t.Errorf("the member's page still names the guild: %s", res.Body)
	}
	if next := first(board); next.Name == nil || next.UUID == nil || *next.UUID == *guild.UUID || next.Position != "2" {
		t.Errorf("the first row is %+v, want the guild at position 2", next)
	}

	player := "/v3/player/" + *first("/v3/leaderboards/totalGlobalLevel?resultLimit=1").UUID
	if res := svc.Request("GET", player, ""); !strings.Contains(string(res.Body), `"totalGlobalLevel":`) {
		t.Fatalf("before: %s", res.Body)
	}
	feed(`{"id": "2", "event": "PlayerBanned", "data": {"player": "` + strings.TrimPrefix(player, "/v3/player/") + `"}}`)
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
	feed(`{"id": "3", "event": "PlayerDeleted", "data": {"player": "` + apptest.CastUUID("Salted") + `"}}`)
	similar(false)
}
