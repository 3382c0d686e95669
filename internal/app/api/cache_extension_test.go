package api

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

var cacheExtension = regexp.MustCompile(`,"cache":\{[^{}]*\}`)

func withoutCacheExtension(body []byte) []byte { return cacheExtension.ReplaceAll(body, nil) }

// extensions.cache of a GraphQL response by POST shows status and age.
func TestCacheExtension(t *testing.T) {
	svc := apptest.NewService(t)
	text := graphqlBody(`{player(by:{username:"Salted"}){username uuid characters{nodes{uuid classKey level}}}}`)
	post := func(headers ...string) apptest.Response { return svc.Request("POST", "/graphql", text, headers...) }
	svc.Request("GET", "/v3/player/Salted", "").Expect(t, "the record", 200)
	svc.Advance(20 * time.Second)
	for i, step := range []struct {
		after    time.Duration
		away     bool
		status   string
		age, ttl int
		filledBy string
	}{
		{0, false, "miss", 20, 100, "rest"},
		{0, false, "hit", 20, 100, "rest"},
		{time.Second, false, "hit", 21, 99, "rest"},
		{99 * time.Second, false, "miss", 100, 20, "graphql"}, // the characters are of that age
		{19 * time.Second, true, "hit", 119, 1, "graphql"},
		{11 * time.Second, true, "stale", 130, -10, "graphql"},
	} {
		svc.Advance(step.after)
		if step.away {
			svc.StopStore()
		}
		res := post()
		want := fmt.Sprintf(`"cache":{"maxAge":120,"scope":"USER","status":%q,"age":%d,"ttl":%d,"filledBy":%q}`,
			step.status, step.age, step.ttl, step.filledBy)
		if !res.Has(want) {
			t.Errorf("step %d: got %s, want %s", i, res.Body, want)
		}
		tag := res.Header.Get("ETag")
		if !strings.HasPrefix(tag, `W/"`) {
			t.Errorf("got the ETag %s, want a weak one", tag)
		}
		again := post("If-None-Match", tag)
		again.Expect(t, "a conditional POST", 304, "ETag", tag, "Cache-Control", "max-age=120, private")
	}
}
