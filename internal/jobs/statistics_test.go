package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/jobs"
	"gamedata/mongo/mongotest"
)

// A census counts every record once, whatever players hide and however odd the values are.
func TestStatistics(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	count := func() *model.Census {
		t.Helper()
		mongotest.Value(jobs.Statistics(ctx, store, now, jobs.Options{Holder: "test"}))(t)
		return mongotest.Value(store.Census.Read(ctx))(t)
	}
	due := func(at time.Time) bool {
		t.Helper()
		return mongotest.Value(jobs.StatisticsDue(ctx, store, at))(t)
	}

	if !due(now) {
		t.Error("not due before the first census")
	}
	if d := cmp.Diff(&model.Census{At: now}, count()); d != "" {
		t.Errorf("an empty store: %s", d)
	}
	if due(now.Add(59*time.Minute)) || !due(now.Add(time.Hour)) {
		t.Error("want a census an hour after the last one")
	}

	guild := func(n, level int) *model.Guild {
		name := fmt.Sprintf("Guild %d", n)
		return &model.Guild{UUID: id("b", n), Name: name, Prefix: fmt.Sprintf("G%d", n), Level: level}
	}
	mongotest.Must(t, store.Guilds.Put(ctx, []*model.Guild{guild(1, 9), guild(2, 10), guild(3, 111)}))
	var players []*model.Player
	for n := range 13 { // 11 in guild 1, one in guild 2, one in none
		p := &model.Player{UUID: id("a", n), Username: fmt.Sprintf("Player%d", n)}
		if n < 12 {
			p.Guild = &model.GuildReference{UUID: id("b", 1+n/11)}
		}
		p.Rules[model.CharacterListAccess] = model.Private
		players = append(players, p)
	}
	mongotest.Must(t, store.Players.Put(ctx, players))
	mongotest.Must(t, store.Characters.Put(ctx, []*model.Character{
		{UUID: id("c", 1), Owner: id("a", 0), ClassKey: "ARCHER", Level: 1, Gamemodes: []string{}},
		{UUID: id("c", 2), Owner: id("a", 0), ClassKey: "ARCHER", Level: 106, Gamemodes: []string{"hardcore", "ironman"}},
		{UUID: id("c", 3), Owner: id("a", 1), ClassKey: "MAGE", Level: 20, Gamemodes: []string{"ironman"}},
		{UUID: id("c", 4), Owner: id("a", 1), ClassKey: "MAGE", Level: 1 << 40},
		{UUID: id("c", 5), Owner: id("a", 2), ClassKey: "SHAMAN", Level: -3},
	}))
	if !due(now.Add(time.Minute)) {
		t.Error("not due after an import")
	}
	levels := make([]int, 50)
	levels[0], levels[2], levels[10], levels[49] = 2, 1, 1, 1
	if d := cmp.Diff(&model.Census{
		At: now, Players: 13, Characters: 5, Guilds: 3,
		Classes:   map[string]int{"ARCHER": 2, "MAGE": 2, "SHAMAN": 1},
		Gamemodes: map[string]int{"hardcore": 1, "ironman": 2}, Plain: 3,
		CharacterLevels: levels,
		GuildLevels:     []int{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		GuildSizes:      []int{2, 1},
	}, count()); d != "" {
		t.Error(d)
	}
	if due(now.Add(time.Minute)) {
		t.Error("due although nothing changed")
	}
	if last := model.Histogram(levels)[49]; last.Min != 490 || last.Max != nil || last.Count != 1 {
		t.Errorf("got the last bucket %+v", last)
	}
}

func id(kind string, n int) string { return fmt.Sprintf("%s0000000-0000-4000-8000-%012d", kind, n) }
