package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/app"
	"gamedata/mongo"
)

// isHit reports whether a response comes from the cache.
func (res response) isHit() bool { return strings.Contains(res.header.Get("Cache-Status"), "; hit") }

// Purging tags at a running service invalidates the responses with these tags and no others.
func TestCachePurge(t *testing.T) {
	p := startService(t, append(demo(t), "--admin-listen", "127.0.0.1:0", "--guest-rate", "100000")...)
	base := adminBase(t, p)
	player, guild, items, page := "/v3/player/Salted", "/v3/guild/Mossbound%20Company", "/v3/item/metadata",
		"/players/Salted"
	hit := func(path string) bool {
		r, err := http.NewRequestWithContext(t.Context(), "GET", p.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		return send(t, r, nil).isHit()
	}
	for _, c := range []struct {
		tags   []string
		purged []string
	}{
		{[]string{"player:" + castUUID("Okapi")}, nil},
		{[]string{"player:" + castUUID("Salted")}, []string{player, guild, page}},
		{[]string{"content:items"}, []string{items}},
		{[]string{"field:guild", "content:news"}, []string{guild}},
		{[]string{"player:*"}, []string{player, guild, page}},
		{nil, []string{player, guild, items, page}},
	} {
		for _, path := range []string{player, guild, items, page} {
			hit(path)
			if !hit(path) {
				t.Errorf("%s is not cached", path)
			}
		}
		if purged, err := app.Purge(t.Context(), base, c.tags); err != nil || len(purged) == 0 {
			t.Errorf("%v: purged %v, %v", c.tags, purged, err)
		}
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
		r, err := http.NewRequestWithContext(t.Context(), "POST", base+"/cache/purge", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		send(t, r, []byte(body)).expect(t, body, 400, "Content-Type", "application/json",
			"Cache-Control", "max-age=0, private, no-store")
	}
}

// A record that this process writes is visible at once; one that another process writes is visible once its purge is
// read.
func TestWritesInvalidateCaches(t *testing.T) {
	svc := newTestService(t)
	player := func() response { return svc.request("GET", "/v3/player/Salted", "") }
	guild := func() response { return svc.request("GET", "/v3/guild/Mossbound%20Company", "") }
	found, err := svc.store.Players.ByUUID(t.Context(), []string{castUUID("Salted")})
	if err != nil {
		t.Fatal(err)
	}
	for _, hide := range []bool{true, false} {
		player()
		guild()
		if !player().isHit() || !guild().isHit() {
			t.Error("the responses are not cached")
		}
		found[0].Rules[model.MainAccess] = map[bool]model.Access{true: model.Private, false: model.Public}[hide]
		if err := svc.store.Players.Put(t.Context(), found); err != nil {
			t.Fatal(err)
		}
		if hidesStats(player()) != hide || guild().isHit() {
			t.Errorf("hide statistics, %v: not visible at once", hide)
		}
	}
	// A purge of another process is read once.
	follow := func(purges *mongo.PurgeReader, now time.Time) (tags []string) {
		t.Helper()
		tags, err := purges.Next(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		return tags
	}
	now := time.Now()
	purges, err := svc.store.FollowPurges(t.Context(), now)
	if err != nil {
		t.Fatal(err)
	}
	if err := svc.store.Players.Put(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	if tags := follow(purges, now); len(tags) > 0 {
		t.Errorf("got its own purge %v, want none", tags)
	}
	svc.updatePlayer(castUUID("Salted"), func(p *model.Player) { p.Rules[model.MainAccess] = model.Private })
	if tags := follow(purges, now); len(tags) != 1 || tags[0] != "player:"+castUUID("Salted") {
		t.Errorf("got the purge %v, want that of Salted", tags)
	}
	if tags := follow(purges, now); len(tags) > 0 {
		t.Errorf("got %v twice", tags)
	}
	if tags := follow(purges, now.Add(6*time.Minute)); len(tags) != 1 || tags[0] != "*" {
		t.Errorf("after a long pause: got %v, want *", tags)
	}
}
