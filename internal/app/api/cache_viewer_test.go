package api

import (
	"bytes"
	"net/url"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// Viewers with different access never share a response; viewers with equal access do.
func TestViewersDoNotShareResponses(t *testing.T) {
	svc := apptest.NewService(t)
	private, public := svc.CreateOwner("Veiled")
	other, _ := svc.CreateOwner("Salted")
	veiled := apptest.CastUUID("Veiled")
	query := func(text string) string { return "/graphql?query=" + url.QueryEscape(text) }
	for _, path := range []string{
		"/v3/player/" + veiled, "/v3/player/" + veiled + "?fullResult",
		query(`{player(by:{reference:"` + veiled + `"}){username totals{wars}}}`),
		query(`{players(filter:{uuids:["` + veiled + `"]}){nodes{activeCharacter{uuid} characters{nodes{uuid mobsKilled}}}}}`),
		query(`{search(query:"Veiled"){players{nodes{online world totals{wars}}}}}`),
	} {
		for _, order := range [][]string{{"", private, other, public}, {private, public, "", other}} {
			svc.Advance(25 * time.Hour)
			seen, misses := map[string]apptest.Response{}, map[string]int{}
			for range 2 {
				for _, credential := range order {
					res := svc.Request("GET", path, "", "Authorization", credential)
					res.Expect(t, path, 200, "Vary", "Authorization, Cookie, Origin, Accept-Encoding")
					if before, ok := seen[credential]; ok && !bytes.Equal(before.Body, res.Body) {
						t.Errorf("%s: got %.200s, then %.200s for the same viewer", path, before.Body, res.Body)
					}
					if !res.Hit() {
						misses[credential]++
					}
					seen[credential] = res
				}
			}
			if bytes.Equal(seen[private].Body, seen[""].Body) || !bytes.Equal(seen[public].Body, seen[""].Body) ||
				!bytes.Equal(seen[other].Body, seen[""].Body) {
				t.Errorf("%s: got %.300s for the owner, %.300s for a guest, %.300s in Public Mode, %.300s for another player", path,
					seen[private].Body, seen[""].Body, seen[public].Body, seen[other].Body)
			}
			if misses[private] != 1 || misses[other] != 1 || misses[""]+misses[public] != 1 {
				t.Errorf("%s: got misses %v, want one for the owner, one for the other, one for guests", path, misses)
			}
		}
	}
	// All viewers share a SHARED response, whichever of them came first.
	svc.Advance(25 * time.Hour)
	shared := "/v3/guild/list/guild"
	first := svc.Request("GET", shared, "", "Authorization", private)
	first.Expect(t, shared, 200, "Cache-Status", apptest.Miss)
	for _, credential := range []string{"", public, other, private} {
		res := svc.Request("GET", shared, "", "Authorization", credential)
		if res.Expect(t, shared, 200, "Cache-Status", "gamedata; hit; ttl=3600"); !bytes.Equal(res.Body, first.Body) {
			t.Error("got another body for a SHARED response")
		}
	}
	// An invalid credential gets no cached response.
	svc.Request("GET", shared, "", "Authorization", "Bearer nonsense").Expect(t, "bad token", 401, "Cache-Status", "")
}

// A response that depends on the caller's address is cached for that address, or not at all.
func TestAddressesDoNotShareResponses(t *testing.T) {
	svc := apptest.NewService(t)
	const here, there = "127.0.0.1", "198.51.100.17"
	ask := func(path, from string, more ...string) apptest.Response {
		return svc.Request("GET", path, "", append([]string{"X-Forwarded-For", from}, more...)...)
	}
	for _, path := range []string{
		"/v3/player/whoami", "/v3/map/locations/player",
		`/graphql?query={playerLocations{name}}`, `/graphql?query={whoami{username}}`,
	} {
		svc.Advance(time.Hour)
		seen := map[string]string{}
		for range 2 {
			for _, from := range []string{here, there} {
				res := ask(path, from)
				res.Expect(t, path, 200, "Access-Control-Allow-Origin", "")
				if seen[from] != "" && seen[from] != string(res.Body) {
					t.Errorf("%s from %s: got %s, then %s", path, from, seen[from], res.Body)
				}
				if cached := res.Hit(); cached != (seen[from] != "" && !strings.Contains(path, "whoami")) {
					t.Errorf("%s from %s: got a cache hit: %v, want %v", path, from, cached, !cached)
				}
				seen[from] = string(res.Body)
			}
		}
		if seen[here] == seen[there] {
			t.Errorf("%s: both addresses get %s", path, seen[here])
		}
	}
	ask("/v3/map/locations/player", here, "Origin", "https://elsewhere.example").Expect(t, "another site", 403,
		"Cache-Status", "")
	none := ask("/v3/map/locations/player", "203.0.113.5")
	none.Expect(t, "no player at the address", 403, "Cache-Status", "", "Access-Control-Allow-Origin", "")
	if !none.Has(`"error":"Forbidden","detail":"No online player could be resolved for this request."`) {
		t.Errorf("no player at the address: got %s", none.Body)
	}
}

// SHARED responses do not depend on the caller or the headers: every golden's request with a public response is sent by
// callers of all kinds.
func TestSharedResponsesAreIdentical(t *testing.T) {
	svc := apptest.NewService(t, "--cache-size", "0") // every response is computed
	private, public := svc.CreateOwner("Veiled")
	seen := 0
	for file, archive := range goldens(t, cases) {
		if !strings.Contains(string(section(archive, "response")), "public") {
			continue
		}
		var first *apptest.Response
		for name, headers := range map[string][]string{
			"a guest": nil, "an owner": {"Authorization", private}, "in Public Mode": {"Authorization", public},
			"from elsewhere": {
				"X-Forwarded-For", "2001:db8::7", "Origin", "https://elsewhere.example", "Sec-Fetch-Site",
				"cross-site",
			},
			"who prefers": {
				"Accept", "text/html", "Accept-Language", "de", "User-Agent", "x", "X-Forwarded-Host",
				"elsewhere.example", "Cookie", "theme=dark",
			},
		} {
			r, body := parseRequest(t, svc.URL, string(section(archive, "request")))
			for i := 0; i < len(headers); i += 2 {
				r.Header.Set(headers[i], headers[i+1])
			}
			res := apptest.Do(t, r, body)
			if !strings.Contains(res.Header.Get("Cache-Control"), "public") {
				continue // the world of this test is younger than the world of the goldens
			}
			if res.Header.Get("Cache-Status") != "" || res.Header.Get("Age") != "" {
				t.Errorf("%s: without a cache: got %v", file, res.Header)
			}
			if first == nil {
				first, seen = &res, seen+1
			}
			if res.Status != first.Status || !bytes.Equal(maskTime(res.Body), maskTime(first.Body)) ||
				res.Header.Get("ETag") != first.Header.Get("ETag") && bytes.Equal(res.Body, first.Body) {
				t.Errorf("%s: %s: got another response", file, name)
			}
		}
	}
	if seen < 40 {
		t.Errorf("compared %d SHARED responses, want at least 40", seen)
	}
}
