package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"gamedata/graph"
)

// Errors about unknown names suggest similar ones, in documents and in variables.
func TestSuggestions(t *testing.T) {
	e := executor(graph.Options{})
	for query, want := range map[string]string{
		`{viewer{tokns{name}}}`: `Cannot query field "tokns" on type "Viewer".` +
			` Did you mean "tokens"`,
		`{veiwer{kind}}`:         ` Did you mean "viewer"?`,
		`{viewer{quiteAnother}}`: `on type "Viewer".`,
		`{node(idd:"x"){id}}`: `Unknown argument "idd" on field "Query.node".` +
			` Did you mean "id"?`,
		`{node(id:"x"){redirectUris}}`: `on type "Node".` +
			` Did you mean to use an inline fragment on "Application"?`,
		`{viewer{...f}} fragment f on Viewr{kind}`:                                                   `Unknown type "Viewr". Did you mean "Viewer"`,
		`query($x:[CreateTokenInptu!]!){viewer{kind}}`:                                               `Unknown type "CreateTokenInptu". Did you mean "CreateTokenInput"`,
		`{viewer{...{... on Viewr{kind}}}}`:                                                          `Unknown type "Viewr". Did you mean "Viewer"`,
		`{viewer{kind @skipp(if:true)}}`:                                                             `Unknown directive "@skipp".`,
		`{viewer{kind @skip(iff:true)}}`:                                                             `on directive "@skip". Did you mean "if"?`,
		`{viewer{restrictionsFor(player:"3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c",onlooker:FRIEN){key}}}`:   `Did you mean the enum value "FRIEND"?`,
		`{viewer{restrictionsFor(player:"3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c",onlooker:"GUEST"){key}}}`: `Did you mean the enum value "GUEST"?`,
		`mutation{createToken(input:{name:"a",pubic:true}){value}}`: `is not defined by type "CreateTokenInput". ` +
			`Did you mean "public"?`,
		"{" + strings.Repeat("viewer", 100) + "}": `on type "Query".`,
	} {
		_, errs := e.Parse(query, "")
		if len(errs) == 0 || !strings.Contains(errs[0].Message, want) ||
			strings.HasSuffix(want, ".") && !strings.HasSuffix(errs[0].Message, want) {
			t.Errorf("%.60s: got %v, want %s", query, errs, want)
		}
	}
	for _, c := range []struct{ query, variable, want string }{
		{
			"query($v:Onlooker!){viewer{restrictionsFor(player:\"3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c\",onlooker:$v){key}}}", "GUILD_MEMBR",
			`The variable $v must be a value of Onlooker. Did you mean "GUILD_MEMBER"?`,
		},
		{
			"query($v:Onlooker!){viewer{restrictionsFor(player:\"3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c\",onlooker:$v){key}}}", "x",
			`The variable $v must be a value of Onlooker.`,
		},
	} {
		op, errs := e.Parse(c.query, "")
		if errs != nil {
			t.Fatal(errs)
		}
		err := e.CheckVariables(op, map[string]any{"v": c.variable})
		if err == nil || err.Message != c.want || graph.ErrorOf(err).Code != graph.BadVariables {
			t.Errorf("%s: got %v, want %s", c.variable, err, c.want)
		}
	}
	op, errs := e.Parse("mutation($v:CreateTokenInput!){createToken(input:$v){value}}", "")
	if errs != nil {
		t.Fatal(errs)
	}
	err := e.CheckVariables(op, map[string]any{"v": map[string]any{"name": "a", "descriptio": "b"}})
	if want := `The variable $v has an unknown field: see CreateTokenInput. Did you mean "description"?`; err == nil ||
		err.Message != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A document with many unknown names gets no suggestions.
func TestSuggestionsAreBounded(t *testing.T) {
	e := executor(graph.Options{})
	var b strings.Builder
	for i := range 190 {
		fmt.Fprintf(&b, " viewer%d", i)
	}
	_, errs := e.Parse("{"+b.String()+"}", "")
	if len(errs) != 10 {
		t.Fatalf("got %d errors, want 10", len(errs))
	}
	for _, err := range errs {
		if strings.Contains(err.Message, "Did you mean") {
			t.Errorf("got %s", err.Message)
		}
	}
}

// What introspection advertises works: there is no @defer, no subscription, and scalars say what specifies them.
func TestIntrospectionIsHonest(t *testing.T) {
	e := executor(graph.Options{})
	op, errs := e.Parse(`{ __schema {
		subscriptionType { name } directives { name }
		types { kind name specifiedByURL isOneOf }
	} }`, "")
	if errs != nil {
		t.Fatal(errs)
	}
	text := string(e.Run(t.Context(), op, nil).Data)
	for want, shown := range map[string]bool{
		`"subscriptionType":{"name":"Subscription"}`: true,
		`{"name":"defer"}`:                           false, `{"name":"stream"}`: false, `{"name":"oneOf"}`: true,
		`{"kind":"SCALAR","name":"UUID","specifiedByURL":"https://www.rfc-editor.org/rfc/rfc9562","isOneOf":`: true,
	} {
		if strings.Contains(text, want) != shown {
			t.Errorf("introspection has %s: %v, want %v", want, !shown, shown)
		}
	}
	for query, want := range map[string]string{
		`{viewer{...@defer{kind}}}`: `Unknown directive "@defer".`,
	} {
		if _, errs := e.Parse(query, ""); len(errs) == 0 || !strings.Contains(errs[0].Message, want) {
			t.Errorf("%s: got %v, want %s", query, errs, want)
		}
	}
}
