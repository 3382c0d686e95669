package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"gamedata/client"
	"gamedata/rest"
)

// contract is the OpenAPI document as a reader of JSON Schema sees it.
type contract struct {
	doc      map[string]any
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema // by place
}

const documentName = "mem:///openapi.json"

func readContract(document []byte) (*contract, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return nil, fmt.Errorf("the contract: %w", err)
	}
	object, ok := doc.(map[string]any)
	if !ok {
		return nil, errors.New("the contract is no object")
	}
	c := &contract{object, jsonschema.NewCompiler(), map[string]*jsonschema.Schema{}}
	return c, c.compiler.AddResource(documentName, doc)
}

// dependsOnWorld are the statuses that a service with another world may answer a case with.
var dependsOnWorld = []int{
	http.StatusOK, http.StatusMultipleChoices, http.StatusBadRequest, http.StatusForbidden,
	http.StatusNotFound,
}

// compare holds an answer against the contract where the world may be another one than that of
// the case. other says that the status showed that it is.
func (c *contract) compare(asked rest.Case, got *client.Response) (other bool, out []string) {
	if got.Status != asked.Status {
		named := strings.Contains(asked.Target, "?") || asked.Body != "" || variable(asked)
		if !named || !slices.Contains(dependsOnWorld, got.Status) || !slices.Contains(dependsOnWorld, asked.Status) {
			return false, []string{fmt.Sprintf("status %d, want %d", got.Status, asked.Status)}
		}
		other = true
	}
	if !other {
		out = sameHeaders(asked, got)
	}
	if len(got.Body) == 0 || got.Header.Get("Content-Encoding") != "" {
		return other, out
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(got.Body))
	if err != nil {
		return other, append(out, "the body is not JSON")
	}
	schema, err := c.body(asked, got.Status)
	if err != nil {
		return other, append(out, err.Error())
	}
	if schema == nil {
		return other, out
	}
	return other, append(out, problems(schema.Validate(body))...)
}

// variable tells whether the path of a case names something of a world.
func variable(c rest.Case) bool {
	row, _, ok := c.Row()
	return ok && strings.Contains(row.Path, "{")
}

// body is the schema of the body that answers a case with a status; nil where the contract says
// nothing, which is of paths and methods that it does not know.
func (c *contract) body(asked rest.Case, status int) (*jsonschema.Schema, error) {
	row, _, ok := asked.Row()
	if !ok || asked.Method != row.Method && asked.Method != http.MethodHead && status != http.StatusMethodNotAllowed {
		return nil, nil
	}
	_, at := c.follow("paths", row.Path, strings.ToLower(row.Method), "responses", strconv.Itoa(status), "content",
		"application/json", "schema")
	if at == nil {
		return nil, fmt.Errorf("status %d is not documented for %s", status, row.Path)
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	where := documentName + "#"
	for _, step := range at {
		where += "/" + escape.Replace(step)
	}
	schema := c.schemas[where]
	if schema == nil {
		var err error
		if schema, err = c.compiler.Compile(where); err != nil {
			return nil, fmt.Errorf("the contract of %s: %w", row.Path, err)
		}
		c.schemas[where] = schema
	}
	return schema, nil
}

// follow goes down a path of the document; references on the way are followed.
func (c *contract) follow(steps ...string) (found map[string]any, at []string) {
	found = c.doc
	for _, step := range steps {
		next, ok := found[step].(map[string]any)
		if !ok {
			return nil, nil
		}
		at = append(at, step)
		if to, ok := next["$ref"].(string); ok && len(next) == 1 {
			next, at = c.follow(strings.Split(to, "/")[1:]...)
		}
		found = next
	}
	return found, at
}

// problems are the innermost things that do not fit, each with its place.
func problems(err error) (out []string) {
	var failed *jsonschema.ValidationError
	if !errors.As(err, &failed) {
		if err != nil {
			out = append(out, err.Error())
		}
		return out
	}
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			walk(cause)
		}
		if len(e.Causes) == 0 && len(out) < maxDifferences {
			text := e.Error()
			if _, tail, ok := strings.Cut(text, "\n"); ok {
				text = strings.TrimSpace(tail)
			}
			out = append(out, strings.TrimPrefix(text, "- "))
		}
	}
	walk(failed)
	return out
}
