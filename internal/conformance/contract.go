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

	"gamedata/rest"
)

// Contract is the OpenAPI document with its compiled JSON Schemas.
type Contract struct {
	doc      map[string]any
	compiler *jsonschema.Compiler
}

const documentName = "mem:///openapi.json"

// ReadContract reads the OpenAPI document of this program.
func ReadContract(document []byte) *Contract {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	k := &Contract{compiler: jsonschema.NewCompiler()}
	k.doc, _ = doc.(map[string]any)
	if err := errors.Join(err, k.compiler.AddResource(documentName, doc)); err != nil {
		panic(err) // the document is part of the program
	}
	return k
}

// dataDependent lists the statuses that depend on a service's data.
var dataDependent = []int{
	http.StatusOK, http.StatusMultipleChoices, http.StatusBadRequest, http.StatusForbidden,
	http.StatusNotFound,
}

// compare compares a response with the contract, for a service whose data may differ from the case. other says that the
// status proves a difference.
func (k *Contract) compare(c rest.Case, got *response) (other bool, out []string) {
	if got.Status != c.Want.Status {
		named := strings.Contains(c.Target, "?") || c.Body != "" || hasVariable(c)
		if !named || !slices.Contains(dataDependent, got.Status) || !slices.Contains(dataDependent, c.Want.Status) {
			return false, []string{fmt.Sprintf("status %d, want %d", got.Status, c.Want.Status)}
		}
		other = true
	}
	if !other {
		out = compareHeaders(c, got)
	}
	if len(got.Body) == 0 || got.Header.Get("Content-Encoding") != "" {
		return other, out
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(got.Body))
	if err != nil {
		return other, append(out, "the body is not JSON")
	}
	schema, err := k.Body(c, got.Status)
	if err != nil {
		return other, append(out, err.Error())
	}
	if schema == nil {
		return other, out
	}
	return other, append(out, problems(schema.Validate(body))...)
}

// hasVariable reports whether the path of a case has a variable: the response then depends on data.
func hasVariable(c rest.Case) bool {
	row, _, ok := c.Row()
	return ok && strings.Contains(row.Path, "{")
}

// Body returns the schema of a response to a case; nil for paths and methods outside the contract.
func (k *Contract) Body(c rest.Case, status int) (*jsonschema.Schema, error) {
	row, _, ok := c.Row()
	if !ok || c.Method != row.Method && c.Method != http.MethodHead && status != http.StatusMethodNotAllowed {
		return nil, nil
	}
	_, at := k.Follow("paths", row.Path, strings.ToLower(row.Method), "responses", strconv.Itoa(status), "content",
		"application/json", "schema")
	if at == nil {
		return nil, fmt.Errorf("status %d is not documented for %s", status, row.Path)
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	where := documentName + "#"
	for _, step := range at {
		where += "/" + escape.Replace(step)
	}
	return k.compiler.MustCompile(where), nil
}

// Follow resolves a path in the document, following references. It also returns the path without references.
func (k *Contract) Follow(steps ...string) (found map[string]any, at []string) {
	found = k.doc
	for _, step := range steps {
		next, ok := found[step].(map[string]any)
		if !ok {
			return nil, nil
		}
		at = append(at, step)
		if to, ok := next["$ref"].(string); ok && len(next) == 1 {
			next, at = k.Follow(strings.Split(to, "/")[1:]...)
		}
		found = next
	}
	return found, at
}

// problems lists the innermost validation errors, each with its location.
func problems(err error) (out []string) {
	failed := new(jsonschema.ValidationError)
	if !errors.As(err, &failed) {
		return nil
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
