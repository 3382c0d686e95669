package mongo_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// List content keeps its order, is replaced whole, and every write purges it.
func TestListContent(t *testing.T) {
	store, server := mongotest.Open(t)
	var purged []string
	store.OnPurge(func(tags ...string) { purged = append(purged, tags...) })
	long := make([]*model.MapMarker, 1500)
	for i := range long {
		at := model.Position{X: float64(-i), Y: float64(i % 90), Z: float64(i * 3)}
		long[i] = &model.MapMarker{Name: string(rune('z' - i%26)), Icon: "painting.png", Position: at}
	}
	for _, want := range [][]*model.MapMarker{long, long[700:703], {}, long[:2]} {
		purged = nil
		check(t, mongo.MapMarkers.Put(t.Context(), store, want))
		scans := server.Stats().DocumentsExamined
		got, err := mongo.MapMarkers.Read(t.Context(), store)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%d markers: %v, diff %.500s", len(want), err, d)
		}
		if read := server.Stats().DocumentsExamined - scans; server.Embedded() && read != int64(len(want)) {
			t.Errorf("read %d documents for %d markers", read, len(want))
		}
		if d := cmp.Diff([]string{"content:mapMarkers"}, purged); d != "" {
			t.Errorf("purged %s", d)
		}
	}
}

// Territories and their resources are read separately.
func TestTerritoryResources(t *testing.T) {
	store, _ := mongotest.Open(t)
	since := time.Date(2026, 3, 19, 20, 14, 9, 310e6, time.UTC)
	ore := []*model.TerritoryResource{{Type: "ORE", BaseGeneration: 3600, Stored: 1 << 40, Limit: 1 << 41}}
	want := []*model.Territory{
		{Name: "A", Guild: &model.TerritoryGuild{}, LinkNames: []string{}, Resources: ore},
		{
			Name: "B", Guild: &model.TerritoryGuild{UUID: new(mongotest.UUID(1))}, AcquiredAt: &since, LinkNames: []string{"A"},
			Resources: []*model.TerritoryResource{},
		},
	}
	check(t, store.Territories.Put(t.Context(), []*model.Territory{want[1], want[0]}))
	stock, err := store.Territories.Resources(t.Context())
	if d := cmp.Diff(map[string][]*model.TerritoryResource{"A": ore, "B": {}}, stock); err != nil || d != "" {
		t.Error(err, d)
	}
	want[0].Resources, want[1].Resources = nil, nil
	got, err := store.Territories.All(t.Context())
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(model.Territory{}, "Updated")); err != nil || d != "" {
		t.Error(err, d)
	}
}
