package site

import (
	"strings"
	"testing"
	"time"
)

// Members can be ordered by what only the page knows, with hidden values last, and filtered by how long they are away.
// The file has the rows of the page.
func TestMembers(t *testing.T) {
	s := testSite()
	s.o.Now = func() time.Time { return time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC) }
	p := testPage(t, s, "MembersPage")
	const data = `{"guild":{"name":"Moss","members":{"totalCount":6,"nodes":[
		{"uuid":"a","username":"playing","online":true,"wars":1,"lastJoinedAt":"2026-11-01T00:00:00Z"},
		{"uuid":"b","username":"hides presence","wars":1},
		{"uuid":"c","username":"8 days","online":false,"wars":1,"lastJoinedAt":"2026-11-21T00:00:00Z"},
		{"uuid":"d","username":"hides statistics","online":false},
		{"uuid":"e","username":"a month","online":false,"wars":1,"lastJoinedAt":"2026-10-21T00:00:00Z"},
		{"uuid":"f","username":"unknown","online":false,"wars":1}]},
		"memberGains":{"nodes":[{"member":{"uuid":"e"},"gain":{"gained":5}},{"member":{"uuid":"a"},"gain":{"gained":0}}]}}}`
	for query, want := range map[string]string{
		"":                           "playing,hides presence,8 days,hides statistics,a month,unknown",
		"away=7":                     "8 days,a month",
		"away=14":                    "a month",
		"sort=WEEK":                  "playing,a month,hides presence,8 days,hides statistics,unknown",
		"sort=WEEK&direction=DESC":   "a month,playing,hides presence,8 days,hides statistics,unknown",
		"sort=ONLINE":                "8 days,hides statistics,a month,unknown,playing,hides presence",
		"sort=ONLINE&direction=DESC": "playing,8 days,hides statistics,a month,unknown,hides presence",
	} {
		req, bad := p.bind(time.Time{}, map[string]string{"name": "Moss"}, query)
		c := &renderContext{site: s, page: p, request: req, data: []byte(data)}
		if bad != nil || p.show(c) != nil {
			t.Fatal(query, bad)
		}
		body, _ := c.Body.(*membersBody)
		got := ""
		for line := range strings.Lines(string(body.csv())) {
			name, _, _ := strings.Cut(line, ",")
			got += "," + name
		}
		if got != ",\ufeffName,"+want || body.Hiding != 2 {
			t.Errorf("%s: got %s with %d hidden, want %s", query, got, body.Hiding, want)
		}
	}
}
