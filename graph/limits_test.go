package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"gamedata/graph"
	"gamedata/graph/generated"
)

func executor(o graph.Options) *graph.Executor {
	return graph.New(generated.NewExecutableSchema(generated.Config{Resolvers: root{}}), o)
}

// nested is a valid document of 1 KB whose fragments, each spread twice by the one before it, expand
// to millions of fields.
func nested() string {
	var b strings.Builder
	b.WriteString("{classes{...f0}}")
	for i := range 24 {
		fmt.Fprintf(&b, "fragment f%d on Class{...f%d ...f%d}", i, i+1, i+1)
	}
	b.WriteString("fragment f24 on Class{id}")
	return b.String()
}

// introspection is as deep as tools that print schemas need.
const introspection = `{__schema{queryType{name}
 types{kind name fields(includeDeprecated:true){name args{name type{...T}} type{...T}}
 inputFields{name type{...T}} enumValues{name}} directives{name args{name type{...T}}}}}
 fragment T on __Type{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name
  ofType{kind name ofType{kind name ofType{kind name}}}}}}}}`

// console is the introspection query of graphical consoles and code generators: every member of every
// type, with references nine levels deep.
const console = `query Introspection{__schema{description
 queryType{name kind} mutationType{name kind} subscriptionType{name kind}
 types{...Whole} directives{name description isRepeatable locations args(includeDeprecated:true){...Input}}}}
 fragment Whole on __Type{kind name description specifiedByURL isOneOf
  fields(includeDeprecated:true){name description args(includeDeprecated:true){...Input} type{...Reference}
   isDeprecated deprecationReason}
  inputFields(includeDeprecated:true){...Input} interfaces{...Reference}
  enumValues(includeDeprecated:true){name description isDeprecated deprecationReason} possibleTypes{...Reference}}
 fragment Input on __InputValue{name description type{...Reference} defaultValue isDeprecated deprecationReason}
 fragment Reference on __Type{kind name ofType{kind name ofType{kind name ofType{kind name ofType{kind name
  ofType{kind name
  ofType{kind name ofType{kind name ofType{kind name ofType{kind name}}}}}}}}}}`

func TestParseLimits(t *testing.T) {
	e := executor(graph.Options{})
	for _, c := range []struct {
		name, query string
		code        graph.Code
		want        string
	}{
		{"plain", "{classes{id name}}", "", ""},
		{"introspection", introspection, "", ""},
		{"introspection of a console", console, "", ""},
		{
			"a number out of range", "{players(filter:{uuids:[99999999999999999999]}){nodes{username}}}", graph.ValidationFailed,
			"out of range",
		},
		{
			"a default out of range", "query($u:[UUID!]!=[1e999]){players(filter:{uuids:$u}){nodes{username}}}",
			graph.ValidationFailed,
			"out of range",
		},
		{
			"fragment cycle", "{classes{...a}} fragment a on Class{...b} fragment b on Class{...a}", graph.ValidationFailed,
			"spreads itself",
		},
		{"not GraphQL", "{classes{", graph.ParseFailed, ""},
		{"control character", "{classes\x00{id}}", graph.ParseFailed, ""},
		{"empty", "", graph.ValidationFailed, "no operation"},
		{"unknown field", "{classes{idd}}", graph.ValidationFailed, "idd"},
		{"two operations", "query a{classes{id}} query b{classes{id}}", graph.ValidationFailed, "operationName"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, errs := e.Parse(c.query, "")
			if c.code == "" {
				if errs != nil {
					t.Fatal(errs)
				}
				return
			}
			if errs == nil {
				t.Fatal("accepted")
			}
			if got := graph.ErrorOf(errs[0]); got.Code != c.code || !strings.Contains(got.Detail, c.want) {
				t.Errorf("got %s: %s; want %s with %q", got.Code, got.Detail, c.code, c.want)
			}
			for _, err := range errs {
				if len(err.Message) > 300 {
					t.Errorf("the message is too long: %s", err.Message)
				}
			}
		})
	}
}

func TestParseSelectsOperation(t *testing.T) {
	e := executor(graph.Options{})
	const two = "query a{classes{id}} query b{whoami{uuid} item:itemSets{totalCount}}"
	for range 2 { // the second time from the cache
		op, errs := e.Parse(two, "b")
		if errs != nil || op.Name != "b" {
			t.Fatal(op, errs)
		}
		p := op.Policy
		if p.MaxAge != 0 || p.Scope != graph.User || len(p.Fields) != 2 {
			t.Errorf("got policy %+v", p)
		}
		if _, errs := e.Parse(two, "c"); errs == nil {
			t.Error("an unknown operation is selected")
		}
	}
}

func FuzzParse(f *testing.F) {
	e := executor(graph.Options{})
	for _, q := range []string{
		"{classes{id}}", nested(), introspection,
		"query($a:Int!=1){items(page:$a){nodes{icon{text}}}}", "{...a}fragment a on Query{classes{id}}",
	} {
		f.Add(q, "")
	}
	f.Fuzz(func(t *testing.T, query, name string) {
		op, errs := e.Parse(query, name)
		if (op == nil) == (errs == nil) {
			t.Fatal("got neither an operation nor an error")
		}
		for _, err := range errs {
			if graph.ErrorOf(err).Code == graph.Internal {
				t.Fatal(err)
			}
		}
	})
}
