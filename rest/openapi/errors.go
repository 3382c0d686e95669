package openapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/rest"
)

// errorStatus is an error status of an endpoint with its errors.
type errorStatus struct {
	status int
	errors []*graph.Error
}

func groupByStatus(errors []*graph.Error) []errorStatus {
	var out []errorStatus
	for _, e := range errors {
		status, _ := httpapi.Status(e.Code)
		i := slices.IndexFunc(out, func(s errorStatus) bool { return s.status == status })
		if i < 0 {
			i, out = len(out), append(out, errorStatus{status: status})
		}
		if !slices.ContainsFunc(out[i].errors, func(have *graph.Error) bool {
			return have.Code == e.Code && have.Detail == e.Detail
		}) {
			out[i].errors = append(out[i].errors, e)
		}
	}
	slices.SortFunc(out, func(a, b errorStatus) int { return a.status - b.status })
	return out
}

func (s errorStatus) names() []string {
	var out []string
	for _, e := range s.errors {
		if _, name := httpapi.Status(e.Code); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// response describes the status. candidates is the schema of the objects of a 300.
func (s errorStatus) response(candidates object, example any) object {
	var lines []string
	for _, e := range s.errors {
		_, name := httpapi.Status(e.Code)
		lines = append(lines, "- `"+name+"`: "+e.Detail)
	}
	schema := ref("schemas", "Error")
	if s.status == http.StatusMultipleChoices {
		schema = ref("schemas", "MultipleObjects")
	}
	narrow := object{{"error", object{{"enum", s.names()}}}, {"code", object{{"const", s.status}}}}
	if candidates != nil {
		narrow = append(narrow, member{"objects", object{{"additionalProperties", candidates}}})
	}
	if example == nil {
		example = object{{"error", s.names()[0]}, {"detail", s.errors[0].Detail}, {"code", s.status}}
	}
	return object{
		{"description", strings.Join(lines, "\n")},
		{"headers", refs(always, s.headers())},
		{"content", jsonContent(append(schema, member{"properties", narrow}), object{{"example", example}})},
	}
}

func (s errorStatus) headers() []string {
	switch s.status {
	case http.StatusMethodNotAllowed:
		return []string{"Allow"}
	case http.StatusUnauthorized:
		return []string{"WWW-Authenticate"}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return []string{"Retry-After"}
	}
	return nil
}

func jsonContent(schema, more object) object {
	return object{{"application/json", append(object{{"schema", schema}}, more...)}}
}

// tableContent describes the list of a body as CSV and NDJSON.
func tableContent() object {
	const sent = " Sent when Accept prefers it."
	csv := text("The entries as a table (RFC 4180) with a header row." + sent)
	ndjson := text("The entries, one JSON object per line." + sent)
	return object{{"text/csv", object{{"schema", csv}}}, {"application/x-ndjson", object{{"schema", ndjson}}}}
}

// commonResponses returns the responses that all endpoints share, and their names by status.
func commonResponses() (responses object, names map[int]string) {
	names = map[int]string{}
	for _, s := range groupByStatus(rest.Row{}.PossibleErrors(nil)) {
		names[s.status] = s.names()[0]
		responses = append(responses, member{s.names()[0], s.response(nil, nil)})
	}
	return responses, names
}

// common reports whether every endpoint shares all errors of the status.
func (s errorStatus) common() bool {
	for _, shared := range groupByStatus(rest.Row{}.PossibleErrors(nil)) {
		if shared.status == s.status {
			return len(shared.errors) == len(s.errors)
		}
	}
	return false
}

func status(code int) string { return strconv.Itoa(code) }
