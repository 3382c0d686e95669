package graph_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"gamedata/graph"
)

// times writes a text n times, with %i for the number of the copy and %j for the next one.
func times(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.NewReplacer("%i", strconv.Itoa(i), "%j", strconv.Itoa(i+1)).Replace(text))
	}
	return b.String()
}

// worst are the documents found that take longest to check, each just within the limits: validation
// compares repeated fields, fragments and values with each other. Those with a code are rejected in
// the end. New ideas for attacks belong here.
var worst = []struct {
	name, query string
	code        graph.Code
}{
	{"one field", "{" + times(2, "classes{"+times(200, "id ")+"}") + "}", ""},
	{"one object", "{" + times(195, "classes{id}") + "}", ""},
	{"chains", "{" + times(28, "classes{tree{class{tree{class{tree{class{tree{class{tree{class{id}}}}}}}}}}}") + "}", ""},
	{"wide chains", "{" + times(19, "classes{tree{class{"+times(20, "id ")+"}}}") + "}", ""},
	{"fragments", "{classes{" + times(88, "...f%i ") + "}}" + times(88, "fragment f%i on Class{id name}"), ""},
	{
		"fragment chain", "{classes{...f0}}" + times(98, "fragment f%i on Class{id ...f%j}") + "fragment f98 on Class{id}",
		"",
	},
	{"fragments in all", "{classes{" + times(15, "...f%i ") + "}}" + times(15, "fragment f%i on Class{"+times(24, "id ")+
		"...f%j}") + "fragment f15 on Class{id}", graph.LimitExceeded},
	{"inline fragments", "{classes{" + times(190, "...{id}") + "}}", ""},
	{"shared fragment", times(90, "query q%i{classes{...f}}") + "fragment f on Class{" + times(4, "id ") + "}", ""},
	{"long arguments", "{" + times(70, `player(by:{reference:"`+strings.Repeat("x", 800)+`"}){uuid}`) + "}", ""},
	{"lists of values", "{" + times(2, `players(filter:{uuids:[`+times(480, `"3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c"`)+`]}){nodes{uuid}}`) + "}", ""},
	{"nested values", "{players(filter:{uuids:" + strings.Repeat("[", 480) + strings.Repeat("]", 480) +
		"}){nodes{uuid}}}", graph.ValidationFailed},
	{
		"many variables", "query q0(" + times(70, "$v%i:Boolean!") + "){classes{" + times(70, "...@skip(if:$v%i){id}") + "}}",
		graph.LimitExceeded,
	},
	{"some variables", "query q0(" + times(60, "$v%i:Boolean!") + "){classes{" + times(60, "id@skip(if:$v%i)") + "}}", ""},
	{"many operations", times(124, "query q%i{classes{id}}"), ""},
	{"a long comment", "{classes{id}}#" + strings.Repeat("x", 63<<10), ""},
	{
		"types of types", "{__schema{types{fields{type{...a ofType{...a}}}}}}fragment a on __Type{fields{name type{name}}}",
		"",
	},
	{"conflicts", "{" + times(70, `player(by:{reference:"%i"}){uuid}`) + "}", graph.ValidationFailed},
	{"conflicts below", "{" + times(14, "classes{a:id} classes{a:name}") + "}", graph.ValidationFailed},
	{"unknown fields", "{" + times(2, "classes{"+times(200, "x%i ")+"}") + "}", graph.ValidationFailed},
	{"unknown variables", "{classes{" + times(105, "id@skip(if:$v%i)") + "}}", graph.ValidationFailed},
	{"inline fragments in each other", "{classes" + strings.Repeat("{...", 320) + "{id" + strings.Repeat("}", 322), ""},
	{
		"fragment chain of one set", "{" + times(5, "classes{...f0}") + "}" + times(90, "fragment f%i on Class{...f%j}") +
			"fragment f90 on Class{" + times(90, "id ") + "}", "",
	},
	{
		"two fragment chains", "{classes{...a0 ...b0}}" + times(44, "fragment a%i on Class{id ...a%j}") +
			times(44, "fragment b%i on Class{id ...b%j}") + "fragment a44 on Class{id} fragment b44 on Class{id}", "",
	},
	{
		"types in types", `{__type(name:"Node")` + times(4, "{possibleTypes{interfaces") + "{name" + times(10, "}"),
		graph.ValidationFailed,
	},
	{"nested fragments", nested(), graph.LimitExceeded},
	{"a million brackets", "{classes(x:" + strings.Repeat("[", 1_000_000), graph.LimitExceeded},
}

// Each document has the result that it is listed with, so that the benchmark measures the right thing.
func TestParseWorst(t *testing.T) {
	e := executor(graph.Options{})
	for _, c := range worst {
		t.Run(c.name, func(t *testing.T) {
			_, errs := e.Parse(c.query, first(c.query))
			switch {
			case c.code == "" && errs != nil:
				t.Error(errs)
			case c.code != "" && (errs == nil || graph.ErrorOf(errs[0]).Code != c.code):
				t.Errorf("got %v, want %s", errs, c.code)
			}
		})
	}
}

// docs/spec/security.md: a document takes at most 100 ms and 20 MB to check.
func BenchmarkParseWorst(b *testing.B) {
	for _, c := range worst {
		b.Run(c.name, func(b *testing.B) {
			e := executor(graph.Options{})
			name := first(c.query)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				// A comment makes the text new, so that it is not cached.
				if _, errs := e.Parse(fmt.Sprintf("%s\n#%d", c.query, i), name); (errs == nil) != (c.code == "") {
					b.Fatal(errs)
				}
			}
		})
	}
}

func first(query string) string {
	if strings.HasPrefix(query, "query q0") {
		return "q0"
	}
	return ""
}
