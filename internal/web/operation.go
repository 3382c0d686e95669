package web

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"

	"gamedata/graph"
)

// Operation is a fixed GraphQL operation run by a page.
type Operation struct {
	*graph.Operation
	Document string // text of its file and the shared fragments it uses
}

// fragmentsFile contains the fragments shared by the operations of a package.
const fragmentsFile = "operations/fragments.graphql"

var (
	fragment = regexp.MustCompile(`(?ms)^fragment (\w+) .*?^}\n`)
	spread   = regexp.MustCompile(`\.\.\.(\w+)`)
)

// LoadOperations reads operations/NAME.graphql of a package, by name. It adds the fragments of
// operations/fragments.graphql that a document uses.
func LoadOperations(exec *graph.Executor, files fs.FS) map[string]Operation {
	shared := map[string]string{}
	text, _ := fs.ReadFile(files, fragmentsFile) // a package may have none
	for _, m := range fragment.FindAllStringSubmatch(string(text), -1) {
		shared[m[1]] = m[0]
	}
	names, _ := fs.Glob(files, "operations/*.graphql")
	out := map[string]Operation{}
	for _, file := range names {
		if file == fragmentsFile {
			continue
		}
		text, _ := fs.ReadFile(files, file)
		document, name := withFragments(string(text), shared), strings.TrimSuffix(path.Base(file), ".graphql")
		op, problems := exec.Parse(document, name)
		if len(problems) > 0 {
			panic(fmt.Errorf("operation %s: %w", name, problems)) // it is part of the program
		}
		out[name] = Operation{op, document}
	}
	return out
}

// withFragments appends the shared fragments that a document uses directly or through other fragments.
func withFragments(document string, shared map[string]string) string {
	added := map[string]bool{}
	for unread := document; ; {
		at := spread.FindStringSubmatchIndex(unread)
		if at == nil {
			return document
		}
		name := unread[at[2]:at[3]]
		unread = unread[at[1]:]
		if text := shared[name]; text != "" && !added[name] {
			added[name] = true
			document, unread = document+"\n"+text, unread+text
		}
	}
}

// Bind takes the variables of an operation from the values of the same names: a Boolean is true when its value is not
// empty, a list gets the words of all values, any other variable gets the first value.
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
