package api

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
)

// The territory list's header is the time of its last refresh; GraphQL shows the time of the resources too.
func TestTerritoryRefreshHeader(t *testing.T) {
	p := apptest.Shared(t)
	const path = "/v3/guild/list/territory"
	sent := time.Now()
	res := apptest.Get(t, p.Base+path)
	format := regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00:00$`)
	text := res.Header.Get("territorylasttick")
	tick, err := time.Parse("2006-01-02 15:04:05.000000-07:00", text)
	if err != nil || !format.MatchString(text) || sent.Sub(tick) > 10*time.Second || tick.After(time.Now()) {
		t.Errorf("got the time %q, sent at %v", text, sent)
	}
	again := apptest.Get(t, p.Base+path, "If-None-Match", res.Header.Get("ETag"))
	if again.Status != http.StatusNotModified || !format.MatchString(again.Header.Get("territorylasttick")) {
		t.Errorf("with its ETag: got %d at %q", again.Status, again.Header.Get("territorylasttick"))
	}
	x := apptest.Query[struct {
		Territories struct{ RefreshedAt, ResourcesRefreshedAt time.Time }
	}](t, p.Base, `{territories{refreshedAt resourcesRefreshedAt}}`).Territories
	if x.RefreshedAt.Before(tick) || time.Since(x.ResourcesRefreshedAt) > time.Minute {
		t.Errorf("got %v and %v, want the header's time and one of the last minute", x.RefreshedAt, x.ResourcesRefreshedAt)
	}
}

// The key schedule is a time with +00:00 within the next 15 minutes, or null; the demo world always has both.
func TestSchedulesOfWorldEvents(t *testing.T) {
	p := apptest.Shared(t)
	earliest, scheduled := time.Now().Add(-time.Second), 0
	events := apptest.Decode[[]struct{ Name, Schedule string }](t,
		apptest.RequestOK(t, p.Base, "GET", "/v3/map/world-events", ""))
	for _, e := range events {
		if e.Schedule == "" {
			continue
		}
		scheduled++
		start, err := time.Parse("2006-01-02T15:04:05-07:00", e.Schedule)
		if err != nil || !strings.HasSuffix(e.Schedule, "+00:00") || start.Before(earliest) ||
			start.After(time.Now().Add(15*time.Minute)) {
			t.Errorf("%s: got the schedule %v, want a time within 15 minutes", e.Name, e.Schedule)
		}
	}
	if scheduled < 2 || scheduled > len(events)-2 {
		t.Errorf("got %d of %d events with a schedule, want 2 with and 2 without at least", scheduled, len(events))
	}
}

// The maps of the demo world have the connectors that recorded maps have: clients know the pictures of no others.
func TestConnectorsOfDemoTrees(t *testing.T) {
	p := apptest.Shared(t)
	recorded := regexp.MustCompile("^connector(_up_down|_right_left|_right_down|_down_left|_right_down_left|" +
		"_up_right_down|_up_down_left|_up_right_left|_up_right_down_left)$")
	for _, tree := range model.ClassIDs {
		pages := apptest.Query[struct {
			AbilityMap []struct {
				Elements []struct{ Meta struct{ Connector string } }
			}
		}](t, p.Base, `{abilityMap(by: {key: `+strings.ToUpper(tree)+`}){elements{meta{connector}}}}`).AbilityMap
		for _, page := range pages {
			for _, e := range page.Elements {
				if name := e.Meta.Connector; name != "" && !recorded.MatchString(name) {
					t.Errorf("the map of %s has a %s", tree, name)
				}
			}
		}
	}
}
