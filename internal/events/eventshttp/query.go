package eventshttp

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/events"
	"gamedata/internal/httpapi"
)

// maxSubjects limits the length of list parameters: each event is compared with every entry.
const maxSubjects = 100

// query holds the parameters of a request.
type query struct {
	types    []model.EventType
	subjects events.Subjects
	after    string
}

// parse reads the query string; the id that reconnecting clients send takes precedence over the parameter after.
// Unknown parameters are ignored: some clients add one to bypass caches.
func parse(r *http.Request) (q query, bad *graph.Error) {
	given, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return q, graph.Errorf(graph.InvalidQueryParams, "The query string is malformed.")
	}
	for name, values := range given {
		list := strings.Split(values[0], ",")
		ok := true
		switch name {
		case "types":
			q.types, ok = parseTypes(list)
			if !ok {
				return q, graph.Errorf(graph.InvalidQueryParams, "types must be some of %s.", typeNames())
			}
		case "players":
			q.subjects.Players, ok = parseUUIDs(list)
		case "guilds":
			q.subjects.Guilds, ok = parseUUIDs(list)
		case "territories":
			q.subjects.Territories = list
		case "worlds":
			q.subjects.Worlds = list
		case "after":
			q.after = values[0]
		default:
			continue
		}
		switch {
		case len(values) > 1:
			return q, graph.Errorf(graph.InvalidQueryParams, "Send %s once, its values separated by commas.", name)
		case len(list) > maxSubjects:
			return q, graph.Errorf(graph.InvalidQueryParams, "%s takes up to %d values.", name, maxSubjects)
		case !ok:
			return q, graph.Errorf(graph.InvalidQueryParams, "%s must be uuids.", name)
		}
	}
	if sent, bad := httpapi.LastEventID(r); bad != nil || sent != "" {
		return query{q.types, q.subjects, sent}, bad
	}
	return q, nil
}

func parseTypes(names []string) (types []model.EventType, ok bool) {
	for _, name := range names {
		kind, known := model.EventType(name).Kind()
		if !known || kind.Internal {
			return nil, false
		}
		types = append(types, kind.Type)
	}
	return types, true
}

// parseUUIDs reads uuids with or without dashes.
func parseUUIDs(texts []string) (uuids []string, ok bool) {
	for _, text := range texts {
		id, err := uuid.Parse(text)
		if err != nil {
			return nil, false
		}
		uuids = append(uuids, id.String())
	}
	return slices.Compact(uuids), true
}

func typeNames() string {
	var names []string
	for _, k := range model.EventKinds {
		if !k.Internal {
			names = append(names, string(k.Type))
		}
	}
	return strings.Join(names, ", ")
}
