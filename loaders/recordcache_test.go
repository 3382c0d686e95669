package loaders

import (
	"runtime"
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
	if err := demo.Create(t.Context(), store, seed.Options{Players: 300, Seed: 1, Now: time.Date(2026, 3, 20, 0, 0, 0, 0,
		time.UTC)}); err != nil {
		t.Fatal(err)
	}
	list, _, err := store.Guilds.Page(t.Context(), mongo.GuildList{Field: mongo.GuildName},
		mongo.PageQuery{Limit: 100}, true)
	if err != nil {
		t.Fatal(err)
	}
	var guilds []string
	for _, g := range list {
		guilds = append(guilds, g.UUID)
	}
	const copies = 8
	players := make([][][]*model.Player, copies)
	characters := make([][][]*model.Character, copies)
	found := make([][]*model.Guild, copies)
	for name, c := range map[string]struct {
		read func(n int) error
		size func() int
	}{
		"players": {
			func(n int) (err error) { players[n], err = store.Players.ByGuild(t.Context(), guilds); return err },
			func() int { return sum(players, playerSize) },
		},
		"guilds": {
			func(n int) error {
				for range 20 { // there are few guilds
					more, err := store.Guilds.ByID(t.Context(), guilds)
					if err != nil {
						return err
					}
					found[n] = append(found[n], more...)
				}
				return nil
			},
			func() int { return sum([][][]*model.Guild{found}, guildSize) },
		},
	} {
		measure(t, name, copies, c.read, c.size)
	}
	titles, items := make([]string, 0, 500), make([][][]*model.Item, copies)
	all, err := mongo.Items.Read(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range all[:min(len(all), cap(titles))] {
		titles = append(titles, i.DisplayName)
	}
	measure(t, "items", copies, func(n int) (err error) {
		items[n], err = store.Items.ByTitle(t.Context(), titles)
		return err
	}, func() int { return sum(items, itemSize) })
	var uuids []string
	for _, group := range players[0] {
		for _, p := range group {
			uuids = append(uuids, p.UUID)
		}
	}
	measure(t, "characters", copies, func(n int) (err error) {
		characters[n], err = store.Characters.ByOwner(t.Context(), uuids)
		return err
	}, func() int { return sum(characters, characterSize) })
}

func measure(t *testing.T, name string, copies int, read func(int) error, size func() int) {
	t.Helper()
	before := 0
	for range 2 { // the driver allocates its buffers, and the store those that the first collection freed
		if err := read(0); err != nil {
			t.Fatal(err)
		}
		before = allocated()
	}
	for n := 1; n < copies; n++ {
		if err := read(n); err != nil {
			t.Fatal(err)
		}
	}
	occupied, estimated := allocated()-before, size()*(copies-1)/copies
	t.Logf("%s occupy %d bytes, estimated %d", name, occupied, estimated)
	if occupied > estimated*12/10 || occupied < estimated/2 {
		t.Errorf("%s occupy %d bytes, estimated %d", name, occupied, estimated)
	}
}

func sum[T any](copies [][][]*T, size func(*T) int) int {
	n := 0
	for _, groups := range copies {
		for _, group := range groups {
			for _, record := range group {
				n += size(record)
			}
		}
	}
	return n
}
