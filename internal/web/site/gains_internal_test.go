package site

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Only metrics that changed are shown, with signs and units.
func TestGainRows(t *testing.T) {
	got := gainRows("GUILD", "u",
		[]Gained{{"LEVEL", 0, 5}, {"PLAYTIME", 1.26, 9}},
		[]Gained{{"LEVEL", 0, 5}, {"PLAYTIME", 12.6, 9}, {"CONTRIBUTED", -2, 9}},
		[]Gained{{"LEVEL", 0, 5}, {"PLAYTIME", 1300.5, 9}, {"CONTRIBUTED", 12_345_678, 9}},
	)
	const board = "/leaderboards/gains?around=u&kind=GUILD&metric="
	want := []gainRow{
		{"PLAYTIME", board + "PLAYTIME", [3]string{"+1.3 h", "+12 h", "+1,300 h"}},
		{"CONTRIBUTED", board + "CONTRIBUTED", [3]string{"?", "−2", "+12.3 m"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
