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

// hits reports whether an answer comes from the cache.
func (res response) isHit() bool { return strings.Contains(res.header.Get("Cache-Status"), "; hit") }

// Operators have a running service forget what they name, and nothing else.
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
		tags []string
		gone []string
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
			if gone := !hit(path); gone != strings.Contains(strings.Join(c.gone, " "), path) {
				t.Errorf("%v purges %s: %v", c.tags, path, gone)
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
		send(t, r, nil).expect(t, body, 400, "Content-Type", "application/json", "Cache-Control", "max-age=0, private, no-store")
	}
}

// A record that this process writes is seen by everybody at once; one that another process
// writes as soon as it is heard of.
func TestWritesInvalidateCaches(t *testing.T) {
	svc := newTestService(t)
	ask := func() response { return svc.request("GET", "/v3/player/Salted", "") }
	guild := func() response { return svc.request("GET", "/v3/guild/Mossbound%20Company", "") }
	found, err := svc.store.PlayersByUUID(t.Context(), []string{castUUID("Salted")})
	if err != nil {
		t.Fatal(err)
	}
	for _, hide := range []bool{true, false} {
		ask()
		guild()
		if !ask().isHit() || !guild().isHit() {
			t.Error("nothing is cached")
		}
		found[0].Rules[model.MainAccess] = map[bool]model.Access{true: model.Private, false: model.Public}[hide]
		if err := svc.store.PutPlayers(t.Context(), found); err != nil {
			t.Fatal(err)
		}
		if hidesStats(ask()) != hide || guild().isHit() {
			t.Errorf("the rule to hide, %v, is not seen at once", hide)
		}
	}
	// Another process: its announcement is heard once.
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
	if err := svc.store.PutPlayers(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	if tags := follow(purges, now); len(tags) > 0 {
		t.Errorf("it hears itself: %v", tags)
	}
	svc.updatePlayer(castUUID("Salted"), func(p *model.Player) { p.Rules[model.MainAccess] = model.Private })
	if tags := follow(purges, now); len(tags) != 1 || tags[0] != "player:"+castUUID("Salted") {
		t.Errorf("it hears %v", tags)
	}
	if tags := follow(purges, now); len(tags) > 0 {
		t.Errorf("it hears %v twice", tags)
	}
	if tags := follow(purges, now.Add(6*time.Minute)); len(tags) != 1 || tags[0] != "*" {
		t.Errorf("who did not listen for long hears %v", tags)
	}
}
