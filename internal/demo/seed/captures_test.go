package seed_test

import (
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/mongo"
)

// The captures of the demo world lead to the present holders, each to the next, most of them in the evening. The past
// of guilds has as many territories as the captures give.
func TestCaptures(t *testing.T) {
	t.Parallel()
	store, ctx := seeded(t).store, t.Context()
	land, err := store.Territories.All(ctx)
	if err != nil {
		t.Fatal(err)
	}
	dayEnd := now.Truncate(24 * time.Hour).Add(-10 * 24 * time.Hour)
	total, byQuarter, held := 0, [4]int{}, map[string]int{}
	for _, place := range land {
		pages, err := store.Captures.Pages(ctx, mongo.CaptureList{}, []string{place.Name}, mongo.PageQuery{Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		all := pages[0].Captures
		holder, at, heldThen := uuidOf(place.GuildUUID()), *place.AcquiredAt, uuidOf(place.GuildUUID())
		for i, c := range all {
			if holderOf(c.To) != holder || holderOf(c.From) == holder || c.At.Sub(at).Abs() > time.Second {
				t.Fatalf("%s: capture %d by %q at %v, want one by %q at %v", place.Name, i, holderOf(c.To), c.At, holder, at)
			}
			holder, at = holderOf(c.From), c.At.Add(-time.Duration(*c.HeldSeconds)*time.Second)
			if !c.At.Before(dayEnd) {
				heldThen = holder
			}
			byQuarter[c.At.Hour()/6]++
		}
		if len(all) == 0 {
			t.Errorf("%s has no captures", place.Name)
		}
		total += len(all)
		held[heldThen]++
	}
	if total < 2000 || total > 8000 || byQuarter[3] < 2*byQuarter[0] {
		t.Errorf("%d captures, by quarters of the day %v", total, byQuarter)
	}
	delete(held, "")
	for uuid, n := range held {
		past, err := store.History.Of(ctx, mongo.RecordedGuild, mongo.HistorySpan{
			Key: uuid, From: dayEnd.Add(-90 * 24 * time.Hour), To: dayEnd.Add(-24 * time.Hour),
		})
		if err != nil {
			t.Fatal(err)
		}
		if points := past[0]; len(points) > 0 && points[len(points)-1].Values[history.Territories] != float64(n) {
			t.Errorf("%s held %v territories, %d by the captures", uuid, points[len(points)-1], n)
		}
	}
}

func uuidOf(uuid *string) string {
	if uuid == nil {
		return ""
	}
	return *uuid
}

func holderOf(g *model.EventGuild) string {
	if g == nil {
		return ""
	}
	return g.UUID
}
