package model_test

import (
	"testing"
	"time"

	"gamedata/graph/model"
)

// The running season is the latest that is enabled, has started and is not over.
func TestRunningSeason(t *testing.T) {
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	before, after := now.Add(-time.Hour), now.Add(time.Hour)
	for want, list := range map[int][]*model.GuildSeason{
		-1: {
			{Number: 1, StartsAt: before},
			{Number: 2, Enabled: true, StartsAt: after},
			{Number: 3, Enabled: true, StartsAt: before, EndsAt: &now},
		},
		2: {
			{Number: 2, Enabled: true, StartsAt: now, EndsAt: &after},
			{Number: 0, Enabled: true, StartsAt: before},
			{Number: 5, StartsAt: before},
		},
		0: {{Number: 0, Enabled: true, StartsAt: before}},
	} {
		got := -1
		if s := model.RunningSeason(list, now); s != nil {
			got = s.Number
		}
		if got != want {
			t.Errorf("got season %d, want %d", got, want)
		}
	}
}
