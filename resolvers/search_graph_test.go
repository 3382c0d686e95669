package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph"
	"gamedata/graph/model"
)

// A search reads all its parts concurrently: names of players and guilds and tags by one
// command each, the versions of content by another, and what the process keeps by none.
func TestSearchCommands(t *testing.T) {
	w := newWorld(t, 60)
	var data map[string]any
	w.ask(t, `{search(query:"e"){query}}`, nil, &data)
	for _, c := range []struct {
		name, query string
		want        int64
	}{
		{"everything", `{search(query:"e"){players{username} guilds{name} guildsPrefix{name} items{displayName} territories{name} discoveries{name}}}`, 4},
		{"players", `{search(query:"s",only:PLAYER){players{username}}}`, 1},
		{"guilds and tags", `{search(query:"m",only:GUILD){guilds{name}}}`, 2},
		{"items", `{search(query:"e",only:ITEM){items{displayName}}}`, 1},
		{"territories", `{search(query:"e",only:TERRITORY){territories{name}}}`, 0},
		{"discoveries", `{search(query:"e",only:DISCOVERY){discoveries{name}}}`, 1},
		{"the whole players", `{search(query:"s",only:PLAYER){players{player{username guild{level}}}}}`, 3},
	} {
		if n := w.least(t, c.want, c.query, nil, &data); n != c.want {
			t.Errorf("%s: %d commands, want %d", c.name, n, c.want)
		}
	}
}

func TestSearchMalformed(t *testing.T) {
	w := newWorld(t, 10)
	for _, text := range []string{"", " ", "\u00a0\t", strings.Repeat("é", 101), "a\x00b", "a\u0085b", "\uFFFD", "a\nb"} {
		quoted, _ := json.Marshal(text)
		if got := refused(t, w.exec, `{search(query:`+string(quoted)+`){query}}`); got.Code != graph.InvalidQueryParams ||
			got.Detail != graph.ErrMalformedSearch.Detail {
			t.Errorf("%q: %s %s", text, got.Code, got.Detail)
		}
	}
	for _, text := range []string{
		strings.Repeat("é", 100), ".*", "$ne", "{}", `\\`,
		"00000000-0000-4000-8000-00000000dead",
	} {
		if got := refused(t, w.exec, `{search(query:"`+text+`"){query}}`); got.Code != graph.NotFound {
			t.Errorf("%q: %s %s", text, got.Code, got.Detail)
		}
	}
}

func TestSearchCaps(t *testing.T) {
	w := newEmpty(t)
	var ps []*model.Player
	var gs []*model.Guild
	for n := range 70 {
		ps = append(ps, &model.Player{UUID: fmt.Sprintf("00000000-0000-4000-8000-%012d", n), Username: fmt.Sprintf("Moth%02d",
			n)})
		gs = append(gs, &model.Guild{
			UUID: fmt.Sprintf("10000000-0000-4000-8000-%012d", n),
			Name: fmt.Sprintf("Moth Guild %02d", n), Prefix: "MOTH",
		})
	}
	for n := range 30 { // found by name first, the others by tag
		gs[n].Name, gs[n].Prefix = "Beetle"+gs[n].Name, "MOTH"
	}
	if err := w.store.InsertPlayers(t.Context(), ps); err != nil {
		t.Fatal(err)
	}
	if err := w.store.InsertGuilds(t.Context(), gs); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Search struct {
			Players              []struct{ Username string }
			Guilds, GuildsPrefix []struct{ Name string }
		}
	}
	w.ask(t, `{search(query:"moth"){players{username} guilds{name} guildsPrefix{name}}}`, nil, &got)
	s := got.Search
	if len(s.Players) != 20 || s.Players[0].Username != "Moth00" || s.Players[19].Username != "Moth19" {
		t.Errorf("%d players: %v", len(s.Players), s.Players)
	}
	names := map[string]bool{}
	for _, g := range append(s.Guilds, s.GuildsPrefix...) {
		names[g.Name] = true
	}
	if len(s.Guilds) != 40 || len(s.GuildsPrefix) != 50 || len(names) != 50 {
		t.Errorf("%d guilds by name, %d by tag, %d in all; want 40, 50, 50", len(s.Guilds), len(s.GuildsPrefix), len(names))
	}
}

// A hit shows name and uuid; its player is redacted as everywhere.
func TestSearchKeepsAccessRules(t *testing.T) {
	w := newWorld(t, 60)
	type shown struct {
		Username   string
		GlobalData *struct{ Wars int }
		LastJoin   *string
	}
	var hit struct {
		Search struct{ Players []struct{ Player shown } }
	}
	var direct struct{ Player shown }
	w.ask(t, `{search(query:"veiled",only:PLAYER){players{player{username globalData{wars} lastJoin}}}}`, nil, &hit)
	w.ask(t, `{player(by:{username:"Veiled"}){username globalData{wars} lastJoin}}`, nil, &direct)
	if d := cmp.Diff(direct.Player, hit.Search.Players[0].Player); d != "" || direct.Player.GlobalData != nil {
		t.Errorf("found by search: %s", d)
	}
}

// Every search has hits, or fails as not found or malformed.
func FuzzSearch(f *testing.F) {
	w := newWorld(f, 10)
	for _, text := range []string{
		"moss", "S", "5e0f9a7b2c3d4e1f8a6b9c0d1e2f3a4b", "$where", ".*", "\xff", "a\x00",
		"\u2028", "ß", "İ", "\U0010ffff", strings.Repeat("a", 101), "🜚",
	} {
		f.Add(text)
	}
	op, errs := w.exec.Parse(
		`query($q:String!){search(query:$q){query players{username} guilds{name} guildsPrefix{prefix} items{displayName} territories{name} discoveries{name}}}`,
		"",
	)
	if errs != nil {
		f.Fatal(errs)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := w.exec.Run(t.Context(), op, map[string]any{"q": text})
		for _, e := range r.Errors {
			if code := graph.ErrorOf(e).Code; code != graph.NotFound && code != graph.InvalidQueryParams {
				t.Errorf("%q: %s %s", text, code, e.Message)
			}
		}
	})
}
