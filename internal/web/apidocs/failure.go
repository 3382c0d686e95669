package apidocs

import (
	"slices"
	"strconv"
	"strings"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/rest"
	"gamedata/rest/openapi"
)

type failure struct {
	Status int        `json:"status"`
	Error  string     `json:"error"`
	Code   graph.Code `json:"code"`
	Detail string     `json:"detail"`
}

// endpointErrors returns the errors specific to an endpoint.
func endpointErrors(row rest.Row, op *rest.Operation, described openapi.Object) []failure {
	if op == nil { // the token exchange uses the errors of RFC 6749
		return responseErrors(described)
	}
	shared := failures(rest.Row{}.PossibleErrors(nil))
	return slices.DeleteFunc(failures(row.PossibleErrors(op)), func(f failure) bool { return slices.Contains(shared, f) })
}

// responseErrors returns the errors that the OpenAPI document describes in full.
func responseErrors(described openapi.Object) (out []failure) {
	for name, response := range described.Object("responses").All() {
		status, err := strconv.Atoi(name)
		if err != nil || status < 300 {
			continue
		}
		narrow := response.Object("content", "application/json", "schema", "properties", "error")
		out = append(out, failure{
			Status: status, Error: strings.Join(narrow.Texts("enum"), ", "), Detail: response.Text("description"),
		})
	}
	return out
}

// failures describes errors by status and name, without duplicates.
func failures(list []*graph.Error) []failure {
	var out []failure
	for _, err := range list {
		status, name := httpapi.Status(err.Code)
		if f := (failure{status, name, err.Code, err.Detail}); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}
