package apidocs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/rest"
)

type failure struct {
	Status int        `json:"status"`
	Error  string     `json:"error"`
	Code   graph.Code `json:"code"`
	Detail string     `json:"detail"`
}

// endpointErrors returns the errors specific to an endpoint.
func endpointErrors(row rest.Row, op *rest.Operation, described *specOperation) []failure {
	if op == nil { // the token exchange uses the errors of RFC 6749
		return responseErrors(described)
	}
	shared := failures(rest.Row{}.PossibleErrors(nil))
	return slices.DeleteFunc(failures(row.PossibleErrors(op)), func(f failure) bool { return slices.Contains(shared, f) })
}

// responseErrors returns the errors that the OpenAPI document describes in full.
func responseErrors(described *specOperation) []failure {
	var out []failure
	for _, m := range described.Responses {
		status, err := strconv.Atoi(m.Name)
		if err != nil || status < 300 {
			continue
		}
		var names []string
		if content := m.Value.Content; len(content) > 0 && content[0].Value.Schema != nil {
			if narrow := content[0].Value.Schema.Properties.get("error"); narrow != nil {
				for _, v := range narrow.Enum {
					names = append(names, fmt.Sprint(v))
				}
			}
		}
		out = append(out, failure{Status: status, Error: strings.Join(names, ", "), Detail: m.Value.Description})
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
