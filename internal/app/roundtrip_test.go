package app_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fullResult returns the entries of all pages, each once and in the same order.
func TestPagesAndFullResultAgree(t *testing.T) {
	p := sharedService(t)
	for _, c := range []struct{ path, flag string }{{"/v3/item/database", "fullResult"}, {
		"/v3/item/recipe/database",
		"full_result",
	}} {
		var all, paged []json.RawMessage
		if err := json.Unmarshal(requestOK(t, p.base, "GET", c.path+"?"+c.flag, ""), &all); err != nil {
			t.Fatal(err)
		}
		for page := 1; ; page++ {
			var body struct {
				Controller struct {
					Count, Pages, Current int
					Next                  *int
				}
				Results []json.RawMessage
			}
			if err := json.Unmarshal(requestOK(t, p.base, "GET", fmt.Sprintf("%s?page=%d", c.path, page), ""),
				&body); err != nil {
				t.Fatal(err)
			}
			paged = append(paged, body.Results...)
			if body.Controller.Count != len(all) || body.Controller.Current != page {
				t.Fatalf("%s: page %d says %+v, fullResult has %d", c.path, page, body.Controller, len(all))
			}
			if body.Controller.Next == nil {
				break
			}
		}
		if !reflect.DeepEqual(all, paged) {
			d := cmp.Diff(all, paged)
			t.Errorf("%s: %s", c.path, d[:min(len(d), 1000)])
		}
		if len(all) < 100 {
			t.Errorf("%s has only %d entries", c.path, len(all))
		}
	}
}
