package loaders

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// allocated is the heap in use after garbage collection.
func allocated() int {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// The estimated sizes of records are close to what they occupy, so the cache stays within its bound.
func TestRecordSizes(t *testing.T) {
	store, _ := mongotest.Open(t)
	now := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	mongotest.Must(t, demo.Create(t.Context(), store, seed.Options{Players: 300, Seed: 1, Now: now}))
	list, _, err := store.Guilds.Page(t.Context(), mongo.GuildList{Field: mongo.GuildName},
		mongo.PageQuery{Limit: 100}, true)
	mongotest.Must(t, err)
	var guilds []string
	for _, g := range list {
		guilds = append(guilds, g.UUID)
	}
	ctx := t.Context()
	players := measure(t, "players", playerSize, func() ([][]*model.Player, error) {
		return store.Players.ByGuild(ctx, guilds)
	})
	measure(t, "guilds", guildSize, func() (all [][]*model.Guild, _ error) {
		for range 20 { // there are few guilds
			found, err := store.Guilds.ByID(ctx, guilds)
			if err != nil {
				return nil, err
			}
			all = append(all, found)
		}
		return all, nil
	})
	titles := make([]string, 0, 500)
	items := mongotest.Value(mongo.Items.Read(ctx, store))(t)
	for _, i := range items[:min(len(items), cap(titles))] {
		titles = append(titles, i.DisplayName)
	}
	measure(t, "items", itemSize, func() ([][]*model.Item, error) { return store.Items.ByTitle(ctx, titles) })
	var uuids []string
	for _, p := range slices.Concat(players...) {
		uuids = append(uuids, p.UUID)
	}
	measure(t, "characters", characterSize, func() ([][]*model.Character, error) {
		return store.Characters.ByOwner(ctx, uuids)
	})
}

// measure compares the estimated sizes of records with what several copies of them occupy, and returns one copy. The
// runtime may free other memory meanwhile, so one of several attempts must fit.
func measure[T any](t *testing.T, name string, size func(*T) int, read func() ([][]*T, error)) [][]*T {
	t.Helper()
	var copies [8][][]*T
	for range 5 {
		before := 0
		for range 2 { // the driver allocates its buffers, and the store those that the first collection freed
			copies = [8][][]*T{mongotest.Value(read())(t)}
			before = allocated()
		}
		for n := 1; n < len(copies); n++ {
			copies[n] = mongotest.Value(read())(t)
		}
		occupied, estimated := allocated()-before, 0
		for _, groups := range copies[1:] {
			for _, record := range slices.Concat(groups...) {
				estimated += size(record)
			}
		}
		t.Logf("%s occupy %d bytes, estimated %d", name, occupied, estimated)
		if occupied <= estimated*12/10 && occupied >= estimated/2 {
			return copies[0]
		}
	}
	t.Errorf("no estimate of %s fits", name)
	return copies[0]
}
