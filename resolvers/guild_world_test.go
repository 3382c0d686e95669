package resolvers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/graph/model"
	"gamedata/internal/benchtest"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/resolvers"
)

// A season is shown from the moment it begins on, and an end of time may be set for it.
func TestSeasonsBegin(t *testing.T) {
	store, _ := mongotest.Open(t)
	begin := time.Date(2026, 3, 20, 18, 0, 0, 0, time.UTC)
	var clock time.Time
	exec, err := graph.New(generated.NewExecutableSchema(generated.Config{Resolvers: resolvers.New(resolvers.Settings{
		PageSize: 20,
		Now:      func() time.Time { return clock },
	})}),
		graph.Options{Attach: loaders.New(store, loaders.Options{}).Attach})
	if err != nil {
		t.Fatal(err)
	}
	if err := mongo.Seasons.Put(t.Context(), store, []*model.GuildSeason{
		{Number: 10, StartsAt: begin, Enabled: true},
		{Number: 9, StartsAt: begin.AddDate(0, -3, 0), Enabled: true},
		{Number: 8, StartsAt: begin.AddDate(0, -6, 0)},
	}); err != nil {
		t.Fatal(err)
	}
	w := &world{exec: exec, store: store}
	for at, want := range map[time.Time]string{begin.AddDate(-1, 0, 0): "", begin: "9", begin.Add(time.Second): "9 10"} {
		clock = at
		op, errs := w.exec.Parse(`{guildSeasons{nodes{number}}}`, "")
		if errs != nil {
			t.Fatal(errs)
		}
		r := w.exec.Run(t.Context(), op, nil)
		got := strings.Join(strings.FieldsFunc(string(r.Data), func(c rune) bool { return c < '0' || c > '9' }), " ")
		if len(r.Errors) > 0 || got != want {
			t.Errorf("at %v: seasons %s, want %s, %v", at, got, want, r.Errors)
		}
	}
}

// BenchmarkGuildDirectory reads a directory of 50,000 guilds as GraphQL answers it.
func BenchmarkGuildDirectory(b *testing.B) {
	w := newEmpty(b)
	guilds := benchtest.Size(50_000, 5_000)
	for from := 0; from < guilds; from += 5_000 {
		var gs []*model.Guild
		for n := from; n < from+5_000; n++ {
			gs = append(gs, &model.Guild{
				UUID: fmt.Sprintf("00000000-0000-4000-8000-%012d", n),
				Name: fmt.Sprintf("Guild of the %05d", n), Prefix: fmt.Sprintf("%04X", n%0x10000),
			})
		}
		if err := w.store.Guilds.Insert(b.Context(), gs); err != nil {
			b.Fatal(err)
		}
	}
	op, errs := w.exec.Parse(`{guilds(first:100000){nodes{name uuid prefix}}}`, "")
	if errs != nil {
		b.Fatal(errs)
	}
	before := commands(w.server)
	b.ReportAllocs()
	for b.Loop() {
		if r := w.exec.Run(b.Context(), op, nil); len(r.Errors) > 0 || len(r.Data) < guilds*60 {
			b.Fatal(len(r.Data), r.Errors)
		}
	}
	b.ReportMetric(float64(commands(w.server)-before)/float64(b.N), "commands/op")
	b.ReportMetric(float64(w.server.Stats().DocumentsExamined)/float64(b.N), "documents/op")
}
