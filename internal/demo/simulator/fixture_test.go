package simulator

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// noon is when the worlds of tests start: a Friday in a season.
var noon = time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)

// records returns a small world with guilds at war: a grid of territories, every third held by a guild,
// and a current season.
func records(players int) Records {
	var r Records
	guilds := map[string]*model.Guild{}
	for p, cs := range seed.New(seed.Options{Players: players, Seed: 7, Now: noon}).Players() {
		if p.Guild != nil {
			if guilds[p.Guild.UUID] == nil {
				g := &model.Guild{
					UUID: p.Guild.UUID, Name: p.Guild.Name, Prefix: p.Guild.Prefix, Level: 20, Wars: new(int64),
					CreatedAt: noon.AddDate(-1, 0, 0),
				}
				guilds[g.UUID], r.Guilds = g, append(r.Guilds, g)
			}
			p.Membership = &model.Membership{JoinedAt: noon.AddDate(0, -3, 0)}
		}
		if p.World != nil {
			p.Location = &model.Position{X: 1, Y: 64, Z: -2}
		}
		r.Players, r.Characters = append(r.Players, p), append(r.Characters, cs)
	}
	const width = 6
	for i := range width * width {
		t := &model.Territory{
			Name: fmt.Sprintf("Field %02d", i), Guild: &model.TerritoryGuild{}, Treasury: "VERY_LOW",
			Defences: "VERY_LOW",
			Resources: []*model.TerritoryResource{
				{Type: "EMERALD", Generation: 9000, BaseGeneration: 9000, Limit: 3000},
				{Type: "ORE", Generation: 61, BaseGeneration: 61, Limit: 500_000},
			},
			Location: &model.Area{StartCorner: []int{0, 0}, EndCorner: []int{9, 9}}, LinkNames: []string{},
		}
		for _, to := range []int{i - width, i + width} {
			if to >= 0 && to < width*width {
				t.LinkNames = append(t.LinkNames, fmt.Sprintf("Field %02d", to))
			}
		}
		if i%width > 0 {
			t.LinkNames = append(t.LinkNames, fmt.Sprintf("Field %02d", i-1))
		}
		if i%width < width-1 {
			t.LinkNames = append(t.LinkNames, fmt.Sprintf("Field %02d", i+1))
		}
		if i%3 == 0 && i/3 < len(r.Guilds) {
			g := r.Guilds[i/3]
			acquired := noon.Add(-time.Duration(i) * time.Hour)
			t.Guild, t.AcquiredAt, t.Hq = &model.TerritoryGuild{UUID: &g.UUID, Name: &g.Name, Prefix: &g.Prefix}, &acquired, true
		}
		r.Territories = append(r.Territories, t)
	}
	r.Seasons = []*model.GuildSeason{{Number: 4, TerritoryHoldingSrPerHour: 120, SrPerWar: 40, StartsAt: noon.AddDate(0,
		-1, 0), Enabled: true}}
	return r
}

// stored returns a new store with the records.
func stored(t testing.TB, r Records) *mongo.Store {
	t.Helper()
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	for _, put := range []func() error{
		func() error { return store.Players.Insert(ctx, r.Players) },
		func() error { return store.Characters.Insert(ctx, slices.Concat(r.Characters...)) },
		func() error { return store.Guilds.Insert(ctx, r.Guilds) },
		func() error { return store.Territories.Put(ctx, r.Territories) },
		func() error { return mongo.Seasons.Put(ctx, store, r.Seasons) },
	} {
		if err := put(); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

// contents reads all that a simulation writes.
func contents(t testing.TB, store *mongo.Store) Records {
	t.Helper()
	ctx := t.Context()
	uuids, err := store.Scores.UUIDsAfter(ctx, mongo.RankedPlayers, "", 100_000)
	if err != nil {
		t.Fatal(err)
	}
	var r Records
	if r.Players, err = store.Players.ByID(ctx, uuids); err != nil {
		t.Fatal(err)
	}
	if r.Characters, err = store.Characters.ByOwner(ctx, uuids); err != nil {
		t.Fatal(err)
	}
	if uuids, err = store.Scores.UUIDsAfter(ctx, mongo.RankedGuilds, "", 100_000); err != nil {
		t.Fatal(err)
	}
	if r.Guilds, err = store.Guilds.ByID(ctx, uuids); err != nil {
		t.Fatal(err)
	}
	if r.Territories, err = store.Territories.Records(ctx); err != nil {
		t.Fatal(err)
	}
	return r
}
