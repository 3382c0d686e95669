package app_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// The territory list's header is the time of its last refresh; GraphQL shows that of the resources too.
func TestTerritoryRefreshHeader(t *testing.T) {
	p := sharedService(t)
	sent := time.Now()
	r, body := get(t, p.base+"/v3/guild/list/territory")
	format := regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00:00$`)
	tick, err := time.Parse("2006-01-02 15:04:05.000000-07:00", r.Header.Get("territorylasttick"))
	if err != nil || !format.MatchString(r.Header.Get("territorylasttick")) || sent.Sub(tick) > 10*time.Second ||
		tick.After(time.Now()) {
		t.Errorf("got the time %q, sent at %v", r.Header.Get("territorylasttick"), sent)
	}
	tag := ""
	for _, c := range []struct {
		method string
		status int
	}{{"HEAD", http.StatusOK}, {"GET", http.StatusNotModified}} {
		again, err := http.NewRequestWithContext(t.Context(), c.method, p.base+"/v3/guild/list/territory", nil)
		if err != nil {
			t.Fatal(err)
		}
		again.Header.Set("If-None-Match", tag)
		res := send(t, again, nil)
		if tag = res.header.Get("ETag"); res.status != c.status || len(res.body) > 0 ||
			!format.MatchString(res.header.Get("territorylasttick")) {
			t.Errorf("%s: got %d at %q, want %d", c.method, res.status, res.header.Get("territorylasttick"), c.status)
		}
	}
	for name, territory := range decodeBody[map[string]map[string]any](t, []byte(body)) {
		expectKeys(t, name, territory, join(rules(always,
			"guild hq resources links treasury defences location location.start location.end"), rules(orNull,
			"acquired guild.uuid guild.name guild.prefix guild.hq")))
	}
	var refreshed struct {
		Data struct {
			Territories struct{ RefreshedAt, ResourcesRefreshedAt time.Time }
		}
	}
	if err := json.Unmarshal(requestOK(t, p.base, "POST", "/graphql",
		`{"query":"{territories{refreshedAt resourcesRefreshedAt}}"}`), &refreshed); err != nil {
		t.Fatal(err)
	}
	if x := refreshed.Data.Territories; x.RefreshedAt.Before(tick) || time.Since(x.ResourcesRefreshedAt) > time.Minute {
		t.Errorf("got %v and %v, want the header's time and one of the last minute", x.RefreshedAt, x.ResourcesRefreshedAt)
	}
}

// The key schedule is a time with +00:00 within the next 15 minutes, or null; the demo world always has both.
func TestWorldEventBodies(t *testing.T) {
	p := sharedService(t)
	earliest := time.Now().Add(-time.Second)
	_, body := get(t, p.base+"/v3/map/world-events")
	scheduled := 0
	events := decodeBody[[]map[string]any](t, []byte(body))
	for _, e := range events {
		name := e["name"].(string)
		expectKeys(t, name, e, join(rules(always, "name internalName location"), rules(orNull,
			"lore difficulty level length rewardPerLevel requirements schedule")))
		for _, place := range e["location"].([]any) {
			expectKeys(t, name, place.(map[string]any), rules(orNull, "event spawn reward radius spawnRadius"))
		}
		if e["schedule"] == nil {
			continue
		}
		scheduled++
		start, err := time.Parse("2006-01-02T15:04:05-07:00", e["schedule"].(string))
		if err != nil || !strings.HasSuffix(e["schedule"].(string), "+00:00") || start.Before(earliest) ||
			start.After(time.Now().Add(15*time.Minute)) {
			t.Errorf("%s: got the schedule %v, want a time within 15 minutes", name, e["schedule"])
		}
	}
	if scheduled < 2 || scheduled > len(events)-2 {
		t.Errorf("got %d of %d events with a schedule, want 2 with and 2 without at least", scheduled, len(events))
	}
}

// The caller's player is found by address alone. An address that no player joined from, or whose player is on no world
// yet, gets 403.
func TestPlayerLocationsByAddress(t *testing.T) {
	p := startService(t, append(demo(t), "--trusted-proxies", "127.0.0.1/32")...)
	for address, want := range map[string]string{
		"203.0.113.9": "", "192.0.2.28": "", "::1": "Okapi",
		"2001:db8::25": "Stewardess", "198.51.100.24": "Goldleaf",
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", p.base+"/v3/map/locations/player", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-For", address)
		res := send(t, r, nil)
		if cors := res.header.Get("Access-Control-Allow-Origin"); cors != "" {
			t.Errorf("%s: got Access-Control-Allow-Origin %s, want none", address, cors)
		}
		if want == "" {
			const forbidden = `{"error":"Forbidden","detail":"No online player could be resolved for this request.","code":403}`
			if res.status != http.StatusForbidden || strings.TrimSpace(string(res.body)) != forbidden ||
				res.header.Get("Cache-Control") != "max-age=0, private, no-store" {
				t.Errorf("%s: got %d %s %s, want 403", address, res.status, res.header.Get("Cache-Control"), res.body)
			}
			continue
		}
		list := decodeBody[[]map[string]any](t, res.body)
		if len(list) != 1 || list[0]["name"] != want || res.header.Get("Cache-Control") != "max-age=15, private" {
			t.Errorf("%s: got %d %s, want %s", address, res.status, res.body, want)
			continue
		}
		expectKeys(t, want, list[0], join(rules(always, "uuid name character x y z friends party guild"), rules(orNull,
			"nickname server")))
		for _, near := range slices.Concat(list[0]["friends"].([]any), list[0]["party"].([]any)) {
			expectKeys(t, want, near.(map[string]any), join(rules(always, "uuid name character x y z"), rules(orNull,
				"nickname server")))
		}
	}
}
