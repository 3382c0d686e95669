package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// Every visible article is imported from another service's responses and served unchanged, without counts that are not
// public.
func TestImportNewsFromService(t *testing.T) {
	old := apptest.Shared(t)
	folder, dir := filepath.Join(t.TempDir(), `records [2026] \[x`), t.TempDir()
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	bodies := map[string][]byte{"/v3/publisher/videos/list": nil, "/v3/latest-news": nil}
	for page := 1; page <= 3; page++ {
		list := apptest.Decode[struct {
			Results map[string]struct {
				Pk   int
				Type string
			}
		}](t, apptest.RequestOK(t, old.Base, "GET", fmt.Sprintf("/v3/publisher/articles/list/article?page=%d", page), ""))
		for _, a := range list.Results {
			bodies[fmt.Sprintf("/v3/publisher/articles/fetch/%s/%d", a.Type, a.Pk)] = nil
		}
	}
	if len(bodies) < 40 {
		t.Fatalf("got %d articles, want at least 38", len(bodies)-2)
	}
	for path := range bodies {
		bodies[path] = apptest.RequestOK(t, old.Base, "GET", path, "")
		name := strings.ReplaceAll(strings.TrimPrefix(path, "/v3/"), "/", "-") + ".json"
		writeFile(t, filepath.Join(folder, name), string(bodies[path]))
	}
	expect(t, 0, "", "import", folder, "--data-dir", dir)
	moved := apptest.Start(t, "--data-dir", dir, "--guest-rate", "1000000")
	for path, body := range bodies {
		apptest.ExpectSameJSON(t, path, body, apptest.RequestOK(t, moved.Base, "GET", path, ""))
	}
}
