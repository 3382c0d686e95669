package mongo_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func TestGuildLookups(t *testing.T) {
	store, server := mongotest.Open(t)
	ctx := t.Context()
	gs := []*model.Guild{{UUID: mongotest.UUID(1), Name: "Weiße Möwen", Prefix: "WM"}, {
		UUID: mongotest.UUID(2), Name: "Lantern Row",
		Prefix: "Ketl",
	}, {UUID: mongotest.UUID(3), Name: "lantern", Prefix: "KETL"}}
	var ps []*model.Player
	for n := range 300 {
		gs = append(
			gs,
			&model.Guild{UUID: mongotest.UUID(100 + n), Name: fmt.Sprintf("guild %03d", n), Prefix: fmt.Sprint(n)},
		)
		ps = append(ps, &model.Player{
			UUID: mongotest.UUID(1000 + n), Username: fmt.Sprint("p", n),
			Guild: &model.GuildReference{UUID: mongotest.UUID(100 + n/3)},
		})
	}
	check(t, errors.Join(store.Guilds.Insert(ctx, gs), store.Players.Insert(ctx, ps)))
	at := func(gs ...*model.Guild) (out []string) {
		for _, g := range gs {
			if g == nil {
				out = append(out, "")
			} else {
				out = append(out, g.Name)
			}
		}
		return out
	}
	for name, q := range map[string]struct {
		most int64
		run  func() ([]string, error)
		want []string
	}{
		"by name": {2, func() ([]string, error) {
			found, err := store.Guilds.ByName(ctx, []string{"LANTERN ROW", "unknown", "weisse möwen", ".*"})
			return at(found...), err
		}, []string{"Lantern Row", "", "Weiße Möwen", ""}},
		"by uuid": {1, func() ([]string, error) {
			found, err := store.Guilds.ByID(ctx, []string{mongotest.UUID(9), mongotest.UUID(2)})
			return at(found...), err
		}, []string{"", "Lantern Row"}},
		"by tag": {2, func() ([]string, error) {
			found, err := store.Guilds.ByPrefix(ctx, []string{"kETL", "none"})
			return at(append(found[0], found[1]...)...), err
		}, []string{"lantern", "Lantern Row"}},
		"members": {12, func() ([]string, error) {
			found, err := store.Players.ByGuild(ctx, []string{mongotest.UUID(101), mongotest.UUID(7), mongotest.UUID(100)})
			return append(names(found)[0], names(found)[2]...), err
		}, []string{"p3", "p4", "p5", "p0", "p1", "p2"}},
		"directory, covered by an index": {0, func() ([]string, error) {
			all, _, err := store.Guilds.Page(ctx, mongo.GuildList{Field: mongo.GuildName}, mongo.PageQuery{Limit: 1000}, true)
			if len(all) != 303 {
				return nil, err
			}
			last := all[302]
			return []string{all[0].Name, all[0].UUID, all[0].Prefix, all[1].Name, last.Name}, err
		}, []string{"Lantern Row", mongotest.UUID(2), "Ketl", "Weiße Möwen", "lantern"}},
	} {
		t.Run(name, func(t *testing.T) {
			checkReads(t, server, q.most, func() (any, error) {
				got, err := q.run()
				if d := cmp.Diff(q.want, got); d != "" {
					t.Error(d)
				}
				return got, err
			})
		})
	}
}

// Two guilds cannot share a name: a write that would do that writes nothing.
func TestGuildNamesAreUnique(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	check(t, store.Guilds.Put(ctx, []*model.Guild{{UUID: mongotest.UUID(1), Name: "Straße"}, {
		UUID: mongotest.UUID(2),
		Name: "Lantern Row",
	}}))
	guilds := func(n1 int, name1 string, n2 int, name2 string) []*model.Guild {
		return []*model.Guild{{UUID: mongotest.UUID(n1), Name: name1}, {UUID: mongotest.UUID(n2), Name: name2}}
	}
	for name, gs := range map[string][]*model.Guild{
		"name of another guild":                 guilds(3, "Fresh", 4, "STRASSE"),
		"duplicate in one call":                 guilds(3, "Fresh", 4, "fresh"),
		"swapped names":                         guilds(1, "Lantern Row", 2, "Straße"),
		"name of another guild in another case": {{UUID: mongotest.UUID(2), Name: "straße"}},
	} {
		for _, write := range []func() error{
			func() error { return store.Guilds.Put(ctx, gs) },
			func() error { return store.Guilds.Insert(ctx, gs) },
		} {
			if err := write(); !errors.Is(err, mongo.ErrGuildName) {
				t.Errorf("%s: got %v, want ErrGuildName", name, err)
			}
		}
	}
	if err := store.Guilds.Insert(ctx, []*model.Guild{{UUID: mongotest.UUID(1), Name: "Another"}}); !errors.Is(err,
		mongo.ErrGuildName) {
		t.Errorf("existing uuid: got %v, want ErrGuildName", err)
	}
	all, _, err := store.Guilds.Page(ctx, mongo.GuildList{Field: mongo.GuildName}, mongo.PageQuery{Limit: 1000}, true)
	if err != nil || len(all) != 2 || all[0].Name != "Lantern Row" || all[1].Name != "Straße" {
		t.Errorf("got guilds %v, %v", all, err)
	}
	if err := store.Guilds.Put(ctx, []*model.Guild{{UUID: mongotest.UUID(1), Name: "STRASSE"}}); err != nil {
		t.Errorf("changing the case of a guild's own name: %v", err)
	}
}
