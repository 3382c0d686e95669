package app_test

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
		if len(all) < 100 || !slices.EqualFunc(all, paged, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Errorf("%s: %d entries of all pages differ from %d of the full result", path, len(paged), len(all))
		}
	}
}
