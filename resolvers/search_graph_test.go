package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/mongo/mongotest"
)

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
		var got struct {
			Search struct {
				IsEmpty    bool
				TotalCount int
				Players    struct{ Nodes []any }
			}
		}
		w.ask(t, `{search(query:"`+text+`"){isEmpty totalCount players{nodes{uuid}}}}`, nil, &got)
		if s := got.Search; !s.IsEmpty || s.TotalCount != 0 || s.Players.Nodes == nil || len(s.Players.Nodes) > 0 {
			t.Errorf("%q: %+v", text, s)
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
	mongotest.Must(t, w.store.Players.Insert(t.Context(), ps))
	mongotest.Must(t, w.store.Guilds.Insert(t.Context(), gs))
	var got struct {
		Search struct {
			TotalCount int
			Players    struct {
				TotalCount int
				Nodes      []struct{ Username string }
			}
			Guilds, Next struct {
				TotalCount              int
				Nodes, ByName, ByPrefix []struct{ Name string }
				PageInfo                struct {
					EndCursor   string
					HasNextPage bool
				}
			}
		}
	}
	const query = `query($after:String){search(query:"moth"){totalCount players(first:100){totalCount nodes{username}}
		guilds(first:50){totalCount nodes{name} byName{name} byPrefix{name}}
		next:guilds(first:45,after:$after){nodes{name} byName{name} byPrefix{name} pageInfo{endCursor hasNextPage}}}}`
	w.ask(t, query, nil, &got)
	s := got.Search
	if n := s.Players.Nodes; s.Players.TotalCount != 20 || len(n) != 20 || n[0].Username != "Moth00" ||
		n[19].Username != "Moth19" {
		t.Errorf("%d players: %v", s.Players.TotalCount, n)
	}
	if g := s.Guilds; g.TotalCount != 50 || len(g.Nodes) != 50 || len(g.ByName) != 40 || len(g.ByPrefix) != 50 ||
		s.TotalCount != 70 {
		t.Errorf("%d guilds, %d by name, %d by tag, %d matches; want 50, 40, 50, 70", len(g.Nodes), len(g.ByName),
			len(g.ByPrefix), s.TotalCount)
	}
	if !s.Next.PageInfo.HasNextPage {
		t.Error("45 of 50 guilds are the last page")
	}
	w.ask(t, query, map[string]any{"after": s.Next.PageInfo.EndCursor}, &got)
	if n := got.Search.Next; len(n.Nodes) != 5 || len(n.ByName) != 0 || len(n.ByPrefix) != 5 || n.PageInfo.HasNextPage {
		t.Errorf("the second page is %+v", n)
	}
}

// Every search has a result, or fails as malformed.
func FuzzSearch(f *testing.F) {
	w := newWorld(f, 10)
	for _, text := range []string{
		"moss", "S", "5e0f9a7b2c3d4e1f8a6b9c0d1e2f3a4b", "$where", ".*", "\xff", "a\x00",
		"\u2028", "ß", "İ", "\U0010ffff", strings.Repeat("a", 101), "🜚",
	} {
		f.Add(text)
	}
	op := parse(f, w.exec, `query($q:String!){search(query:$q){query isEmpty players{nodes{username}}
		guilds{byName{name} byPrefix{prefix}}
		items{nodes{displayName}} territories{nodes{name}} discoveries{nodes{name}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		r := w.exec.Run(t.Context(), op, map[string]any{"q": text})
		for _, e := range r.Errors {
			if code := graph.ErrorOf(e).Code; code != graph.InvalidQueryParams {
				t.Errorf("%q: %s %s", text, code, e.Message)
			}
		}
	})
}
