package loaders

import (
	"log/slog"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo/mongotest"
)

func heldBy(guild, name string, hq bool, stored int64) *model.Territory {
	t := &model.Territory{
		Name: name, Hq: hq, Guild: &model.TerritoryGuild{},
		Resources: []*model.TerritoryResource{{Type: "ORE", Stored: stored}},
	}
	if guild != "" {
		t.Guild = &model.TerritoryGuild{UUID: new(guild), Name: new("The " + guild), Prefix: new("G")}
	}
	return t
}

// Who holds a territory is at most 10 seconds old, what it stores at most 60.
func TestTerritoryPartsExpireSeparately(t *testing.T) {
	store, server := mongotest.Open(t)
	c := &clock{now: time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)}
	begun := c.now
	source := New(store, Options{Now: c.Now, Log: slog.New(slog.DiscardHandler)})
	put := func(list ...*model.Territory) {
		mongotest.Must(t, store.Territories.Put(t.Context(), list))
	}
	put(heldBy("a", "Mill", false, 1), heldBy("a", "Keep", true, 1), heldBy("b", "Quarry", false, 1), heldBy("", "Ridge",
		false, 1))
	for _, step := range []struct {
		name          string
		after         time.Duration
		change        []*model.Territory
		holder        string
		stored        int64
		at, resources time.Duration
		finds         int64 // commands sent in this step
	}{
		{"read", 0, nil, "a", 1, 0, 0, 3}, // with the colours of guilds
		{"captured", 10 * time.Second, []*model.Territory{heldBy("b", "Mill", false, 2)}, "a", 1, 0, 0, 0},
		{"seen", time.Millisecond, nil, "b", 1, 10001 * time.Millisecond, 0, 2},
		{"as old as resources may be", 49999 * time.Millisecond, nil, "b", 1, time.Minute, 0, 2},
		{"resources too", time.Millisecond, nil, "b", 2, time.Minute, 60001 * time.Millisecond, 1},
		{
			"both", 2 * time.Minute,
			[]*model.Territory{heldBy("a", "Mill", false, 3)},
			"a", 3, 180001 * time.Millisecond,
			180001 * time.Millisecond, 3,
		},
	} {
		c.pass(step.after)
		put(step.change...)
		before := server.Stats().Commands["find"]
		all := mongotest.Value(From(source.Attach(t.Context(), nil)).Territories(t.Context()))(t)
		mill := all.ByName["Mill"]
		if *mill.Guild.UUID != step.holder || mill.Resources[0].Stored != step.stored || all.At.Sub(begun) != step.at ||
			all.ResourcesAt.Sub(begun) != step.resources {
			t.Errorf("%s: held by %s, stores %d, as of %v and %v", step.name, *mill.Guild.UUID, mill.Resources[0].Stored,
				all.At.Sub(begun), all.ResourcesAt.Sub(begun))
		}
		if n := server.Stats().Commands["find"] - before; n != step.finds {
			t.Errorf("%s: %d reads, want %d", step.name, n, step.finds)
		}
		if held := all.ByGuild[step.holder]; held[len(held)-1] != mill && held[0] != mill {
			t.Errorf("%s: %s holds %v", step.name, step.holder, held)
		}
	}
}

func TestTerritoriesAreJoined(t *testing.T) {
	store, _ := mongotest.Open(t)
	source := New(store, Options{})
	list := []*model.Territory{
		heldBy("a", "Mill", false, 1), heldBy("a", "Keep", true, 1), heldBy("a", "Watch", true, 1),
		heldBy("b", "Quarry", false, 1), heldBy("", "Ridge", false, 1),
	}
	list[0].Resources = nil
	list[3].Guild.Hq = new("stale")
	mongotest.Must(t, store.Territories.Put(t.Context(), list))
	set := From(source.Attach(t.Context(), nil))
	all := mongotest.Value(set.Territories(t.Context()))(t)
	if again, _ := set.Territories(t.Context()); again != all {
		t.Error("one operation sees two copies")
	}
	seats := ""
	for _, x := range all.All {
		seats += x.Name + "="
		if x.Guild.Hq != nil {
			seats += *x.Guild.Hq
		}
		seats += " "
	}
	if seats != "Keep=Keep Mill=Keep Quarry= Ridge= Watch=Keep " {
		t.Errorf("headquarters: %s", seats)
	}
	if r := all.ByName["Mill"].Resources; r == nil || len(r) != 0 {
		t.Errorf("no resources are %v", r)
	}
	if all.Headquarters("b") != nil || all.Headquarters("a").Name != "Keep" || all.ByGuild["c"] != nil ||
		all.ByName["Moor"] != nil {
		t.Error("something is held that is not")
	}
}
