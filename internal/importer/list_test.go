package importer_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/importer"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func TestListRejects(t *testing.T) {
	for name, c := range map[string]struct {
		records []string
		want    string
	}{
		"duplicate key": {[]string{`[{"name":"A"}]`, `[{"name":"B"}]`, `[{"name":"A"}]`}, `repeats the key "A"`},
		"empty key":     {[]string{`[{"name":""}]`}, "empty key"},
		"null":          {[]string{`[null]`}, "not a record"},
	} {
		list := importer.NewList("itemSets")
		for i, record := range c.records {
			err := list.Check(json.RawMessage(record))
			if last := i == len(c.records)-1; (err != nil) != last || last && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: record %d: got error %v, want one that says %q", name, i+1, err, c.want)
			}
		}
	}
	if importer.NewList("player") != nil {
		t.Error("a player is read as a list")
	}
}

// A list replaces the stored one, entries beyond its end included, and is purged once.
func TestListReplaces(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	var old []*model.MapMarker
	for range 2500 {
		old = append(old, &model.MapMarker{Name: "old"})
	}
	mongotest.Must(t, mongo.MapMarkers.Put(ctx, store, old))
	purges := 0
	store.OnPurge(func(...string) { purges++ })
	list := importer.NewList("mapMarkers")
	for range 2100 {
		mongotest.Must(t, list.Store(ctx, store, json.RawMessage(`[{"name":"new"}]`)))
	}
	mongotest.Must(t, list.Close(ctx, store))
	got, err := mongo.MapMarkers.Read(ctx, store)
	isOld := func(m *model.MapMarker) bool { return m.Name != "new" }
	if err != nil || len(got) != 2100 || slices.ContainsFunc(got, isOld) {
		t.Errorf("got %d markers, %v, want 2100 new ones", len(got), err)
	}
	if purges != 1 {
		t.Errorf("purged %d times", purges)
	}
}
