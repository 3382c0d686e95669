package resolvers

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
)

func ints(list ...int) []*int {
	out := make([]*int, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// The rows of the filters in docs/spec/wire-content.md.
func TestRangeFilter(t *testing.T) {
	stored := &model.ValueRange{Minimum: 10, Maximum: 13}
	for _, c := range []struct {
		name   string
		stored *model.ValueRange
		filter []*int
		match  bool
	}{
		{"lower border", stored, ints(10), true},
		{"inside", stored, ints(12), true},
		{
			"upper border", stored, ints(13),
			true,
		},
		{"below", stored, ints(9), false},
		{"above", stored, ints(14), false},
		{"touches at 13", stored, ints(13, 20), true},
		{"touches at 10", stored, ints(1, 10), true},
		{"lies inside", stored, ints(11, 12), true},
		{"covers", stored, ints(0, 110), true},
		{"apart above", stored, ints(14, 20), false},
		{"apart below", stored, ints(1, 9), false},
		{"no filter", stored, ints(), true},
		{"nothing stored, no filter", nil, ints(), true},
		{"upside down", &model.ValueRange{Minimum: 193, Maximum: 191}, ints(192), true},
		{"upside down, outside", &model.ValueRange{Minimum: 193, Maximum: 191}, ints(194), false},
		{"nothing stored", nil, ints(1), false},
	} {
		s, err := numberRange("level", c.filter)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := s.overlaps(c.stored); got != c.match {
			t.Errorf("%s: match %v, want %v", c.name, got, c.match)
		}
	}
	for _, bad := range [][]*int{ints(20, 14), ints(1, 2, 3), {nil}} {
		if _, err := numberRange("level", bad); err == nil || !strings.HasPrefix(err.Error(), "level must") {
			t.Errorf("%v: error %v does not name the filter", bad, err)
		}
	}
}

func TestPaged(t *testing.T) {
	list := make([]int, 45)
	n := func(i int) *int { return &i }
	for _, c := range []struct {
		name       string
		list       []int
		page, size int
		all        bool
		want       model.PageNumbers
	}{
		{"first", list, 1, 20, false, model.PageNumbers{Count: 45, CurrentCount: 20, Pages: 3, Current: 1, Next: n(2)}},
		{"last", list, 3, 20, false, model.PageNumbers{Count: 45, CurrentCount: 5, Pages: 3, Prev: n(2), Current: 3}},
		{"behind the end", list, 9, 20, false, model.PageNumbers{Count: 45, Pages: 3, Prev: n(3), Current: 9}},
		{"largest page", list, 2147483647, 20, false, model.PageNumbers{Count: 45, Pages: 3, Prev: n(3), Current: 2147483647}},
		{"empty", nil, 1, 20, false, model.PageNumbers{Current: 1}},
		{"exact", list[:40], 2, 20, false, model.PageNumbers{Count: 40, CurrentCount: 20, Pages: 2, Prev: n(1), Current: 2}},
		{"all at once", list, 7, 20, true, model.PageNumbers{Count: 45, CurrentCount: 45, Pages: 1, Current: 1}},
	} {
		info, out, err := pageOf(c.list, c.page, c.size, c.all)
		if err != nil || out == nil && c.list != nil {
			t.Fatal(c.name, err)
		}
		if !cmp.Equal(*info, c.want) || len(out) != c.want.CurrentCount {
			t.Errorf("%s: %s", c.name, cmp.Diff(c.want, *info))
		}
	}
	for _, page := range []int{0, -1} {
		if _, _, err := pageOf(list, page, 20, true); err == nil {
			t.Errorf("page %d is accepted", page)
		}
	}
}

func TestParseWorld(t *testing.T) {
	eu37 := "EU37"
	for query, match := range map[string]bool{
		"EU37": true, "eu37": true, "37": true, "037": true, "WC37": false,
		"7": false, "3": false, "EU3": false,
	} {
		w, ok := parseWorld(query)
		if !ok || w.is(&eu37) != match {
			t.Errorf("%s: is EU37 %v, want %v", query, w.is(&eu37), match)
		}
	}
	for _, bad := range []string{"", "EU", "37EU", "EU-37", "EU37 ", "é37", strings.Repeat("9", 40), "\ufffd"} {
		if _, ok := parseWorld(bad); ok {
			t.Errorf("%q reads as a world", bad)
		}
	}
	if w, _ := parseWorld("37"); w.is(nil) {
		t.Error("a player without a world is on one")
	}
}
