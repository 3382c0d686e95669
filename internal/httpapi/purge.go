package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"

	"gamedata/graph"
)

// maxPurge is how many tags one request may name.
const maxPurge = 1000

// tagForm is a tag that something may be kept under: all of it, all of a kind, or one name.
var tagForm = regexp.MustCompile(`^(\*|(player|guild):(\*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|(content|field):(\*|[A-Za-z]{1,64}))$`)

// IsTag reports whether a text is a tag: player:<uuid>, guild:<uuid>, content:<family>,
// field:<root field>, each of them with * for all names, or * alone for everything.
func IsTag(s string) bool { return tagForm.MatchString(s) }

// Purge answers POST with {"tags": [...]}: what is kept under one of them is not served any
// more, nor is it when the store fails. The answer is {"purged": [...]}, or an error in the body
// of WIRE §2.1. It asks for no credential, so it belongs on a listener of operators.
func Purge(purge func(context.Context, ...string) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tags, problem := readTags(w, r)
		if problem == nil && purge(r.Context(), tags...) != nil {
			problem = graph.Errorf(graph.ServiceUnavailable, "It is purged here; the other instances could not be told.")
		}
		status, body := http.StatusOK, any(map[string][]string{"purged": tags})
		if problem != nil {
			var name string
			status, name = Status(problem.Code)
			body = errorBody{Error: name, Detail: problem.Detail, Code: status}
		}
		setAll(w, "Content-Type", "application/json", "Cache-Control", noStore)
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body) // an error means that the client has left
	})
}

func readTags(w http.ResponseWriter, r *http.Request) ([]string, *graph.Error) {
	body, problem := ReadJSON(w, r, 0)
	if problem != nil {
		return nil, problem
	}
	var asked struct{ Tags []string }
	if len(body) == 0 || json.Unmarshal(body, &asked) != nil || len(asked.Tags) == 0 || len(asked.Tags) > maxPurge {
		return nil, graph.Errorf(graph.MalformedPayload, `Send {"tags": [...]} with 1 to %d tags.`, maxPurge)
	}
	for _, tag := range asked.Tags {
		if !IsTag(tag) {
			return nil, graph.Errorf(graph.MalformedPayload,
				"A tag is player:<uuid>, guild:<uuid>, content:<family> or field:<name>, with * for all names, or * for everything.")
		}
	}
	return asked.Tags, nil
}
