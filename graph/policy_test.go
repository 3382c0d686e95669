package graph

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/generated"
)

const policyDirectives = `
	directive @cacheControl(maxAge: Int!, scope: CacheScope!) on FIELD_DEFINITION | OBJECT
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

type policyCase struct {
	name, query string
	maxAge      time.Duration
	scope       Scope
}

func expectPolicies(t *testing.T, schema *ast.Schema, cases []policyCase) schemaFacts {
	t.Helper()
	known := readFacts(schema)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			doc := gqlparser.MustLoadQueryWithRules(schema, c.query, nil)
			if p := known.policyOf(doc, doc.Operations[0]); p.MaxAge != c.maxAge || p.Scope != c.scope {
				t.Errorf("got %v %s, want %v %s", p.MaxAge, p.Scope, c.maxAge, c.scope)
			}
		})
	}
	return known
}

func TestPolicyOf(t *testing.T) {
	schema := schemaOf(t, `
		type Query {
			item(n: Int): Int @cacheControl(maxAge: 3600, scope: SHARED) @rateLimit(bucket: ITEMS)
			player: Player @cacheControl(maxAge: 120, scope: USER) @rateLimit(bucket: PLAYER)
		}
		type Player { item: Int }
		type Mutation { spend: Int @cacheControl(maxAge: 0, scope: USER) @rateLimit(bucket: SHARED) }`)
	known := expectPolicies(t, schema, []policyCase{
		{"one", "{item}", time.Hour, Shared},
		{"the strictest counts", "{item player{item}}", 2 * time.Minute, User},
		{"order does not", "{player{item} item}", 2 * time.Minute, User},
		{"aliases count", "{a:item(n:1) b:item(n:2) item}", time.Hour, Shared},
		{"one key is one field", "{item item ...{item}}", time.Hour, Shared},
		{
			"fragments are followed",
			"{...f ...f} fragment f on Query{a:item ...{b:item ...g}} fragment g on Query{player{item}}", 2 * time.Minute, User,
		},
		{"what is skipped counts", "{item @skip(if:true) ...@include(if:false){player{item}}}", 2 * time.Minute, User},
		{"the schema", "{__schema{types{name}} __typename}", 10 * time.Minute, Shared},
		{"a name of a type", "{__typename}", 0, Shared},
		{"the schema beside a field", "{__typename item}", time.Hour, Shared},
		{"mutation", "mutation{spend}", 0, User},
	})
	if p := known.roots["item"]; p != (FieldPolicy{Field: "item", MaxAge: time.Hour, Scope: Shared, Bucket: "ITEMS"}) {
		t.Errorf("policy of item: got %+v", p)
	}
}

// The strictest field and type that an operation selects, at any depth, decide its policy.
func TestPolicyOfNestedSelections(t *testing.T) {
	schema := schemaOf(t, `
		type Query {
			guilds: [Guild] @cacheControl(maxAge: 3600, scope: SHARED) @rateLimit(bucket: SHARED)
			world: World @cacheControl(maxAge: 10, scope: SHARED) @rateLimit(bucket: SHARED)
			node: Node @cacheControl(maxAge: 1800, scope: SHARED) @rateLimit(bucket: SHARED)
			entries: [Entry] @cacheControl(maxAge: 600, scope: SHARED) @rateLimit(bucket: SHARED)
			hits: [Hit] @cacheControl(maxAge: 600, scope: SHARED) @rateLimit(bucket: SHARED)
		}
		interface Node { id: ID }
		interface Entry { place: Int name: String }
		union Hit = Player | Guild
		type World { guilds: [Guild] }
		type Guild implements Node {
			id: ID
			name: String
			online: Int @cacheControl(maxAge: 30, scope: SHARED)
			members: [Player]
		}
		type Player implements Node @cacheControl(maxAge: 120, scope: USER) {
			id: ID
			name: String
			world: String @cacheControl(maxAge: 30, scope: SHARED)
			guild: Guild
		}
		type GuildEntry implements Entry { place: Int name: String guild: Guild }
		type PlayerEntry implements Entry {
			place: Int @cacheControl(maxAge: 300, scope: SHARED)
			name: String @cacheControl(maxAge: 3600, scope: USER)
			player: Player
		}`)
	expectPolicies(t, schema, []policyCase{
		{"nothing below", "{guilds{name}}", time.Hour, Shared},
		{"a field", "{guilds{online}}", 30 * time.Second, Shared},
		{"a type", "{guilds{members{name}}}", 2 * time.Minute, User},
		{"a type by its name only", "{guilds{members{__typename}}}", 2 * time.Minute, User},
		{"a field of a type", "{guilds{members{world}}}", 30 * time.Second, User},
		{"only the other alias", "{a:guilds{name} b:guilds{members{name}}}", 2 * time.Minute, User},
		{"a second selection of one key", "{guilds{name} guilds{members{name}}}", 2 * time.Minute, User},
		{"a root that is stricter", "{world{guilds{members{name}}}}", 10 * time.Second, User},
		{
			"fragments",
			"{guilds{...f}} fragment f on Guild{name ...g} fragment g on Guild{members{...h}} fragment h on Player{name}",
			2 * time.Minute, User,
		},
		{"what is skipped", "{guilds{name members @skip(if:true){name}}}", 2 * time.Minute, User},
		{"the id of a node", "{node{__typename id}}", 30 * time.Minute, Shared},
		{"a node of a type without a hint", "{node{id ... on Guild{name}}}", 30 * time.Minute, Shared},
		{"a node of a type", "{node{id ... on Guild{name} ... on Player{name}}}", 2 * time.Minute, User},
		{"a field that all entries have", "{entries{place}}", 5 * time.Minute, Shared},
		{"a field that differs between viewers", "{entries{name}}", 10 * time.Minute, User},
		{"an entry of one type", "{entries{... on GuildEntry{name}}}", 10 * time.Minute, Shared},
		{"a union", "{hits{__typename ... on Guild{name}}}", 10 * time.Minute, Shared},
		{"a type of a union", "{hits{... on Player{name}}}", 2 * time.Minute, User},
	})
}

// The arguments of directives have the declared types, and numbers are not negative. Each root field has a policy of
// its own, and each argument that sets the length of a list has a largest value.
func TestDirectivesOfTheSchema(t *testing.T) {
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	check := func(at string, directives ast.DirectiveList) {
		for _, d := range directives {
			for _, a := range d.Arguments {
				typ := schema.Directives[d.Name].Arguments.ForName(a.Name).Type
				values := ast.ChildValueList{{Value: a.Value}}
				if typ.Elem != nil {
					values = a.Value.Children
				}
				for _, v := range values {
					n, err := strconv.Atoi(v.Value.Raw)
					if typ.Name() == "Int" && (err != nil || n < 0) || schema.Types[typ.Name()].Kind == ast.Enum &&
						schema.Types[typ.Name()].EnumValues.ForName(v.Value.Raw) == nil {
						t.Errorf("%s: @%s(%s: %s) is no %s", at, d.Name, a.Name, v.Value, typ)
					}
				}
			}
		}
	}
	facts, roots := readFacts(schema), map[string]bool{}
	for name, def := range schema.Types {
		check(name, def.Directives)
		for _, f := range def.Fields {
			at := name + "." + f.Name
			check(at, f.Directives)
			for _, a := range f.Arguments {
				check(at+"."+a.Name, a.Directives)
			}
			if size := facts.fields[f].size; size.most < 1 && (size.by != "" || strings.HasSuffix(f.Type.Name(), connectionSuffix)) {
				t.Errorf("%s has no largest length", at)
			}
			if def != schema.Query && def != schema.Mutation && def != schema.Subscription || isIntrospection(f.Name) {
				continue
			}
			if p := facts.roots[f.Name]; roots[f.Name] || p.Bucket == "" || p.MaxAge == noHint.maxAge {
				t.Errorf("%s has no policy of its own: %+v", at, p)
			}
			roots[f.Name] = true
		}
	}
}
