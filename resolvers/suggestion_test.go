package resolvers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// A lookup of the content by an unknown name is an error that suggests similar names, in the message and for programs.
func TestUnknownNamesAreErrors(t *testing.T) {
	w := newRankedWorld(t, 60)
	sets := struct {
		ItemSets struct{ Nodes []struct{ Name string } }
	}{}
	w.ask(t, `{itemSets(first:1){nodes{name}}}`, nil, &sets)
	set := sets.ItemSets.Nodes[0].Name
	for query, want := range map[string]string{
		`{leaderboard(by:{type:"totalGlobalLevle"}){entryCount}}`:          "totalGlobalLevel",
		`{a:leaderboard(by:{type:"TOTALGLOBALLEVEL"}){entryCount}}`:        "totalGlobalLevel",
		`{leaderboard(by:{type:"quite another name"}){entryCount}}`:        "",
		`{territory(by:{name:"Fernmor Keep"}){name}}`:                      "Fernmoor Keep",
		`{itemSet(by:{name:"` + set + `s"}){name}}`:                        set,
		`{itemSet(by:{internalName:"quite another"}){name}}`:               "",
		`{item(by:{internalName:"~"}){emblem}}`:                            "",
		`{item(by:{displayName:"~"}){emblem}}`:                             "",
		`{recipe(by:{internalName:"quite another"}){skill}}`:               "",
		`{aspect(by:{internalName:"quite another"}){name}}`:                "",
		`{worldEvent(by:{internalName:"quite another"}){name}}`:            "",
		`{lootPool(by:{internalName:"orphio"}){name}}`:                     "orphion",
		`{guildSeason(by:{number:99}){srPerWar}}`:                          "28",
		`{items(filter:{identifications:[{key:"manaRegn"}]}){totalCount}}`: "manaRegen",
	} {
		r := run(t, w.exec, viewer.Viewer{}, query, nil)
		if len(r.Errors) != 1 {
			t.Errorf("%s: got %v, want one error", query, r.Errors)
			continue
		}
		code := graph.NotFound
		if strings.HasPrefix(query, "{items") {
			code = graph.InvalidForm
		}
		err := graph.ErrorOf(r.Errors[0])
		if err.Code != code || (want == "") != (err.Suggestions == nil) ||
			want != "" && (!slices.Contains(err.Suggestions, want) || !strings.Contains(err.Detail, want)) {
			t.Errorf("%s: got %s %q with %q, want %q", query, err.Code, err.Detail, err.Suggestions, want)
		}
	}
	for _, query := range []string{
		`{player(by:{username:"Nobody"}){uuid}}`, `{guild(by:{name:"None"}){uuid}}`, `{article(by:{number:12345}){title}}`,
		`{onlinePlayers(filter:{world:"EU377"}){totalCount}}`, `{node(id:"bm8="){id}}`,
	} {
		if r := run(t, w.exec, viewer.Viewer{}, query, nil); len(r.Errors) != 0 {
			t.Errorf("%s: %v", query, r.Errors)
		}
	}
}

// An error of a field says where in the document it comes from: the value of an argument that was rejected, else the
// field. Its path is the field's.
func TestErrorsHaveLocations(t *testing.T) {
	w := newRankedWorld(t, 60)
	for query, want := range map[string]gqlerror.Location{
		"{\n a: player(by: {uuid: \"x\"}) { username } }":                              {Line: 2, Column: 24},
		"{\n a: nodes(ids: [\"x\"]) { id } b: character(by: {uuid: \"x\"}) { uuid } }": {Line: 2, Column: 55},
		"query($u: UUID! = \"x\") {\n player(by: {uuid: $u}) { username } }":           {Line: 1, Column: 20},
		"{\n players(filter: {uuids: [\"x\"]}) { totalCount } }":                       {Line: 2, Column: 28},
		"{\n players(first: 5000) { totalCount } }":                                    {Line: 2, Column: 2},
		"{\n leaderboard(by: {type: \"x\"}) { entryCount } }":                          {Line: 2, Column: 2},
		"{\n player(by: {username: \"Salted\"}) { history(from: \"x\") { from } } }":   {Line: 2, Column: 52},
	} {
		op, errs := w.exec.Parse(query, "")
		if errs == nil {
			errs = w.exec.Run(t.Context(), op, nil).Errors
		}
		if len(errs) != 1 || cmp.Diff(errs[0].Locations, []gqlerror.Location{want}) != "" ||
			len(errs[0].Path) > 2 {
			t.Errorf("%s: got %v, want %v", query, errs, want)
		}
	}
}
