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

// refusal is what one status says of an endpoint: the errors that it stands for.
type refusal struct {
	status int
	errors []*graph.Error
}

// refusals are those of a row by status.
func refusals(errors []*graph.Error) []refusal {
	var out []refusal
	for _, e := range errors {
		status, _ := httpapi.Status(e.Code)
		i := slices.IndexFunc(out, func(r refusal) bool { return r.status == status })
		if i < 0 {
			i, out = len(out), append(out, refusal{status: status})
		}
		if !slices.ContainsFunc(out[i].errors, func(have *graph.Error) bool {
			return have.Code == e.Code &&
				have.Detail == e.Detail
		}) {
			out[i].errors = append(out[i].errors, e)
		}
	}
	slices.SortFunc(out, func(a, b refusal) int { return a.status - b.status })
	return out
}

// names are those of the errors, each once.
func (r refusal) names() []string {
	var out []string
	for _, e := range r.errors {
		if _, name := httpapi.Status(e.Code); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// response describes the status. candidates is the schema of what a 300 lists.
func (r refusal) response(candidates object, example any) object {
	var lines []string
	for _, e := range r.errors {
		_, name := httpapi.Status(e.Code)
		lines = append(lines, "- `"+name+"`: "+e.Detail)
	}
	schema := ref("schemas", "Error")
	if r.status == http.StatusMultipleChoices {
		schema = ref("schemas", "Several")
	}
	narrow := object{{"error", object{{"enum", r.names()}}}, {"code", object{{"const", r.status}}}}
	if candidates != nil {
		narrow = append(narrow, member{"objects", object{{"additionalProperties", candidates}}})
	}
	if example == nil {
		example = object{{"error", r.names()[0]}, {"detail", r.errors[0].Detail}, {"code", r.status}}
	}
	return object{
		{"description", strings.Join(lines, "\n")},
		{"headers", refs(always, r.headers())},
		{"content", jsonContent(append(schema, member{"properties", narrow}), object{{"example", example}})},
	}
}

// headers are those of the status alone.
func (r refusal) headers() []header {
	switch r.status {
	case http.StatusUnauthorized:
		return []header{allow, authenticate}
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return []header{allow, retryAfter}
	}
	return []header{allow}
}

// jsonContent is a body of a schema.
func jsonContent(schema, more object) object {
	return object{{"application/json", append(object{{"schema", schema}}, more...)}}
}

// tableContent is the list of a body in the types that spreadsheets and streams read.
func tableContent() object {
	rows := func(words string) object {
		return object{{"schema", object{{"type", "string"}, {"description", words}}}}
	}
	return object{
		{"text/csv", rows("The entries as a table (RFC 4180), the names of the columns first. Sent when Accept prefers it.")},
		{"application/x-ndjson", rows("The entries, each as a JSON object on a line of its own. Sent when Accept prefers it.")},
	}
}

// common are the responses that are the same for every endpoint, by status, and their names.
func common() (responses object, names map[int]string) {
	names = map[int]string{}
	for _, r := range refusals(rest.Row{}.PossibleErrors(nil)) {
		names[r.status] = r.names()[0]
		responses = append(responses, member{r.names()[0], r.response(nil, nil)})
	}
	return responses, names
}

// same tells whether a row says no more of a status than every endpoint does.
func (r refusal) same() bool {
	for _, shared := range refusals(rest.Row{}.PossibleErrors(nil)) {
		if shared.status == r.status {
			return len(shared.errors) == len(r.errors)
		}
	}
	return false
}

// errorSchemas are the bodies of errors (WIRE §2.1, §2.3).
func errorSchemas() components {
	text := object{{"type", "string"}}
	body := object{
		{"error", object{{"type", "string"}, {"description", "Name of the error."}}},
		{"detail", object{{"type", "string"}, {"description", "One sentence for people; it never repeats what was sent."}}},
		{"code", object{{"type", "integer"}, {"description", "The status."}}},
	}
	identity := object{{"uuid", object{{"type", "string"}, {"format", "uuid"}, {"pattern", uuidPattern}}}}
	nullable := object{{"type", []string{"string", "null"}}}
	colours := object{
		{"type", []string{"object", "null"}},
		{"properties", object{{"main", text}, {"sub", text}}},
		{"required", []string{"main", "sub"}},
		{"additionalProperties", false},
	}
	out := components{}
	for name, schema := range map[string]object{
		"Error": closed("An error.", body),
		"Several": closed("A name that several objects have, with the candidates by uuid.", append(body, member{
			"objects",
			object{
				{"type", "object"},
				{"minProperties", 2},
				{"propertyNames", object{{"pattern", uuidPattern}}},
				{"additionalProperties", object{{"type", "object"}}},
			},
		})),
		"PlayerCandidate": closed("A player of a name that several have; presence and dates are never told.",
			append(object{{"username", text}},
				append(identity, object{{"rank", text}, {"supportRank", nullable}, {"shortenedRank", nullable}, {
					"legacyRankColour",
					colours,
				}, {"rankBadge", nullable}}...)...)),
		"GuildCandidate": closed("A guild of a prefix that several have.", append(identity, object{
			{"name", text},
			{"prefix", text},
		}...)),
		"OAuthError": closed("An error of RFC 6749, with the keys of other errors beside its own.", append(body,
			member{"error_description", object{{"type", "string"}, {"description", "The same text as detail."}}})),
	} {
		out[name] = component{schema: schema}
	}
	return out
}

// closed is an object that has these keys, all of them and no other.
func closed(about string, properties object) object {
	var names []string
	for _, p := range properties {
		names = append(names, p.name)
	}
	return object{
		{"type", "object"},
		{"description", about},
		{"properties", properties},
		{"required", names},
		{"additionalProperties", false},
	}
}

// status is how a status stands as a key.
func status(code int) string { return strconv.Itoa(code) }
