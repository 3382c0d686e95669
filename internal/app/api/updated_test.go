package api

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/jobs"
	"gamedata/internal/terminal"
)

// updatedTimes returns updatedAt of all players, guilds and territories, by their keys.
func updatedTimes(svc *apptest.Service) map[string]string {
	svc.T.Helper()
	type list struct {
		Nodes []struct{ Username, Name, UpdatedAt string }
	}
	out := map[string]string{}
	for kind, l := range apptest.Query[map[string]list](svc.T, svc.URL, `{players(first:1000){nodes{username updatedAt}}
		guilds(first:1000){nodes{name updatedAt}} territories(first:1000){nodes{name updatedAt}}}`) {
		for _, n := range l.Nodes {
			out[kind+" "+n.Username+n.Name] = n.UpdatedAt
		}
	}
	return out
}

// moved lists the records whose updatedAt is another one than before.
func moved(svc *apptest.Service, before map[string]string) (names []string) {
	svc.T.Helper()
	for name, at := range updatedTimes(svc) {
		if at != before[name] {
			names = append(names, name)
		}
	}
	return names
}

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

// An import of what is stored moves no updatedAt.
func TestUpdatedAtByImport(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t, "--cache-size", "0")
	before, bodies := updatedTimes(svc), map[string][]byte{}
	get := func(file, path string) {
		t.Helper()
		res := svc.Request("GET", path, "")
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
}

// Jobs move no updatedAt.
func TestUpdatedAtByJobs(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t, "--cache-size", "0")
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
}
