package graph

import (
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

const policyDirectives = `
	directive @cacheControl(maxAge: Int!, scope: CacheScope!) on FIELD_DEFINITION
	directive @rateLimit(bucket: Bucket!) on FIELD_DEFINITION
	enum CacheScope { SHARED USER }
	enum Bucket { ITEMS PLAYER SHARED }
	`

func schemaOf(t *testing.T, roots string) *ast.Schema {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: policyDirectives + roots})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestPolicyOf(t *testing.T) {
	schema := schemaOf(t, `
		type Query {
			item(n: Int): Int @cacheControl(maxAge: 3600, scope: SHARED) @rateLimit(bucket: ITEMS)
			player: Player @cacheControl(maxAge: 120, scope: USER) @rateLimit(bucket: PLAYER)
		}
		type Player { item: Int }
		type Mutation { spend: Int @cacheControl(maxAge: 0, scope: USER) @rateLimit(bucket: SHARED) }`)
	policies, err := readPolicies(schema)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, query string
		maxAge      time.Duration
		scope       Scope
	}{
		{"one", "{item}", time.Hour, Shared},
		{"the strictest counts", "{item player{item}}", 2 * time.Minute, User},
		{"order does not", "{player{item} item}", 2 * time.Minute, User},
		{"aliases count", "{a:item(n:1) b:item(n:2) item}", time.Hour, Shared},
		{"one key is one field", "{item item ...{item}}", time.Hour, Shared},
		{"fragments are followed", "{...f ...f} fragment f on Query{a:item ...{b:item ...g}} fragment g on Query{player{item}}", 2 * time.Minute, User},
		{"what is skipped counts", "{item @skip(if:true) ...@include(if:false){player{item}}}", 2 * time.Minute, User},
		{"the schema", "{__schema{types{name}} __typename}", 10 * time.Minute, Shared},
		{"a name of a type", "{__typename}", 0, Shared},
		{"the schema beside a field", "{__typename item}", time.Hour, Shared},
		{"mutation", "mutation{spend}", 0, User},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := gqlparser.MustLoadQueryWithRules(schema, c.query, nil)
			p := policies.of(doc, doc.Operations[0])
			if p.MaxAge != c.maxAge || p.Scope != c.scope {
				t.Errorf("got %v %s, want %v %s", p.MaxAge, p.Scope, c.maxAge, c.scope)
			}
		})
	}
	if p := policies["item"]; p != (FieldPolicy{
		Field: "item", MaxAge: time.Hour, Scope: Shared,
		Bucket: "ITEMS",
	}) {
		t.Errorf("policy of item: got %+v", p)
	}
}

func TestReadPoliciesRefuses(t *testing.T) {
	const whole = "@cacheControl(maxAge: 1, scope: USER) @rateLimit(bucket: ITEMS)"
	for _, c := range []struct{ roots, want string }{
		{"type Query { a: Int " + whole + " b: Int @rateLimit(bucket: ITEMS) }", "Query.b must state its policy"},
		{"type Query { b: Int @cacheControl(maxAge: 1, scope: USER) }", "Query.b must state its policy"},
		{"type Query { a: Int " + whole + " } type Mutation { c: Int }", "Mutation.c must state its policy"},
		{
			"type Query { a: Int " + whole + " } type Mutation { a: Int " + whole + " }",
			"Mutation.a is a field of Query and of Mutation",
		},
		{"type Query { a: Int @cacheControl(maxAge: -1, scope: USER) @rateLimit(bucket: ITEMS) }", "Query.a has a maxAge"},
	} {
		if _, err := readPolicies(schemaOf(t, c.roots)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want one with %q", c.roots, err, c.want)
		}
	}
}
