package pages

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"gamedata/internal/app/apptest"
)

// fullResult returns the entries of all pages, each once and in the same order.
func TestPagesAndFullResultAgree(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	for path, flag := range map[string]string{
		"/v3/item/database": "fullResult", "/v3/item/recipe/database": "full_result",
	} {
		all := apptest.Decode[[]json.RawMessage](t, apptest.RequestOK(t, p.Base, "GET", path+"?"+flag, ""))
		var paged []json.RawMessage
		for page := 1; ; page++ {
			body := apptest.Decode[struct {
				Controller struct {
					Count, Current int
					Next           *int
				}
				Results []json.RawMessage
			}](t, apptest.RequestOK(t, p.Base, "GET", fmt.Sprintf("%s?page=%d", path, page), ""))
			paged = append(paged, body.Results...)
			if body.Controller.Count != len(all) || body.Controller.Current != page {
				t.Fatalf("%s: page %d says %+v, fullResult has %d", path, page, body.Controller, len(all))
			}
			if body.Controller.Next == nil {
				break
			}
		}
		same := func(a, b json.RawMessage) bool { return string(a) == string(b) }
		if len(all) < 100 || !slices.EqualFunc(all, paged, same) {
			t.Errorf("%s: %d entries of all pages differ from %d of the full result", path, len(paged), len(all))
		}
	}
}

// The list of leaderboards shows who is first on each of some sixty boards with a few reads of the store.
func TestLeaderboardListReads(t *testing.T) {
	svc := apptest.NewService(t)
	before := svc.CommandCount()
	svc.Request("GET", "/leaderboards", "").Expect(t, "leaderboards", 200)
	if n := svc.CommandCount() - before; n > 20 {
		t.Errorf("the first page took %d reads, want at most 20", n)
	}
	before = svc.CommandCount()
	svc.Request("GET", "/leaderboards?filter=level", "").Expect(t, "a filter", 200)
	if n := svc.CommandCount() - before; n > 7 {
		t.Errorf("the next page took %d reads, want at most 7", n)
	}
}
