package site

import (
	"encoding/json"
	"testing"
	"time"

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
		{"PLAYTIME", board + "PLAYTIME", [3]string{"+1.3 h", "+13 h", "+1,301 h"}},
		{"CONTRIBUTED", board + "CONTRIBUTED", [3]string{"?", "−2", "+12.3 m"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Days may pass between two seasons: the links lead over them.
func TestSeasonsBesideGainBoard(t *testing.T) {
	var data GainBoardPage
	const seasons = `{"guildSeasons": {"nodes": [
		{"startsAt": "2026-09-21T18:00:00Z"}, {"startsAt": "2026-11-09T18:00:00Z"}, {"startsAt": "2027-01-04T18:00:00Z"}
	]}}`
	if err := json.Unmarshal([]byte(seasons), &data); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct{ shown, previous, next string }{
		{"2026-09-21", "", "2026-11-10"},
		{"2026-11-05", "2026-09-22", "2026-11-10"},
		{"2026-11-09", "2026-09-22", ""},
		{"2026-11-29", "2026-11-10", ""},
	} {
		shown, _ := time.Parse(time.DateOnly, test.shown)
		b := &gainBoardBody{GainBoardPage: &data}
		b.findNeighbours("SEASON", shown, now)
		if b.Previous != test.previous || b.Next != test.next {
			t.Errorf("%s: got previous %q, next %q", test.shown, b.Previous, b.Next)
		}
	}
}
