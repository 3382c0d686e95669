package api

import (
	"fmt"
	"testing"

	"gamedata/internal/app/apptest"
)

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
