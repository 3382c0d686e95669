package api

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/demo/simulator"
	"gamedata/internal/jobs"
	"gamedata/internal/terminal"
	"gamedata/mongo"
)

// updatedTimes returns updatedAt of all players, guilds and territories, by their keys.
func updatedTimes(svc *apptest.Service) map[string]time.Time {
	svc.T.Helper()
	out := map[string]time.Time{}
	for players, err := range svc.Store.Census.Players(svc.T.Context(), 1000) {
		if err != nil {
			svc.T.Fatal(err)
		}
		var uuids []string
		for _, p := range players {
			uuids = append(uuids, p.UUID)
		}
		whole, err := svc.Store.Players.ByID(svc.T.Context(), uuids)
		if err != nil {
			svc.T.Fatal(err)
		}
		for _, p := range whole {
			out["player "+p.Username] = p.Updated
		}
	}
	guilds, err := svc.Store.Scores.UUIDsAfter(svc.T.Context(), mongo.RankedGuilds, "", 1000)
	if err != nil {
		svc.T.Fatal(err)
	}
	for _, uuid := range guilds {
		whole, err := svc.Store.Guilds.ByID(svc.T.Context(), []string{uuid})
		if err != nil {
			svc.T.Fatal(err)
		}
		out["guild "+whole[0].Name] = whole[0].Updated
	}
	territories, err := svc.Store.Territories.All(svc.T.Context())
	if err != nil {
		svc.T.Fatal(err)
	}
	for _, t := range territories {
		out["territory "+t.Name] = t.Updated
	}
	return out
}

// moved lists the records whose updatedAt is another one than before.
func moved(svc *apptest.Service, before map[string]time.Time) (names []string) {
	svc.T.Helper()
	for name, at := range updatedTimes(svc) {
		if !at.Equal(before[name]) {
			names = append(names, name)
		}
	}
	return names
}

// importBodies imports bodies by the names of their files.
func importBodies(svc *apptest.Service, bodies map[string][]byte) {
	svc.T.Helper()
	dir := svc.T.TempDir()
	for name, body := range bodies {
		if err := os.WriteFile(filepath.Join(dir, name), body, 0o600); err != nil {
			svc.T.Fatal(err)
		}
	}
	recordings, err := app.ReadRecordings([]string{dir}, nil, io.Discard)
	if err != nil {
		svc.T.Fatal(err)
	}
	if _, err := app.StoreRecordings(svc.T.Context(), svc.Store, recordings,
		terminal.NewProgress(io.Discard, false)); err != nil {
		svc.T.Fatal(err)
	}
}

// An import of what is stored moves no updatedAt, nor does one that changes only what a player hides.
func TestUpdatedAtByImport(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t, "--guest-rate", "1000", "--token-rate", "1000")
	before, bodies := updatedTimes(svc), map[string][]byte{}
	get := func(file, path string, headers ...string) {
		t.Helper()
		res := svc.Request("GET", path, "", headers...)
		res.Expect(t, path, 200)
		bodies[file] = res.Body
	}
	for _, name := range []string{"Salted", "Veiled", "Quietmoss", "Goldleaf"} {
		get("player-"+name+"-fullResult.json", "/v3/player/"+name+"?fullResult")
	}
	get("guild-Mossbound_Company.json", "/v3/guild/Mossbound%20Company")
	get("guild-list-territory.json", "/v3/guild/list/territory")
	get("guild-uuid-identified.json", "/v3/guild/Lantern%20Row?identifier=uuid")
	// Other services repeat the name that an entry is listed under.
	bodies["guild-Lantern_Row.json"] = regexp.MustCompile(`"(\w+)":\{"uuid":`).ReplaceAll(
		svc.Request("GET", "/v3/guild/Lantern%20Row", "").Body, []byte(`"$1":{"username":"$1","uuid":`))
	if !strings.Contains(string(bodies["guild-Lantern_Row.json"]), `"Okapi":{"username":"Okapi","uuid":`) {
		t.Fatalf("got %s", bodies["guild-Lantern_Row.json"])
	}
	importBodies(svc, bodies)
	if names := moved(svc, before); names != nil {
		t.Errorf("an import of what is stored moved %q", names)
	}

	veiled, err := svc.Store.Players.ByName(t.Context(), []string{"Veiled"})
	if err != nil {
		t.Fatal(err)
	}
	if veiled[0][0].Rules.Share("playtime") {
		t.Fatal("Veiled does not hide playtime")
	}
	private, _ := svc.CreateOwner("Veiled")
	clear(bodies)
	get("player-Veiled.json", "/v3/player/Veiled", "Authorization", private)
	var body map[string]any
	if err := json.Unmarshal(bodies["player-Veiled.json"], &body); err != nil {
		t.Fatal(err)
	}
	if body["playtime"] == nil || body["globalData"] == nil {
		t.Fatalf("the owner does not see the totals: %s", bodies["player-Veiled.json"])
	}
	body["playtime"] = body["playtime"].(float64) + 10
	body["globalData"].(map[string]any)["mobsKilled"] = 999_999
	body["lastJoin"] = "2026-03-19T23:00:00Z"
	bodies["player-Veiled.json"], _ = json.Marshal(body)
	importBodies(svc, bodies)
	if names := moved(svc, before); names != nil {
		t.Errorf("an import of hidden changes moved %q", names)
	}
	after, err := svc.Store.Players.ByID(t.Context(), []string{veiled[0][0].UUID})
	if err != nil || after[0].Totals.MobsKilled != 999_999 {
		t.Errorf("the import did not change the totals: %+v, %v", after[0].Totals, err)
	}
}

// Jobs move no updatedAt, and the simulation none of players who hide everything, unless their guild, name or rank
// changes.
func TestUpdatedAtByJobsAndSimulation(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t)
	before := updatedTimes(svc)
	for name, job := range map[string]app.Job{
		"leaderboards": jobs.Refresh, "ranks": jobs.Ranks, "history": jobs.History, "statistics": jobs.Statistics,
		"sweep": jobs.Sweep, "colour": jobs.Colour,
	} {
		if _, err := job(t.Context(), svc.Store, svc.Clock(), jobs.Options{Full: true, Holder: "test"}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if names := moved(svc, before); names != nil {
			t.Errorf("%s moved %q", name, names)
		}
	}

	closed := map[model.AccessRule]model.Access{}
	for rule := range model.NumAccessRules {
		closed[rule] = model.Private
	}
	uuids, err := svc.Store.Scores.UUIDsAfter(t.Context(), mongo.RankedPlayers, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, uuid := range uuids {
		if err := svc.Store.Players.SetAccessRules(t.Context(), uuid, closed); err != nil {
			t.Fatal(err)
		}
	}
	players := func() []*model.Player {
		t.Helper()
		found, err := svc.Store.Players.ByID(t.Context(), uuids)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	was := players()
	if err := simulator.Play(t.Context(), svc.Store, simulator.Options{
		Start: apptest.Now(), Duration: 2 * time.Hour, Players: 40, Seed: 1,
	}); err != nil {
		t.Fatal(err)
	}
	played := 0
	for i, p := range players() {
		if *p.Playtime > *was[i].Playtime {
			played++
		}
		public := func(p *model.Player) []any {
			return []any{p.Username, p.Nickname, p.Rank, p.SupportRank, p.Guild, p.Wallpaper, p.Avatar, p.Rules}
		}
		changed := !reflect.DeepEqual(public(p), public(was[i]))
		if touched := !p.Updated.Equal(was[i].Updated); touched != changed {
			t.Errorf("updatedAt of %s moved: %v, although what everyone sees changed: %v", p.Username, touched, changed)
		}
	}
	if played < 10 {
		t.Errorf("only %d players have played", played)
	}
}
