package resolvers

import (
	"strings"
	"testing"

	"gamedata/graph/model"
)

// The rows of the filters in docs/spec/wire-content.md.
func TestRangeFilter(t *testing.T) {
	stored := &model.ValueRange{Minimum: 10, Maximum: 13}
	for _, c := range []struct {
		name   string
		stored *model.ValueRange
		filter []int
		match  bool
	}{
		{"lower border", stored, []int{10}, true},
		{"inside", stored, []int{12}, true},
		{"upper border", stored, []int{13}, true},
		{"below", stored, []int{9}, false},
		{"above", stored, []int{14}, false},
		{"touches at 13", stored, []int{13, 20}, true},
		{"touches at 10", stored, []int{1, 10}, true},
		{"lies inside", stored, []int{11, 12}, true},
		{"covers", stored, []int{0, 110}, true},
		{"apart above", stored, []int{14, 20}, false},
		{"apart below", stored, []int{1, 9}, false},
		{"no filter", stored, nil, true},
		{"nothing stored, no filter", nil, nil, true},
		{"upside down", &model.ValueRange{Minimum: 193, Maximum: 191}, []int{192}, true},
		{"upside down, outside", &model.ValueRange{Minimum: 193, Maximum: 191}, []int{194}, false},
		{"nothing stored", nil, []int{1}, false},
	} {
		s, err := numberRange("level", c.filter)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := overlaps(s, c.stored); got != c.match {
			t.Errorf("%s: match %v, want %v", c.name, got, c.match)
		}
	}
	for _, bad := range [][]int{{20, 14}, {1, 2, 3}} {
		if _, err := numberRange("level", bad); err == nil || !strings.HasPrefix(err.Error(), "level must") {
			t.Errorf("%v: error %v does not name the filter", bad, err)
		}
	}
}

func TestParseWorld(t *testing.T) {
	eu37 := "EU37"
	for query, match := range map[string]bool{
		"EU37": true, "eu37": true, "37": true, "037": true, "WC37": false,
		"7": false, "3": false, "EU3": false, strings.Repeat("9", 40): false,
	} {
		w, ok := parseWorld(query)
		if !ok || w.is(&eu37) != match {
			t.Errorf("%s: is EU37 %v, want %v", query, w.is(&eu37), match)
		}
	}
	for _, bad := range []string{"", "EU", "37EU", "EU-37", "EU37 ", "é37", "\ufffd"} {
		if _, ok := parseWorld(bad); ok {
			t.Errorf("%q reads as a world", bad)
		}
	}
	if w, _ := parseWorld("37"); w.is(nil) {
		t.Error("a player without a world is on one")
	}
}
