package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

// recordedRequests are the requests that return the content of recorded files.
var recordedRequests = map[string]struct{ method, path, body string }{
	"ability-tree-archer.json":                   {"GET", "/v3/ability/tree/archer", ""},
	"ability-tree-mage.json":                     {"GET", "/v3/ability/tree/mage", ""},
	"aspects-archer.json":                        {"GET", "/v3/aspects/archer", ""},
	"aspects-mage.json":                          {"GET", "/v3/aspects/mage", ""},
	"item-recipe-database-full_result.json":      {"GET", "/v3/item/recipe/database?full_result", ""},
	"item-search-post-fullResult-materials.json": {"POST", "/v3/item/search?fullResult", `{"type":"material"}`},
	"item-search-post-fullResult-tomes.json":     {"POST", "/v3/item/search?fullResult", `{"type":["tome"]}`},
	"item-search-post-fullResult-tools.json":     {"POST", "/v3/item/search?fullResult", `{"type":"tool"}`},
	"item-sets.json":                             {"GET", "/v3/item/sets", ""},
	"map-gathering-nodes.json":                   {"GET", "/v3/map/gathering-nodes", ""},
}

// Imported recordings are served unchanged.
func TestImportRecordedContent(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("RECORDINGS")
	if folder == "" {
		t.Skip("RECORDINGS names no folder with recordings: TestImportDemoWorld imports other ones")
	}
	dir := t.TempDir()
	code, out, errs := run("import", folder, "--data-dir", dir)
	if code != 0 || strings.Contains(errs, "skipped") {
		t.Fatal(code, out, errs)
	}
	p := apptest.Start(t, "--data-dir", dir, "--guest-rate", "1000000")
	for name, a := range recordedRequests {
		recorded := apptest.ReadFile(t, filepath.Join(folder, name))
		apptest.ExpectSameJSON(t, name, recorded, apptest.RequestOK(t, p.Base, a.method, a.path, a.body))
	}
}

// A store can be filled from another one's responses: every endpoint with complete records, over the demo world. The
// counts of articles that are not public are missing.
func TestImportDemoWorld(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	old := apptest.Shared(t)
	folder, dir := filepath.Join(t.TempDir(), `records [2026] \[x`), t.TempDir()
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{ // file name → path
		"publisher-videos-list.json":                           "/v3/publisher/videos/list",
		"latest-news.json":                                     "/v3/latest-news",
		"item-metadata.json":                                   "/v3/item/metadata",
		"item-database-fullResult.json":                        "/v3/item/database?fullResult",
		"item-recipe-database-full_result.json":                "/v3/item/recipe/database?full_result",
		"item-sets.json":                                       "/v3/item/sets",
		"guild-list-territory.json":                            "/v3/guild/list/territory",
		"guild-seasons.json":                                   "/v3/guild/seasons",
		"guild-Mossbound Company.json":                         "/v3/guild/Mossbound%20Company",
		"guild-Lantern Row.json":                               "/v3/guild/lantern%20row", // two members of one name
		"guild-prefix-TIDE-by uuid.json":                       "/v3/guild/prefix/TIDE?identifier=uuid",
		"guild-uuid-b0000000-0000-4000-8000-000000000004.json": "/v3/guild/uuid/b0000000-0000-4000-8000-000000000004",
		"map-locations-markers.json":                           "/v3/map/locations/markers",
		"map-gathering-nodes.json":                             "/v3/map/gathering-nodes",
		"map-world-events.json":                                "/v3/map/world-events",
		"map-camps.json":                                       "/v3/map/camps",
		"map-raids.json":                                       "/v3/map/raids",
		"map-loot-pools.json":                                  "/v3/map/loot-pools",
		"map-quests.json":                                      "/v3/map/quests",
	}
	articles := 0
	for page := 1; page <= 3; page++ {
		list := apptest.Decode[struct {
			Results map[string]struct {
				Pk   int
				Type string
			}
		}](t, apptest.RequestOK(t, old.Base, "GET", fmt.Sprintf("/v3/publisher/articles/list/article?page=%d", page), ""))
		for _, a := range list.Results {
			articles++
			paths[fmt.Sprintf("publisher-articles-fetch-%s-%d.json", a.Type, a.Pk)] = fmt.Sprintf("/v3/publisher/articles/fetch/%s/%d", a.Type, a.Pk)
		}
	}
	if articles < 38 {
		t.Fatalf("got %d articles, want at least 38", articles)
	}
	for _, class := range []string{"archer", "warrior", "assassin", "mage", "shaman"} {
		paths["ability-tree-"+class+".json"] = "/v3/ability/tree/" + class
		paths["ability-map-"+class+".json"] = "/v3/ability/map/" + class
		paths["aspects-"+class+".json"] = "/v3/aspects/" + class
		paths["classes-"+class+".json"] = "/v3/classes/" + class
	}
	for _, name := range []string{
		"Salted", "Veiled", "Unranked", "Stalwart", "Wanderer", "Showcase", "Loomkeeper",
		"Patchwork", "Blank",
	} {
		paths["player-"+name+"-fullResult.json"] = "/v3/player/" + name + "?fullResult"
	}
	bodies := map[string][]byte{}
	for file, path := range paths {
		bodies[file] = apptest.RequestOK(t, old.Base, "GET", path, "")
		writeFile(t, filepath.Join(folder, file), string(bodies[file]))
	}
	expect(t, 0, "", "import", folder, "--data-dir", dir)
	abilities := "/v3/player/Salted/characters/6c1f0b52-8f3e-4d0a-b7a1-2e9c4d5f6a70/abilities"
	file := filepath.Join(folder, "abilities.json")
	bodies[file] = apptest.RequestOK(t, old.Base, "GET", abilities, "")
	paths[file] = abilities
	writeFile(t, file, string(bodies[file]))
	expect(t, 0, "", "import", "CharacterAbilities", file, "--data-dir", dir,
		"--var", "username=3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c", "--var", "uuid=6c1f0b52-8f3e-4d0a-b7a1-2e9c4d5f6a70")
	// A single character of a player, then the player without characters, which does not change the character.
	brindle, character := "a81c0d2e-5b6f-4a7c-8d9e-1f2a3b4c5d6e", "e8b16f03-7c2d-45a9-b0e4-3d5a8c917f26"
	for _, i := range []struct {
		operation, path string
		vars            []string
	}{
		{"Character", "/v3/player/" + brindle + "/characters/" + character, []string{"--var", "uuid=" + character}},
		{"Player", "/v3/player/" + brindle, nil},
	} {
		file := filepath.Join(folder, i.operation+".json")
		bodies[file], paths[file] = apptest.RequestOK(t, old.Base, "GET", i.path, ""), i.path
		writeFile(t, file, string(bodies[file]))
		expect(t, 0, "", append([]string{"import", i.operation, file, "--data-dir", dir, "--var", "username=" + brindle},
			i.vars...)...)
	}
	moved := apptest.Start(t, "--data-dir", dir, "--guest-rate", "1000000")
	for file, path := range paths {
		apptest.ExpectSameJSON(t, path, maskTime(bodies[file]), maskTime(apptest.RequestOK(t, moved.Base, "GET", path, "")))
	}
}

// An import with an invalid body reports the place of the error and stores nothing.
func TestImportRejectsInvalidInput(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "item-sets.json")
	writeFile(t, good, `{"Valid":{"internalName":"valid","bonuses":{},"parts":[]}}`)
	for name, c := range map[string]struct{ body, says string }{
		"cut off": {"{\n \"A\": {", "line 2"},
		"unknown key": {
			"{\"A\":{\"internalName\":\"a\",\"bonuses\":{},\"parts\":[],\n\"colour\":1}}",
			"line 2, column 10, record 1 ($.A.colour)",
		},
		"tail": {`{} {}`, "unexpected data after"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := filepath.Join(dir, "item-sets-bad.json")
			writeFile(t, bad, c.body)
			said := expect(t, 1, c.says, "import", good, bad, "--data-dir", filepath.Join(dir, "store"))
			if !strings.Contains(said, "nothing was stored") || !strings.Contains(said, "item-sets-bad.json") {
				t.Errorf("got %s, want the file and that nothing was stored", said)
			}
		})
	}
	p := apptest.Start(t, "--data-dir", filepath.Join(dir, "store"))
	if body := apptest.RequestOK(t, p.Base, "GET", "/v3/item/sets", ""); string(body) != "{}" {
		t.Errorf("something was stored: %s", body)
	}
}

var timeDependent = regexp.MustCompile(`"schedule": ?("[^"]*"|null)`)

// maskTime replaces the values that depend on the current time.
func maskTime(body []byte) []byte {
	return timeDependent.ReplaceAllLiteral(body, []byte(`"schedule": null`))
}
