package api

import (
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// Purging tags at a running service invalidates the responses with these tags and no others.
func TestCachePurge(t *testing.T) {
	p, _ := apptest.StartDemo(t, "--admin-listen", "127.0.0.1:0", "--guest-rate", "100000")
	base := apptest.AdminBase(t, p)
	player, guild, items, page := "/v3/player/Salted", "/v3/guild/Mossbound%20Company", "/v3/item/metadata",
		"/players/Salted"
	hit := func(path string) bool { return apptest.Get(t, p.Base+path).Hit() }
	for _, c := range []struct {
		tags   []string
		purged []string
	}{
		{[]string{"player:" + apptest.CastUUID("Okapi")}, nil},
		{[]string{"player:" + apptest.CastUUID("Salted")}, []string{player, guild, page}},
		{[]string{"content:items"}, []string{items}},
		{[]string{"field:guild", "content:news"}, []string{guild}},
		{[]string{"player:*"}, []string{player, guild, page}},
		{[]string{"*"}, []string{player, guild, items, page}},
	} {
		for _, path := range []string{player, guild, items, page} {
			hit(path)
			if !hit(path) {
				t.Errorf("%s is not cached", path)
			}
		}
		tags := `{"tags":["` + strings.Join(c.tags, `","`) + `"]}`
		apptest.RequestOK(t, base, "POST", "/cache/purge", tags)
		for _, path := range []string{player, guild, items, page} {
			if purged := !hit(path); purged != strings.Contains(strings.Join(c.purged, " "), path) {
				t.Errorf("%v: got %s purged: %v, want %v", c.tags, path, purged, !purged)
			}
		}
	}
	for _, body := range []string{
		"", "[]", `{"tags":[]}`, `{"tags":"*"}`, `{"tags":["player:Salted"]}`, `{"tags":[""]}`,
		`{"tags":["$where"]}`, `{"tags":["*"]} {}`,
	} {
		apptest.Request(t, "POST", base+"/cache/purge", body, "Content-Type", "application/json").Expect(t, body, 400,
			"Content-Type", "application/json", "Cache-Control", "max-age=0, private, no-store")
	}
}
