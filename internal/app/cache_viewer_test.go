package app_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Two viewers who may see different things never share an answer; those who see the same do.
func TestViewersDoNotShare(t *testing.T) {
	k := newTestService(t)
	private, public := k.owner("Veiled")
	other, _ := k.owner("Salted")
	path := "/v3/player/" + cast(t, "Veiled")
	query := `/graphql?query=` + url.QueryEscape(`{player(username:"`+cast(t, "Veiled")+`"){username globalData{wars}}}`)
	for _, path := range []string{path, path + "?fullResult", query} {
		for _, order := range [][]string{{"", private, other, public}, {private, public, "", other}} {
			k.wait(25 * time.Hour)
			seen, answers := map[string]answer{}, map[string]int{}
			for range 2 {
				for _, who := range order {
					headers := []string{"Authorization", who}
					if who == "" {
						headers = nil
					}
					a := k.ask("GET", path, "", headers...)
					a.is(t, path, 200, "Vary", "Authorization, Cookie, Origin, Accept-Encoding")
					if before, asked := seen[who]; asked && !bytes.Equal(before.body, a.body) {
						t.Errorf("%s: the same viewer sees %.200s, then %.200s", path, before.body, a.body)
					}
					if !a.hits() {
						answers[who]++
					}
					seen[who] = a
				}
			}
			if bytes.Equal(seen[private].body, seen[""].body) || !bytes.Equal(seen[public].body, seen[""].body) ||
				!bytes.Equal(seen[other].body, seen[""].body) {
				t.Errorf("%s: the owner sees %.300s, a guest %.300s, in Public Mode %.300s, another player %.300s", path,
					seen[private].body, seen[""].body, seen[public].body, seen[other].body)
			}
			if answers[private] != 1 || answers[other] != 1 || answers[""]+answers[public] != 1 {
				t.Errorf("%s: made %v, want one for the owner, one for the other, one for guests", path, answers)
			}
		}
	}
	// Everybody shares a SHARED answer, and it is the guest's whoever asked first.
	k.wait(25 * time.Hour)
	shared := "/v3/guild/list/guild"
	first := k.ask("GET", shared, "", "Authorization", private)
	first.is(t, shared, 200, "Cache-Status", miss)
	for _, who := range []string{"", public, other, private} {
		headers := []string{"Authorization", who}
		if who == "" {
			headers = nil
		}
		a := k.ask("GET", shared, "", headers...)
		if a.is(t, shared, 200, "Cache-Status", "gamedata; hit; ttl=3600"); !bytes.Equal(a.body, first.body) {
			t.Error("a SHARED answer differs")
		}
	}
	// A credential that is bad gets nothing that is cached.
	k.ask("GET", shared, "", "Authorization", "Bearer nonsense").is(t, "bad token", 401, "Cache-Status", "")
}

// What depends on the caller's address is cached for that address, or not at all.
func TestAddressesDoNotShare(t *testing.T) {
	k := newTestService(t)
	const here, there = "127.0.0.1", "198.51.100.17"
	ask := func(path, from string, more ...string) answer {
		return k.ask("GET", path, "", append([]string{"X-Forwarded-For", from}, more...)...)
	}
	for _, path := range []string{
		"/v3/player/whoami", "/v3/map/locations/player",
		`/graphql?query={playerLocations{name}}`, `/graphql?query={whoami{username}}`,
	} {
		k.wait(time.Hour)
		seen := map[string]string{}
		for range 2 {
			for _, from := range []string{here, there} {
				a := ask(path, from)
				status := 200
				if a.is(t, path, status, "Access-Control-Allow-Origin", ""); seen[from] != "" && seen[from] != string(a.body) {
					t.Errorf("%s from %s: %s, then %s", path, from, seen[from], a.body)
				}
				if cached := a.hits(); cached != (seen[from] != "" && !strings.Contains(path, "whoami")) {
					t.Errorf("%s from %s is cached: %v", path, from, cached)
				}
				seen[from] = string(a.body)
			}
		}
		if seen[here] == seen[there] {
			t.Errorf("%s: both addresses see %s", path, seen[here])
		}
	}
	ask("/v3/map/locations/player", here, "Origin", "https://elsewhere.example").is(t, "another site", 403, "Cache-Status",
		"")
	ask("/v3/map/locations/player", "203.0.113.5").is(t, "nobody there", 403, "Cache-Status", "")
}
