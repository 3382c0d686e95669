package web

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"gamedata/graph"
	"gamedata/graph/generated"
)

func TestLoadAndBindOperations(t *testing.T) {
	exec := graph.New(generated.NewExecutableSchema(generated.Config{}), graph.Options{})
	const document = "query Players($username: String!, $full: Boolean!, $names: [String!]!) {" +
		" player(by: {reference: $username}) { username nickname @include(if: $full) }" +
		" items(filter: {internalNames: $names}) { totalCount } }"
	operations := LoadOperations(exec, fstest.MapFS{"operations/Players.graphql": {Data: []byte(document)}})
	op := operations["Players"]
	if op.Document != document {
		t.Errorf("got document %q", op.Document)
	}
	got := Bind(op, url.Values{"username": {"Salted", "x"}, "full": {"on"}, "names": {"a b", "c"}, "other": {"x"}})
	want := map[string]any{"username": "Salted", "full": true, "names": []any{"a", "b", "c"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got variables %v, want %v", got, want)
	}
	shared := fstest.MapFS{
		"operations/fragments.graphql": {Data: []byte(
			"fragment A on Player {\n  ...B\n}\n\nfragment B on Player {\n  username\n}\n",
		)},
		"operations/One.graphql": {Data: []byte(`query One { player(by: {username: "x"}) { ...A } }`)},
		"operations/Two.graphql": {Data: []byte(`query Two { player(by: {username: "x"}) { ...B } }`)},
	}
	operations = LoadOperations(exec, shared)
	for name, want := range map[string]int{"One": 2, "Two": 1} {
		document := operations[name].Document
		if n := strings.Count(document, "fragment "); n != want {
			t.Errorf("%s: got %d fragments, want %d in %s", name, n, want, document)
		}
		if _, problems := exec.Parse(document, name); problems != nil {
			t.Errorf("%s: the document is not complete: %v", name, problems)
		}
	}
}
