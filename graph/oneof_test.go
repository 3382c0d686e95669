package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
)

// Every input with @oneOf has exactly one member that is not null, in the text of a document and as a variable.
func TestOneOfInputs(t *testing.T) {
	e := executor(graph.Options{})
	inputs := map[string]bool{}
	type place struct {
		field      *ast.FieldDefinition
		begin, end string
	}
	var places []place
	for _, f := range e.Schema().Query.Fields {
		places = append(places, place{f, "{", "}"})
	}
	for _, def := range e.Schema().GetPossibleTypes(e.Schema().Types["Node"]) {
		for _, f := range def.Fields {
			places = append(places, place{f, `{node(id:"x"){...on ` + def.Name + "{", "}}}"})
		}
	}
	for _, place := range places {
		f, begin, end := place.field, place.begin, place.end
		for _, a := range f.Arguments {
			def := e.Schema().Types[a.Type.Name()]
			if def.Directives.ForName("oneOf") == nil {
				continue
			}
			inputs[def.Name] = true
			document := "($by:" + a.Type.String() + ")" + begin + f.Name + "(" + a.Name + ":$by){__typename}" + end
			op, errs := e.Parse("query"+document, "")
			if errs != nil {
				t.Fatal(document, errs)
			}
			first, uuid := def.Fields[0].Name, "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c"
			wrong := []map[string]any{{}, {first: nil}}
			for _, other := range def.Fields[1:] {
				wrong = append(wrong, map[string]any{first: uuid, other.Name: nil}, map[string]any{first: uuid, other.Name: uuid})
			}
			for _, by := range wrong {
				err := e.CheckVariables(op, map[string]any{"by": by})
				if err == nil || graph.ErrorOf(err).Code != graph.BadVariables ||
					def.Fields[0].Type.Name() != "Int" && def.Name != "GainSpan" && !strings.Contains(err.Message, "exactly one member") {
					t.Errorf("%s with %v: %v", f.Name, by, err)
				}
			}
			for _, text := range []string{"{}", "{" + first + ":null}"} {
				if _, errs := e.Parse(begin+f.Name+"("+a.Name+":"+text+"){__typename}"+end, ""); errs == nil {
					t.Errorf("%s(%s:%s) is valid", f.Name, a.Name, text)
				}
			}
			maybe := "query($v:" + def.Fields[0].Type.Name() + ")" + begin + f.Name + "(" + a.Name + ":{" + first +
				":$v}){__typename}" + end
			if _, errs := e.Parse(maybe, ""); errs == nil {
				t.Errorf("%s takes a member that may be null", f.Name)
			}
		}
	}
	declared := 0
	for _, def := range e.Schema().Types {
		if def.Kind == ast.InputObject && slices.ContainsFunc(def.Directives, func(d *ast.Directive) bool {
			return d.Name == "oneOf"
		}) {
			declared++
		}
	}
	if len(inputs) != declared {
		t.Errorf("looked at %d inputs of %d", len(inputs), declared)
	}
}
