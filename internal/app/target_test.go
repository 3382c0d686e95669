package app_test

import (
	"bytes"
	"testing"
)

// What was asked before is answered as at first in whatever form it is wanted, and only another
// target is another question.
func TestEquivalentRequestsShareResponses(t *testing.T) {
	t.Parallel()
	svc := newTestService(t)
	const path = "/v3/leaderboards/guildWars?resultLimit=2"
	first := svc.request("GET", path, "")
	first.expect(t, "first", 200, "Content-Type", "application/json")
	csv := svc.request("GET", path, "", "Accept", "text/csv")
	csv.expect(t, "table", 200, "Content-Type", "text/csv; charset=utf-8; header=present")
	for _, again := range []struct {
		name, path, accept string
		want               response
	}{
		{"JSON again", path, "application/json", first},
		{"table again", path, "text/csv", csv},
		{"another spelling", "/v3/leaderboards/guildWars?unknown&resultLimit=%32", "", first},
	} {
		got := svc.request("GET", again.path, "", "Accept", again.accept)
		got.expect(t, again.name, 200, "Cache-Status", "gamedata; hit", "ETag", again.want.header.Get("ETag"), "Content-Type",
			again.want.header.Get("Content-Type"),
			"Link", `</explain`+again.path+`>; rel="alternate"`)
		if !bytes.Equal(got.body, again.want.body) {
			t.Errorf("%s: %.200s", again.name, got.body)
		}
	}
	if other := svc.request("GET", "/v3/leaderboards/guildWars?resultLimit=1", ""); other.status != 200 ||
		bytes.Equal(other.body, first.body) {
		t.Errorf("one entry: %d %.200s", other.status, other.body)
	}
}
