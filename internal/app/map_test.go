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

// The header of the territory list is the moment of its last refresh, and resources are
// told another one in GraphQL.
func TestTerritoryRefreshHeader(t *testing.T) {
	p := sharedService(t)
	asked := time.Now()
	r, body := get(t, p.base+"/v3/guild/list/territory")
	form := regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00:00$`)
	tick, err := time.Parse("2006-01-02 15:04:05.000000-07:00", r.Header.Get("territorylasttick"))
	if err != nil || !form.MatchString(r.Header.Get("territorylasttick")) || asked.Sub(tick) > 10*time.Second ||
		tick.After(time.Now()) {
		t.Errorf("the header says %q, asked at %v", r.Header.Get("territorylasttick"), asked)
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
			!form.MatchString(res.header.Get("territorylasttick")) {
			t.Errorf("%s: %d at %q", c.method, res.status, res.header.Get("territorylasttick"))
		}
	}
	for name, territory := range decodeBody[map[string]map[string]any](t, []byte(body)) {
		expectKeys(t, name, territory, join(rules(always,
			"guild hq resources links treasury defences location location.start location.end"), rules(orNull,
			"acquired guild.uuid guild.name guild.prefix guild.hq")))
	}
	var told struct {
		Data struct {
			Territories struct{ RefreshedAt, ResourcesRefreshedAt time.Time }
		}
	}
	if err := json.Unmarshal(requestOK(t, p.base, "POST", "/graphql",
		`{"query":"{territories{refreshedAt resourcesRefreshedAt}}"}`), &told); err != nil {
		t.Fatal(err)
	}
	if x := told.Data.Territories; x.RefreshedAt.Before(tick) || time.Since(x.ResourcesRefreshedAt) > time.Minute {
		t.Errorf("refreshed at %v and %v", x.RefreshedAt, x.ResourcesRefreshedAt)
	}
}

// schedule is a moment with +00:00 inside the next 15 minutes, or null; the demo world has
// both at any time.
func TestWorldEventBodies(t *testing.T) {
	p := sharedService(t)
	asked := time.Now().Add(-time.Second)
	_, body := get(t, p.base+"/v3/map/world-events")
	told := 0
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
		told++
		start, err := time.Parse("2006-01-02T15:04:05-07:00", e["schedule"].(string))
		if err != nil || !strings.HasSuffix(e["schedule"].(string), "+00:00") || start.Before(asked) ||
			start.After(time.Now().Add(15*time.Minute)) {
			t.Errorf("%s begins %v", name, e["schedule"])
		}
	}
	if told < 2 || told > len(events)-2 {
		t.Errorf("%d of %d events are told", told, len(events))
	}
}

// Who asks is known by address alone: one that nobody joined from, or from where a user
// is on no world yet, is refused.
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
			t.Errorf("%s: other origins may read it: %s", address, cors)
		}
		if want == "" {
			const refusal = `{"error":"Forbidden","detail":"No online player could be resolved for this request.","code":403}`
			if res.status != http.StatusForbidden || strings.TrimSpace(string(res.body)) != refusal ||
				res.header.Get("Cache-Control") != "max-age=0, private, no-store" {
				t.Errorf("%s: %d %s %s", address, res.status, res.header.Get("Cache-Control"), res.body)
			}
			continue
		}
		list := decodeBody[[]map[string]any](t, res.body)
		if len(list) != 1 || list[0]["name"] != want || res.header.Get("Cache-Control") != "max-age=15, private" {
			t.Errorf("%s: %d %s", address, res.status, res.body)
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
