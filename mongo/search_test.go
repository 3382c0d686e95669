package mongo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func TestSearchPlayers(t *testing.T) {
	store, server := mongotest.Open(t)
	ctx := t.Context()
	var ps []*model.Player
	for n, name := range []string{
		"Salted", "salt", "SALT", "Saltire", "Sal", "Salu", "Straße", "\U0010FFFF\U0010FFFFz",
		"\U0010FFFFa", "\uD7FFa", "\uE000a", "S.lt", "Sa$t",
		"e\u0301clair",
	} {
		ps = append(ps, &model.Player{UUID: mongotest.UUID(100 - n), Username: name})
	}
	for n := range 500 {
		ps = append(ps, &model.Player{UUID: mongotest.UUID(1000 + n), Username: fmt.Sprintf("Crowd%03d", n)})
	}
	check(t, store.Players.Insert(ctx, ps))
	for text, want := range map[string]string{
		"SALT": "SALT salt Salted Saltire", "sal": "Sal SALT salt Salted Saltire Salu", "stras": "Straße",
		"STRASSE": "Straße", "\u00e9CL": "e\u0301clair", ".*": "", "s.": "S.lt", "sa$": "Sa$t",
		"\U0010FFFF": "\U0010FFFFa \U0010FFFF\U0010FFFFz", "\U0010FFFF\U0010FFFF": "\U0010FFFF\U0010FFFFz",
		"\uD7FF": "\uD7FFa", "x": "",
		"crowd":   "Crowd000 Crowd001 Crowd002 Crowd003 Crowd004 Crowd005 Crowd006",
		"crowd49": "Crowd490 Crowd491 Crowd492 Crowd493 Crowd494 Crowd495 Crowd496",
	} {
		before := server.Stats()
		found := must(store.Players.Search(ctx, mongo.Fold(text), 7, true))(t)
		var got []string
		for _, p := range found {
			got = append(got, p.Username)
		}
		if d := cmp.Diff(want, strings.Join(got, " ")); d != "" {
			t.Errorf("%s: %s", text, d)
		}
		after := server.Stats()
		if read := after.DocumentsExamined - before.DocumentsExamined; server.Embedded() && read != int64(len(got)) {
			t.Errorf("%s: read %d documents for %d names", text, read, len(got))
		}
		if keys := after.KeysExamined - before.KeysExamined; keys > 15 {
			t.Errorf("%s: read %d index entries for %d names", text, keys, len(got))
		}
	}
}

func TestSearchGuilds(t *testing.T) {
	store, server := mongotest.Open(t)
	ctx := t.Context()
	gs := []*model.Guild{
		{UUID: mongotest.UUID(1), Name: "Moss", Prefix: "ZZ"},
		{
			UUID: mongotest.UUID(2), Name: "Mossbound Company",
			Prefix: "MOSS",
		},
		{UUID: mongotest.UUID(3), Name: "Moss Wardens", Prefix: "Moss"},
		{UUID: mongotest.UUID(4), Name: "Alder", Prefix: "mos"},
	}
	for n := range 300 {
		gs = append(gs, &model.Guild{UUID: mongotest.UUID(1000 + n), Name: fmt.Sprintf("Crowd %03d", n), Prefix: "CRWD"})
	}
	check(t, store.Guilds.Insert(ctx, gs))
	for name, c := range map[string]struct {
		run  func() ([]*model.Guild, error)
		want string
	}{
		"name": {
			func() ([]*model.Guild, error) { return store.Guilds.SearchByName(ctx, "moss", 50, true) },
			"Moss ZZ, Moss Wardens Moss, Mossbound Company MOSS",
		},
		"tag": {
			func() ([]*model.Guild, error) { return store.Guilds.SearchByPrefix(ctx, "mos", 50, true) },
			"Alder mos, Moss Wardens Moss, Mossbound Company MOSS",
		},
		"shared tag": {
			func() ([]*model.Guild, error) { return store.Guilds.SearchByPrefix(ctx, "crwd", 2, true) },
			"Crowd 000 CRWD, Crowd 001 CRWD",
		},
		"limit": {
			func() ([]*model.Guild, error) { return store.Guilds.SearchByName(ctx, "c", 2, true) },
			"Crowd 000 CRWD, Crowd 001 CRWD",
		},
	} {
		before := server.Stats().DocumentsExamined
		found, err := c.run()
		if err != nil {
			t.Fatal(name, err)
		}
		got := make([]string, len(found))
		for i, g := range found {
			got[i] = g.Name + " " + g.Prefix
		}
		if d := cmp.Diff(c.want, strings.Join(got, ", ")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if read := server.Stats().DocumentsExamined - before; read > int64(len(got)) {
			t.Errorf("%s: read %d documents for %d guilds", name, read, len(got))
		}
	}
}
