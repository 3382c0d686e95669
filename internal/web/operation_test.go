package web

import (
	"net/url"
	"reflect"
	"testing"
	"testing/fstest"

	"gamedata/graph"
)

func TestLoadAndBindOperations(t *testing.T) {
	exec, err := graph.New(graph.NewExecutableSchema(graph.Config{}), graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const document = "query Players($username: String!, $full: Boolean!, $names: [String!]!) {" +
		" player(by: {reference: $username}) { username rank @include(if: $full) }" +
		" items(filter: {internalNames: $names}) { totalCount } }"
	operations, err := LoadOperations(exec, fstest.MapFS{"operations/Players.graphql": {Data: []byte(document)}})
	if err != nil {
		t.Fatal(err)
	}
	op := operations["Players"]
	if op.Document != document {
		t.Errorf("got document %q", op.Document)
	}
	got := Bind(op, url.Values{"username": {"Salted", "x"}, "full": {"on"}, "names": {"a b", "c"}, "other": {"x"}})
	want := map[string]any{"username": "Salted", "full": true, "names": []any{"a", "b", "c"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got variables %v, want %v", got, want)
	}
	bad := fstest.MapFS{"operations/Bad.graphql": {Data: []byte("query Bad { nothing }")}}
	if _, err := LoadOperations(exec, bad); err == nil {
		t.Error("got no error for an operation that does not fit the schema")
	}
}
