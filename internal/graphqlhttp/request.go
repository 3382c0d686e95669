package graphqlhttp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

type request struct {
	query         string
	operationName string
	variables     map[string]any // numbers are json.Number, which keeps 64 bits exact
	hash          string         // of a persisted query; empty without one
}

var (
	errNoQuery   = graph.Errorf(graph.MalformedPayload, "query is missing.")
	errBatch     = graph.Errorf(graph.MalformedPayload, "Send one operation, not a list of them.")
	errQuery     = graph.Errorf(graph.MalformedPayload, "query must be a string.")
	errOperation = graph.Errorf(graph.MalformedPayload, "operationName must be a string.")
	errVariables = graph.Errorf(graph.MalformedPayload, "variables must be an object.")
	errExtension = graph.Errorf(graph.MalformedPayload, "extensions must be an object.")
	errURL       = graph.Errorf(graph.InvalidQueryParams, "The query string is malformed.")
	errRepeated  = graph.Errorf(graph.InvalidQueryParams, "A parameter was sent twice.")
	errFormat    = graph.Errorf(graph.InvalidQueryParams, "format must be csv, ndjson or json.")
)

// formats maps values of the query parameter `format` to media types.
var formats = map[string]string{"csv": "text/csv", "ndjson": "application/x-ndjson", "json": "application/json"}

// applyFormat replaces Accept with the media type of the query parameter `format`. Links and spreadsheets need it to
// choose CSV, because they cannot set headers.
func applyFormat(r *http.Request) *graph.Error {
	if !strings.Contains(r.URL.RawQuery, "format=") {
		return nil
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	given := values["format"]
	switch {
	case err != nil:
		return errURL
	case len(given) == 0:
		return nil
	case len(given) > 1:
		return errRepeated
	}
	mediaType, ok := formats[given[0]]
	if !ok {
		return errFormat
	}
	r.Header.Set("Accept", mediaType)
	return nil
}

// readRequest reads query, operationName, variables and extensions from the body of a POST, or from the
// URL of a GET or HEAD. Other members are ignored.
func readRequest(r *http.Request, body []byte) (request, *graph.Error) {
	var members map[string]json.RawMessage
	var err *graph.Error
	if r.Method == http.MethodPost {
		members, err = membersOfBody(body)
	} else {
		members, err = membersOfURL(r.URL)
	}
	if err != nil {
		return request{}, err
	}
	var req request
	switch {
	case !decode(members["operationName"], &req.operationName):
		return request{}, errOperation
	case !decode(members["variables"], &req.variables):
		return request{}, errVariables
	case !decode(members["extensions"], new(map[string]any)):
		return request{}, errExtension
	case !decode(members["query"], &req.query):
		return request{}, errQuery
	}
	req.hash, err = parsePersisted(members["extensions"])
	if err == nil && req.query == "" && req.hash == "" {
		err = errNoQuery
	}
	return req, err
}

func membersOfBody(body []byte) (map[string]json.RawMessage, *graph.Error) {
	if !isJSON(body) {
		return nil, graph.ErrMalformedPayload
	}
	if bytes.TrimSpace(body)[0] == '[' {
		return nil, errBatch
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || members == nil {
		return nil, graph.ErrMalformedPayload
	}
	return members, nil
}

// membersOfURL returns query parameters as members of a body: strings quoted, JSON unchanged.
func membersOfURL(u *url.URL) (map[string]json.RawMessage, *graph.Error) {
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errURL
	}
	members := map[string]json.RawMessage{}
	for _, name := range []string{"query", "operationName", "variables", "extensions"} {
		given := values[name]
		switch {
		case len(given) == 0 || len(given) == 1 && given[0] == "":
			continue
		case len(given) > 1:
			return nil, errRepeated
		case !utf8.ValidString(given[0]):
			return nil, errURL
		}
		text := []byte(given[0])
		if name == "query" || name == "operationName" {
			text, err = json.Marshal(given[0])
			if err != nil {
				return nil, errURL
			}
		} else if !isJSON(text) {
			return nil, errURL
		}
		members[name] = text
	}
	return members, nil
}

// isJSON reports whether text is one JSON value without duplicate members, which two parsers could read differently.
func isJSON(text []byte) bool {
	return httpapi.IsJSON(text) && jsontext.Value(text).IsValid(jsontext.AllowInvalidUTF8(true)) // for lone surrogates
}

// decode reads a member that may be missing or null; numbers become json.Number.
func decode(text json.RawMessage, into any) bool {
	if len(text) == 0 {
		return true
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into) == nil
}
