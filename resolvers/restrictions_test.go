package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/demo/seed"
	"gamedata/mongo/mongotest"
)

// explained are the restrictions that an answer lists, one line each, and how many it left out.
func explained(t *testing.T, w *world, v viewer.Viewer, query string) (lines []string, leftOut any) {
	t.Helper()
	r := run(t, w.exec, v, query, nil)
	if len(r.Errors) > 0 {
		t.Fatal(r.Errors)
	}
	text := mongotest.Value(json.Marshal(r.Extensions))(t)
	var extensions struct {
		Restrictions []struct {
			Path  ast.Path
			Rule  string
			Scope *string
		}
		RestrictionsLeftOut any
	}
	mongotest.Must(t, json.Unmarshal(text, &extensions))
	for _, x := range extensions.Restrictions {
		scope := "none"
		if x.Scope != nil {
			scope = *x.Scope
		}
		lines = append(lines, fmt.Sprintf("%s: %s, %s", x.Path, x.Rule, scope))
	}
	return lines, extensions.RestrictionsLeftOut
}

func member(name string) seed.Member {
	for _, m := range seed.Cast {
		if m.Username == name {
			return m
		}
	}
	return seed.Member{}
}

func TestRestrictionsAreExplained(t *testing.T) {
	w := newWorld(t, 60)
	veiled, salted, loom := member("Veiled").UUID, seed.Cast[0].UUID, member("Loomkeeper").UUID
	found := mongotest.Value(w.store.Players.ByID(t.Context(), []string{salted}))(t)
	found[0].Rules[model.WeeklyAccess] = model.Private
	mongotest.Must(t, w.store.Players.Put(t.Context(), found))
	owner := viewer.Viewer{Kind: viewer.Session, Account: "a", Profiles: []string{veiled}}
	app := viewer.Viewer{
		Kind: viewer.OAuth, Account: "a", App: "board", Profiles: []string{veiled},
		Scopes: []string{"identify", "main_access"},
	}
	page := `{p:player(by:{reference:"` + veiled + `"}){username restrictions{key restricted} hours:playtime online lastJoinedAt}}`
	for _, c := range []struct {
		name  string
		v     viewer.Viewer
		query string
		want  []string
	}{
		{"nothing hidden", viewer.Viewer{}, `{player(by:{reference:"` + salted + `"}){online totals{wars}}}`, nil},
		{"nothing hidden is selected", viewer.Viewer{}, `{player(by:{reference:"` + veiled + `"}){username guild{name}}}`, nil},
		{"by alias", viewer.Viewer{}, page, []string{
			"p.hours: main_access, main_access",
			"p.lastJoinedAt: main_access, main_access", "p.lastJoinedAt: online_status, online_status",
			"p.online: online_status, online_status",
		}},
		{"owner", owner, page, nil},
		{"granted in part", app, page, []string{
			"p.lastJoinedAt: online_status, online_status",
			"p.online: online_status, online_status",
		}},
		{"in lists", viewer.Viewer{}, `{players(filter:{uuids:["` + salted + `","` + veiled + `","` + loom +
			`"]},orderBy:{field:UUID}){nodes{firstJoinedAt characters(first:1){nodes{quests skillPoints{agility}}}}}}`, []string{
			"players.nodes[1].characters: character_list_access, character_list_access",
			"players.nodes[1].firstJoinedAt: main_access, main_access",
			"players.nodes[2].characters.nodes[0].skillPoints: character_build_access, character_build_access",
		}},
		{
			"weekly data, which no scope lifts",
			viewer.Viewer{},
			`{guild(by:{name:"Mossbound Company"}){members(filter:{ranks:[CHIEF]}){nodes{weekly{streak}}}}}`,
			[]string{"guild.members.nodes[0].weekly: weekly_access, none"},
		},
	} {
		got, leftOut := explained(t, w, c.v, c.query)
		if d := cmp.Diff(c.want, got); d != "" || leftOut != nil {
			t.Errorf("%s: %s, %v left out", c.name, d, leftOut)
		}
	}
}

// Every guarded field of the schema is reported for a player whose rules are all private, and
// an answer lists 100 restrictions at most.
func TestEveryGuardedFieldIsExplained(t *testing.T) {
	w := newWorld(t, 60)
	var fields, want []string
	for _, f := range w.exec.Schema().Types["Player"].Fields {
		d := f.Directives.ForName("guarded")
		if d == nil {
			continue
		}
		selection := f.Name
		if f.Arguments.ForName("by") != nil {
			selection += `(by:{uuid:"` + seed.CharacterUUID(0, 1) + `"})`
		}
		if t := w.exec.Schema().Types[f.Type.Name()]; t.IsCompositeType() {
			selection += "{__typename}"
		}
		fields = append(fields, selection)
		for _, rule := range d.Arguments.ForName("by").Value.Children {
			want = append(want, fmt.Sprintf("player.%s: %s, %[2]s", f.Name, strings.ToLower(rule.Value.Raw)))
		}
	}
	all := "{" + strings.Join(fields, " ") + "}"
	got, _ := explained(t, w, viewer.Viewer{}, `{player(by:{username:"Veiled"})`+all+`}`)
	missing := map[string]bool{}
	for _, line := range want {
		missing[line] = true
	}
	for _, line := range got {
		if !missing[line] {
			t.Errorf("explained: %s", line)
		}
		delete(missing, line)
	}
	if len(missing) > 0 || len(want) < 14 {
		t.Errorf("not explained: %v", missing)
	}
	var many []string
	for i := range 8 {
		many = append(many, fmt.Sprintf(`p%d:player(by:{username:"Veiled"})%s`, i, all))
	}
	got, leftOut := explained(t, w, viewer.Viewer{}, "{"+strings.Join(many, " ")+"}")
	if len(got) != 100 || leftOut != float64(8*len(want)-100) {
		t.Errorf("%d are listed, %v left out of %d", len(got), leftOut, 8*len(want))
	}
}
