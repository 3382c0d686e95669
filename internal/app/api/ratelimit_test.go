package api

import (
	"fmt"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// Requests are charged to the documented bucket of the caller. The clock does not move, so each case continues from
// the one before.
func TestRequestCharges(t *testing.T) {
	svc := apptest.NewService(t, "--guest-rate", "50")
	etag := ""
	for i, c := range []struct {
		method, path, header, value string
		status                      int
		bucket, remaining           string
	}{
		{"GET", "/v3/guild/seasons", "", "", 200, "GUILD", "49"},
		{"GET", "/v3/guild/seasons", "", "", 200, "GUILD", "48"}, // cached
		{"HEAD", "/v3/guild/seasons", "", "", 200, "GUILD", "47"},
		{"GET", "/v3/guild/seasons", "If-None-Match", "the ETag", 304, "GUILD", "46"},
		{"GET", "/v3/guild/Unknown", "", "", 404, "GUILD", "45"},
		{"GET", "/v3/guild/list/guild?identifier=both", "", "", 400, "GUILD", "44"},
		{"OPTIONS", "/v3/guild/seasons", "", "", 204, "GUILD", "44"},
		{"GET", "/v3/guild/seasons", "Authorization", "Bearer gdt_wrong", 401, "GUILD", "43"},
		{"POST", "/v3/guild/seasons", "", "", 405, "SHARED", "49"},
		{"GET", "/v3/nowhere", "", "", 404, "SHARED", "48"},
		{"GET", "/v3/oauth/me", "", "", 401, "SHARED", "47"},
		{"POST", "/v3/oauth/token", "Authorization", "Basic eDp5", 415, "SHARED", "46"},
		{"POST", "/graphql", "Authorization", "Bearer gdt_wrong", 401, "SHARED", "45"},
		{"GET", "/graphql?query={", "", "", 200, "SHARED", "44"},
		{"GET", "/graphql?query={guildSeasons{nodes{number}}}", "", "", 200, "GUILD", "42"},
	} {
		res := svc.Request(c.method, c.path, "", c.header, strings.Replace(c.value, "the ETag", etag, 1))
		if etag == "" {
			etag = res.Header.Get("ETag")
		}
		res.Expect(t, fmt.Sprint(i+1, ": ", c.method, " ", c.path), c.status, "RateLimit-Bucket", c.bucket,
			"RateLimit-Remaining", c.remaining, "RateLimit-Limit", "50")
	}
}

// Pages have a bucket of their own, and a page in the cache is free: readers, however many behind one address, spend
// nothing of the API's quota.
func TestPageCharges(t *testing.T) {
	svc := apptest.NewService(t, "--guest-rate", "9")
	for i, c := range []struct {
		path, header, value string
		status              int
		bucket, remaining   string
	}{
		{"/seasons", "", "", 200, "PAGES", "8"},
		{"/seasons", "", "", 200, "PAGES", "8"}, // cached
		{"/guilds", "", "", 200, "PAGES", "7"},
		{"/seasons", "Authorization", "Bearer gdt_wrong", 401, "PAGES", "6"},
		{"/items?tier=x", "", "", 400, "PAGES", "5"},
		{"/docs/guides/rate-limits", "", "", 200, "PAGES", "5"},
		{"/nowhere", "Accept", "text/html", 404, "PAGES", "4"},
		{"/players/Salted/card.png", "", "", 200, "PAGES", "0"},
		{"/players/Salted/card.png", "", "", 200, "PAGES", "0"}, // cached
		{"/items", "", "", 429, "PAGES", "0"},
		{"/seasons", "", "", 200, "PAGES", "0"}, // cached
		{"/v3/guild/seasons", "", "", 200, "GUILD", "8"},
		{"/v3/openapi.json", "", "", 200, "SHARED", "8"},
	} {
		res := svc.Request("GET", c.path, "", c.header, c.value)
		res.Expect(t, fmt.Sprint(i+1, ": ", c.path), c.status, "RateLimit-Bucket", c.bucket, "RateLimit-Remaining", c.remaining)
		if c.status == 429 {
			wait := res.Header.Get("Retry-After")
			if wait == "" || res.Header.Get("Refresh") != wait || !res.Has("reloads by itself in "+wait+" seconds") {
				t.Errorf("got %v %s, want a page that reloads after %s s", res.Header, res.Body, wait)
			}
		}
	}
}
