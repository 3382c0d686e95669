package mongo_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func names(groups [][]*model.Player) [][]string {
	out := make([][]string, len(groups))
	for i, g := range groups {
		for _, p := range g {
			out[i] = append(out[i], p.Username)
		}
	}
	return out
}

func TestReadsInKeyOrder(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	world := "EU37"
	check(t, store.Players.Insert(ctx, []*model.Player{
		{UUID: mongotest.UUID(1), Username: "Salted"}, {UUID: mongotest.UUID(2), Username: "salted"}, {
			UUID: mongotest.UUID(3), Username: "Straße",
			Online: true, World: &world, Address: "192.0.2.7",
		},
	}))
	got := must(store.Players.ByID(
		ctx,
		[]string{mongotest.UUID(3), mongotest.UUID(9), mongotest.UUID(1), mongotest.UUID(3)},
	))(t)
	if got[0].Username != "Straße" || got[1] != nil || got[2].Username != "Salted" || got[3] != got[0] {
		t.Errorf("players are not in key order: %v", got)
	}
	groups := must(store.Players.ByName(ctx, []string{"STRASSE", "unknown", "SALTED", ".*"}))(t)
	if d := cmp.Diff([][]string{{"Straße"}, nil, {"Salted", "salted"}, nil}, names(groups)); d != "" {
		t.Error(d)
	}
	at := must(store.Players.OnlineByAddress(ctx, []string{"192.0.2.8", "192.0.2.7"}))(t)
	if d := cmp.Diff([][]string{nil, {"Straße"}}, names(at)); d != "" {
		t.Error(d)
	}
	check(t, store.Characters.Insert(ctx, []*model.Character{
		{UUID: mongotest.UUID(12), Owner: mongotest.UUID(1), ClassKey: "MAGE"},
		{UUID: mongotest.UUID(11), Owner: mongotest.UUID(1), ClassKey: "MAGE"},
		{UUID: mongotest.UUID(13), Owner: mongotest.UUID(2), ClassKey: "MAGE"},
	}))
	owned := must(store.Characters.ByOwner(ctx, []string{mongotest.UUID(2), mongotest.UUID(7), mongotest.UUID(1)}))(t)
	if len(owned[0]) != 1 || owned[1] != nil || len(owned[2]) != 2 || owned[2][0].UUID != mongotest.UUID(11) {
		t.Errorf("characters are not in key order: %v", owned)
	}
}

// Records keep 64-bit counters, nulls and empty lists.
func TestRecordRoundTrip(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	big, hours := int64(18626875200), 2485.42
	join := time.Date(2026, 3, 19, 23, 45, 48, 667e6, time.UTC)
	want := &model.Player{
		UUID: mongotest.UUID(1), Username: "Salted", LastJoinedAt: &join, Playtime: &hours, Ranking: []*model.RankPosition{},
		Totals: &model.PlayerTotals{
			MobsKilled: big, Dungeons: &model.CountList{
				Total: 1,
				List:  []*model.NamedCount{{Name: "Galleon's Graveyard", Count: 1}},
			},
			Raids: &model.CountList{List: []*model.NamedCount{}}, Pvp: &model.PvpStats{Kills: &big, Deaths: new(int64)},
		},
		Rules: model.AccessRules{model.MainAccess: model.Friend}, Address: "192.0.2.7",
	}
	check(t, store.Players.Insert(ctx, []*model.Player{want}))
	got := must(store.Players.ByID(ctx, []string{mongotest.UUID(1)}))(t)
	if d := cmp.Diff(want, got[0], cmpopts.IgnoreFields(model.Player{}, "Updated")); d != "" {
		t.Error(d)
	}
	tree := &model.AbilityTree{Key: "archer", Pages: []*model.AbilityPage{{Page: 1, Abilities: []*model.Ability{
		{Key: "a", LinkKeys: []string{"b", "", "B "}, LockKeys: []string{}}, {Key: "b"},
	}}}}
	check(t, mongo.AbilityTrees.Put(ctx, store, []*model.AbilityTree{tree}))
	trees := must(mongo.AbilityTrees.Read(ctx, store))(t)
	if d := cmp.Diff([]*model.AbilityTree{tree}, trees); d != "" {
		t.Error(d)
	}
}

// A key keeps its first number, also under concurrent assignments.
func TestLookupNumbersAreStable(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			keys := []string{"shared"}
			for i := range 20 {
				keys = append(keys, fmt.Sprintf("key%d", (n*5+i)%40))
			}
			if err := store.Content.AssignLookupNumbers(ctx, keys); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	first := must(store.Content.LookupNumbers(ctx))(t)
	seen := map[int]string{}
	for k, n := range first {
		if other, ok := seen[n]; ok {
			t.Errorf("%s and %s share the number %d", k, other, n)
		}
		seen[n] = k
	}
	if len(first) != 41 {
		t.Errorf("got %d keys with numbers, want 41", len(first))
	}
	check(t, store.Content.PutLookupNumbers(ctx, map[string]int{"shared": 9999, "imported": 5000}))
	check(t, store.Content.AssignLookupNumbers(ctx, []string{"later"}))
	second := must(store.Content.LookupNumbers(ctx))(t)
	for k, n := range first {
		if second[k] != n {
			t.Errorf("%s changed from %d to %d", k, n, second[k])
		}
	}
	if second["imported"] != 5000 || second["later"] <= 9999 {
		t.Errorf("got imported %d, later %d; want 5000 and more than 9999", second["imported"], second["later"])
	}
}

func TestQueriesUseIndexes(t *testing.T) {
	store, server := mongotest.Open(t)
	ctx := t.Context()
	var ps []*model.Player
	var cs []*model.Character
	for n := range 500 {
		ps = append(ps, &model.Player{
			UUID: mongotest.UUID(n), Username: fmt.Sprintf("Player%d", n), Online: n%50 == 0,
			Address: fmt.Sprintf("192.0.2.%d", n%250),
			Party:   fmt.Sprint("party", n/4),
		})
		cs = append(cs, &model.Character{UUID: mongotest.UUID(1000 + n), Owner: mongotest.UUID(n), ClassKey: "MAGE"})
	}
	check(t, store.Players.Insert(ctx, ps))
	check(t, store.Characters.Insert(ctx, cs))
	two, names := []string{mongotest.UUID(7), mongotest.UUID(8)}, []string{"player7", "PLAYER8"}
	address, parties := []string{"192.0.2.9"}, []string{"party2", "party3"}
	character := []string{mongotest.UUID(1001)}
	for name, q := range map[string]struct {
		most int64
		run  func() (any, error)
	}{
		"Players.ByID":            {2, func() (any, error) { return store.Players.ByID(ctx, two) }},
		"Players.ByName":          {4, func() (any, error) { return store.Players.ByName(ctx, names) }},
		"Players.Online":          {10, func() (any, error) { return store.Players.Online(ctx) }},
		"Players.OnlineByAddress": {2, func() (any, error) { return store.Players.OnlineByAddress(ctx, address) }},
		"Players.ByParty":         {16, func() (any, error) { return store.Players.ByParty(ctx, parties) }},
		"Characters.ByID":         {1, func() (any, error) { return store.Characters.ByID(ctx, character) }},
		"Characters.ByOwner":      {2, func() (any, error) { return store.Characters.ByOwner(ctx, two) }},
		"Players.Search":          {20, func() (any, error) { return store.Players.Search(ctx, "player4", 20, true) }},
		"Guilds.SearchByName":     {0, func() (any, error) { return store.Guilds.SearchByName(ctx, "moss", 50, true) }},
		"Guilds.SearchByPrefix":   {0, func() (any, error) { return store.Guilds.SearchByPrefix(ctx, "moss", 50, true) }},
		"ReadMark":                {1, func() (v any, _ error) { _, err := store.ReadMark(ctx, "seed", &v); return v, err }},
	} {
		t.Run(name, func(t *testing.T) { checkReads(t, server, q.most, q.run) })
	}
}

// checkReads runs a query that must read at most so many documents and scan no collection.
func checkReads(t *testing.T, server *mongotest.Server, most int64, query func() (any, error)) {
	t.Helper()
	before := server.Stats()
	if _, err := query(); err != nil {
		t.Error(err)
	}
	after := server.Stats()
	if scans := after.CollectionScans - before.CollectionScans; scans > 0 {
		t.Errorf("scanned %d collections", scans)
	}
	if reads := after.DocumentsExamined - before.DocumentsExamined; reads > most {
		t.Errorf("read %d documents, want at most %d", reads, most)
	}
}
