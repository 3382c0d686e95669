package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Loot pools recorded at several levels are served at their levels.
func TestImportLootPoolsByLevel(t *testing.T) {
	t.Parallel()
	old := startService(t, demo(t)...)
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "body.json")
	bodies := map[string][]byte{}
	for _, level := range []string{"75", "5", "400"} {
		for operation, path := range map[string]string{"Camps": "camps", "Raids": "raids", "LootPools": "loot-pools"} {
			path = "/v3/map/" + path + "?level=" + level
			bodies[path] = requestOK(t, old.base, "GET", path, "")
			if err := os.WriteFile(file, bodies[path], 0o600); err != nil {
				t.Fatal(err)
			}
			if code, _, errs := run("import", operation, file, "--data-dir", dir, "--var", "level="+level); code != 0 {
				t.Fatal(code, errs)
			}
		}
	}
	moved := startService(t, "--data-dir", dir, "--guest-rate", "1000000")
	for path, body := range bodies {
		expectSameJSON(t, path, body, requestOK(t, moved.base, "GET", path, ""))
	}
}

func TestImportNewsExamples(t *testing.T) {
	folder, dir := t.TempDir(), t.TempDir()
	for _, e := range newsExamples {
		if e.file == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, e.file), []byte(e.body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, errs := run("import", folder, "--data-dir", dir); code != 0 ||
		!strings.Contains(out, "stored 4 records of 3 files") {
		t.Fatal(code, out, errs)
	}
	p := startService(t, "--data-dir", dir)
	for _, e := range newsExamples {
		body := requestOK(t, p.base, "GET", e.path, "")
		expectSameJSON(t, e.path, []byte(e.body), body)
		if e.file == "publisher-videos-list.json" && string(body[:4]) != `{"1"` {
			t.Errorf("got videos that do not begin with the first: %s", body)
		}
	}
}

// Every visible article is imported from another service's responses and served unchanged, without counts that are not
// public.
func TestImportNewsFromService(t *testing.T) {
	old := startService(t, demo(t)...)
	folder, dir := t.TempDir(), t.TempDir()
	bodies := map[string][]byte{"/v3/publisher/videos/list": nil, "/v3/latest-news": nil}
	for page := 1; page <= 3; page++ {
		list := decodeBody[struct {
			Results map[string]struct {
				Pk   int
				Type string
			}
		}](t, requestOK(t, old.base, "GET", fmt.Sprintf("/v3/publisher/articles/list/article?page=%d", page), ""))
		for _, a := range list.Results {
			bodies[fmt.Sprintf("/v3/publisher/articles/fetch/%s/%d", a.Type, a.Pk)] = nil
		}
	}
	if len(bodies) < 40 {
		t.Fatalf("got %d articles, want at least 38", len(bodies)-2)
	}
	for path := range bodies {
		bodies[path] = requestOK(t, old.base, "GET", path, "")
		name := strings.ReplaceAll(strings.TrimPrefix(path, "/v3/"), "/", "-") + ".json"
		if err := os.WriteFile(filepath.Join(folder, name), bodies[path], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, errs := run("import", folder, "--data-dir", dir); code != 0 {
		t.Fatal(code, out, errs)
	}
	moved := startService(t, "--data-dir", dir, "--guest-rate", "1000000")
	for path, body := range bodies {
		expectSameJSON(t, path, body, requestOK(t, moved.base, "GET", path, ""))
	}
}

// newsExamples are bodies of docs/spec/wire-content.md by file name; the last is not imported but follows from the
// first.
var newsExamples = []struct{ file, path, body string }{
	{"publisher-articles-fetch-poll-41.json", "/v3/publisher/articles/fetch/poll/41", `{
  "id": 41, "type": "poll", "title": "Which gate next?", "recap": "Vote for the next gate.",
  "banner": "news/gate.png", "banner_zoom": true, "created_by": "Okapi",
  "content": [
    {"id": "b1", "type": "text", "focus": false, "content": "Voting ends <t:1763660700:R>. **One vote each.**",
     "discord": true, "website": true},
    {"id": "b2", "type": "image", "focus": true, "content": "news/gate-map.png", "discord": false, "website": true},
    {"id": "b3", "type": "question", "focus": false, "discord": false, "website": true,
     "content": {"question": "Which gate?", "override": false,
                 "answers": {"1762000000000-a1b2c3d": "North", "1762000000001-e4f5g6h": "South"},
                 "requirements": [{"type": "highest_level", "subType": null, "value": 30}]}},
    {"id": "b4", "type": "question", "focus": false, "content": "Anything else to tell us?",
     "discord": false, "website": true}
  ],
  "published": true, "pinned": false, "visible": true, "start_date": "2026-11-01T12:00:00Z", "end_date": null,
  "published_at": "2026-11-01T12:00:03.512000+00:00",
  "likes": 12, "destination": "noticeboard", "allow_discord": true, "discord_recap": true,
  "discord_messages": {"header": "118800", "footer": "118803", "b1": "118801"},
  "require_discord": false, "require_clan": false,
  "poll_settings": [{"type": "account_age", "subType": null, "value": 14}], "poll_public": true,
  "votes": {"total": 7, "b3": {"total": 7, "1762000000000-a1b2c3d": 5, "1762000000001-e4f5g6h": 2}}
}`},
	{
		"publisher-videos-list.json", "/v3/publisher/videos/list",
		`{"2": "https://videos.example/watch?v=moss-02", "1": "https://videos.example/watch?v=moss-01"}`,
	},
	{"latest-news.json", "/v3/latest-news", `[{"title": "The bridge is open", "date": "November 20th, 2026",
  "forumThread": "https://forum.example/threads/41", "author": "Okapi", "content": "<p>Walk across.</p>",
  "comments": "17"}]`},
	{"", "/v3/publisher/articles/list/article", `{
  "controller": {"count": 1, "current_count": 1, "pages": 1, "prev": null, "current": 1, "next": null},
  "results": {
    "1": {"pk": 41, "title": "Which gate next?", "type": "poll", "banner": "news/gate.png", "banner_zoom": true,
          "recap": "Vote for the next gate.", "visible": true, "start_date": "2026-11-01T12:00:00+00:00",
          "end_date": null, "pinned": false, "has_content": true, "published_at": "2026-11-01T12:00:03.512000+00:00"}
  }
}`},
}
