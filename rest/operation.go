package rest

import (
	"embed"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/rest/transform"
)

//go:embed operations
var operations embed.FS

// Operation is the fixed operation of an endpoint: how a request sets its variables, and how its
// data is transformed into the body.
type Operation struct {
	*transform.Operation

	parameters []*parameter            // one per variable except body
	body       *ast.VariableDefinition // takes the JSON body; nil if requests have no body
	about      string                  // what the endpoint returns: the comment of the file
	// parameterTexts overrides the schema's description of parameters.
	parameterTexts map[string]string
}

// About describes what the endpoint returns: one sentence as a summary, and further text that may be empty.
func (op *Operation) About() (summary, more string) {
	summary, more, _ = strings.Cut(op.about, ". ")
	return strings.TrimSuffix(summary, "."), more
}

// Compile compiles an operation.
func Compile(schema *ast.Schema, name, source string) (*Operation, error) {
	compiled, err := transform.Compile(schema, name, source)
	if err != nil {
		return nil, err
	}
	op := &Operation{Operation: compiled}
	op.setVariables()
	return op, nil
}

// Policy returns the policy of the endpoint: the policy of its root field, with the cache time of @maxAge if present.
func (op *Operation) Policy(root graph.FieldPolicy) graph.FieldPolicy {
	if d := op.Definition().Directives.ForName("maxAge"); d != nil {
		seconds, _ := strconv.Atoi(d.Arguments.ForName("seconds").Value.Raw) // the document is validated
		root.MaxAge = time.Duration(seconds) * time.Second
	}
	return root
}

// Body returns the type of the JSON body, or nil if requests have no body. Each field takes one value or a list of
// values.
func (op *Operation) Body() *ast.Definition {
	if op.body == nil {
		return nil
	}
	return op.body.Definition
}

// BodyVariable returns the name of the variable that takes the JSON body, or "" if requests have no body.
func (op *Operation) BodyVariable() string {
	if op.body == nil {
		return ""
	}
	return op.body.Variable
}

// Load compiles the operations of all rows, by name.
func Load(schema *ast.Schema) map[string]*Operation {
	out := map[string]*Operation{}
	for _, row := range Rows {
		if row.Operation == "" {
			continue
		}
		source := source(row.Operation)
		op, err := Compile(schema, row.Operation, source)
		if err != nil {
			panic(err) // the operations are part of the program
		}
		op.about, op.parameterTexts = comment(source)
		out[row.Operation] = op
	}
	return out
}

// comment returns the comment at the beginning of a file: a first line that names the endpoint, the text about the
// endpoint, and lines such as `$page: Number of the page.` about parameters.
func comment(source string) (about string, parameters map[string]string) {
	var words []string
	parameters = map[string]string{}
	for i, line := range strings.Split(source, "\n") {
		text, ok := strings.CutPrefix(line, "#")
		if !ok {
			break
		}
		text = strings.TrimSpace(text)
		name, more, isParameter := strings.Cut(text, ": ")
		switch {
		case i == 0:
		case isParameter && strings.HasPrefix(name, "$"):
			parameters[name[1:]] = more
		default:
			words = append(words, text)
		}
	}
	return strings.Join(words, " "), parameters
}

var spread = regexp.MustCompile(`\.\.\.([A-Za-z]+)`)

func source(operation string) string {
	text, _ := operations.ReadFile("operations/" + operation + ".graphql")
	have := map[string]bool{"on": true}
	for more := true; more; {
		more = false
		for _, m := range spread.FindAllSubmatch(text, -1) {
			if name := string(m[1]); !have[name] {
				have[name], more = true, true
				fragment, _ := operations.ReadFile("operations/fragments/" + name + ".graphql")
				text = append(text, fragment...)
			}
		}
	}
	return string(text)
}
