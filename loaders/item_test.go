package loaders

import (
	"slices"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Items are read by key with one command, cached for all operations, and read again after an import.
func TestItemsByKey(t *testing.T) {
	w := newOnlineWorld(t)
	twin := func(name, emblem string) *model.Item {
		return &model.Item{InternalName: name, DisplayName: "Twin", Emblem: emblem}
	}
	put := func(items ...*model.Item) {
		t.Helper()
		mongotest.Must(t, mongo.Items.Put(t.Context(), w.store, items))
	}
	put(twin("b", "old"), twin("c", ""))
	expect := func(when string, finds int64, want ...string) {
		t.Helper()
		set := From(w.source.Attach(t.Context(), cachedFor(time.Hour)))
		before := w.server.Stats().Commands["find"]
		byName := mongotest.Value(Many(t.Context(), set.ItemByName, []string{"c", "b", "none"}))(t)
		byTitle := mongotest.Value(Many(t.Context(), set.ItemByTitle, []string{"Twin", "None"}))(t)
		var got []string
		for _, i := range slices.Concat(byName, byTitle) {
			if i == nil {
				i = &model.Item{InternalName: "-"}
			}
			got = append(got, i.InternalName+i.Emblem)
		}
		if n := w.server.Stats().Commands["find"] - before; !slices.Equal(got, want) || n != finds {
			t.Errorf("%s: got %v in %d reads, want %v in %d", when, got, n, want, finds)
		}
		if tags := set.log.stats().Tags; !slices.Equal(tags, []string{"content:items"}) {
			t.Errorf("%s: tagged %v", when, tags)
		}
	}
	expect("at first", 2, "c", "bold", "-", "bold", "-")
	expect("cached", 0, "c", "bold", "-", "bold", "-")
	put(twin("a", ""), twin("b", "new"))
	expect("after an import", 2, "c", "bnew", "-", "a", "-")
}
