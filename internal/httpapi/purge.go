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

// tagForm matches a tag: everything, every tag of a kind, or one name.
var tagForm = regexp.MustCompile(`^(\*|` +
	`(player|guild):(\*|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})|` +
	`(content|field):(\*|[A-Za-z]{1,64}))$`)

// Purge handles POST with {"tags": [...]}: it removes cached responses and records with these tags, so not even stale
// ones are served. The response is {"purged": [...]} or an error. It requires no credential: serve it only on the
// listener for operators.
func Purge(purge func(context.Context, ...string) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tags, problem := readTags(w, r)
		if problem == nil && purge(context.WithoutCancel(r.Context()), tags...) != nil {
			problem = graph.Errorf(graph.ServiceUnavailable, "Purged on this instance; the others could not be notified.")
		}
		status, body := http.StatusOK, any(map[string][]string{"purged": tags})
		if problem != nil {
			var name string
			status, name = Status(problem.Code)
			body = errorBody{Error: name, Detail: problem.Detail, Code: status}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", noStore)
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body) // an error means that the client disconnected
	})
}

func readTags(w http.ResponseWriter, r *http.Request) ([]string, *graph.Error) {
	body, problem := ReadJSON(w, r, 0)
	if problem != nil {
		return nil, problem
	}
	var request struct{ Tags []string }
	if len(body) == 0 || json.Unmarshal(body, &request) != nil || len(request.Tags) == 0 || len(request.Tags) > maxPurge {
		return nil, graph.Errorf(graph.MalformedPayload, `Send {"tags": [...]} with 1 to %d tags.`, maxPurge)
	}
	for _, tag := range request.Tags {
		if !tagForm.MatchString(tag) {
			return nil, graph.Errorf(graph.MalformedPayload,
				"A tag is player:<uuid>, guild:<uuid>, content:<family> or field:<name>, "+
					"with * for all names, or * for everything.")
		}
	}
	return request.Tags, nil
}
