package web

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"

	"gamedata/graph"
)

// Operation is a fixed GraphQL operation that a page runs.
type Operation struct {
	*graph.Operation
	Document string // text of its file, and the shared fragments that it uses
}

// fragmentsFile has the fragments that the operations of a package share.
const fragmentsFile = "operations/fragments.graphql"

// LoadOperations reads operations/NAME.graphql of a package, by name, and checks them against the schema. A document
// has those fragments of operations/fragments.graphql that it uses.
func LoadOperations(exec *graph.Executor, files fs.FS) (map[string]Operation, error) {
	names, err := fs.Glob(files, "operations/*.graphql")
	if err != nil {
		return nil, err
	}
	var shared ast.FragmentDefinitionList
	if slices.Contains(names, fragmentsFile) {
		doc, _, err := parseFile(files, fragmentsFile)
		if err != nil {
			return nil, err
		}
		shared = doc.Fragments
	}
	out := map[string]Operation{}
	for _, file := range names {
		if file == fragmentsFile {
			continue
		}
		doc, text, err := parseFile(files, file)
		if err != nil {
			return nil, err
		}
		document := text + fragmentText(neededFragments(doc, shared))
		name := strings.TrimSuffix(path.Base(file), ".graphql")
		op, problems := exec.Parse(document, name)
		if len(problems) > 0 {
			return nil, fmt.Errorf("operation %s: %w", name, problems)
		}
		out[name] = Operation{op, document}
	}
	return out, nil
}

func parseFile(files fs.FS, name string) (doc *ast.QueryDocument, text string, err error) {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, "", err
	}
	doc, err = parser.ParseQuery(&ast.Source{Name: name, Input: string(content)})
	return doc, string(content), err
}

// neededFragments returns the shared fragments that a document uses, also through other fragments, in the order of
// their file.
func neededFragments(doc *ast.QueryDocument, shared ast.FragmentDefinitionList) ast.FragmentDefinitionList {
	needed := map[string]bool{}
	var add func(ast.SelectionSet)
	add = func(selections ast.SelectionSet) {
		for _, s := range selections {
			switch s := s.(type) {
			case *ast.Field:
				add(s.SelectionSet)
			case *ast.InlineFragment:
				add(s.SelectionSet)
			case *ast.FragmentSpread:
				if f := shared.ForName(s.Name); f != nil && !needed[f.Name] {
					needed[f.Name] = true
					add(f.SelectionSet)
				}
			}
		}
	}
	for _, o := range doc.Operations {
		add(o.SelectionSet)
	}
	for _, f := range doc.Fragments {
		add(f.SelectionSet)
	}
	return slices.DeleteFunc(slices.Clone(shared), func(f *ast.FragmentDefinition) bool { return !needed[f.Name] })
}

// fragmentText is the text of fragments, to be appended to an operation.
func fragmentText(fragments ast.FragmentDefinitionList) string {
	if len(fragments) == 0 {
		return ""
	}
	var text strings.Builder
	formatter.NewFormatter(&text, formatter.WithIndent("  ")).FormatQueryDocument(&ast.QueryDocument{Fragments: fragments})
	return "\n" + text.String()
}

// Bind returns the variables of an operation from the values with their names: a Boolean is true
// when its value is not empty, a list has the words of all values, anything else is the first value.
func Bind(op Operation, values url.Values) map[string]any {
	out := map[string]any{}
	for _, v := range op.Def.VariableDefinitions {
		switch {
		case v.Type.Elem != nil:
			words := []any{}
			for _, s := range values[v.Variable] {
				for _, w := range strings.Fields(s) {
					words = append(words, w)
				}
			}
			out[v.Variable] = words
		case v.Type.NamedType == "Boolean":
			out[v.Variable] = values.Get(v.Variable) != ""
		default:
			out[v.Variable] = values.Get(v.Variable)
		}
	}
	return out
}
