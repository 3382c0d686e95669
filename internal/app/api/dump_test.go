package api

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/dump"
	"gamedata/internal/terminal"
)

// A store restored from a dump gives every golden's response as before, over REST and over GraphQL.
func TestExportAndImport(t *testing.T) {
	if testing.Short() {
		t.Skip("make race leaves out the longest tests")
	}
	t.Parallel()
	p := apptest.Shared(t)
	dir, fresh := filepath.Join(t.TempDir(), "exported"), t.TempDir()
	from, err := app.JoinStore(t.Context(), apptest.StoreIn(apptest.SharedDir(t)))
	if err != nil {
		t.Fatal(err)
	}
	quiet := terminal.NewProgress(io.Discard, false)
	_, err = dump.Export(t.Context(), from.Store, dir, app.DumpOptions(from.Store, quiet))
	if err := errors.Join(err, from.Close()); err != nil {
		t.Fatal(err)
	}
	to, err := app.OpenStore(t.Context(), apptest.StoreIn(fresh))
	if err != nil {
		t.Fatal(err)
	}
	_, err = dump.Import(t.Context(), to.Store, dir, app.DumpOptions(to.Store, quiet))
	if err := errors.Join(err, to.Close()); err != nil {
		t.Fatal(err)
	}
	restored := apptest.Start(t, "--data-dir", fresh, "--guest-rate", "1000000")
	files, err := filepath.Glob("../../../rest/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range files {
		golden, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		request := string(section(golden, "request"))
		if strings.Contains(request, "/whoami") || strings.Contains(request, "/map/locations/player") {
			continue // they know callers by their address
		}
		r, body := parseRequest(t, restored.Base, request)
		if d := cmp.Diff(string(section(golden, "response")), string(render(t, apptest.Do(t, r, body)))); d != "" {
			t.Errorf("%s: %s", filepath.Base(file), d)
		}
		compared++
	}
	if compared < 100 {
		t.Errorf("compared %d goldens, want at least 100", compared)
	}
	document := graphqlBody(`{
		guild(by: { name: "Mossbound Company" }) {
			members { nodes { username player { rankMovement { type movement } } } }
			rankMovement { type movement } territories { nodes { name } }
		}
		articles { nodes { content { html } } }
		leaderboard(by: {type: "globalPlayerContent"}) {
			refreshedAt entries { nodes { position name movement } }
		}
	}`)
	apptest.ExpectSameJSON(t, "guilds", dataOf(t, apptest.RequestOK(t, p.Base, "POST", "/graphql", document)),
		dataOf(t, apptest.RequestOK(t, restored.Base, "POST", "/graphql", document)))
}

// dataOf returns the data of a GraphQL response, without its extensions.
func dataOf(t *testing.T, body []byte) []byte {
	t.Helper()
	var res struct{ Data json.RawMessage }
	if err := json.Unmarshal(body, &res); err != nil || len(res.Data) == 0 {
		t.Fatalf("got no data: %v: %s", err, body)
	}
	return res.Data
}
