package site

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Only metrics that changed are shown, with signs.
func TestGainRows(t *testing.T) {
	got := gainRows("GUILD", "u",
		[]Gained{{"LEVEL", 0}, {"PLAYTIME", 1.26}},
		[]Gained{{"LEVEL", 0}, {"PLAYTIME", 12.6}, {"MEMBERS", -2}},
		[]Gained{{"LEVEL", 0}, {"PLAYTIME", 1300.5}, {"MEMBERS", -2}},
	)
	const board = "/leaderboards/gains?around=u&kind=GUILD&metric="
	want := []gainRow{
		{"PLAYTIME", board + "PLAYTIME", [3]string{"+1.3", "+12", "+1,300"}},
		{"MEMBERS", board + "MEMBERS", [3]string{"?", "−2", "−2"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
