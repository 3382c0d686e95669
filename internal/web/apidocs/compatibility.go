package apidocs

import (
	"net/http"

	"gamedata/rest"
)

// compatibilityID is the id of the conformance cases, on the page of an endpoint and on the overview.
const compatibilityID = "compatibility"

// conformanceCase is one conformance case. Link is its request if a browser can send it.
type conformanceCase struct {
	rest.Case
	Link string
}

// conformanceCases returns the cases by the paths of their endpoints; the key of undocumented paths is empty.
func conformanceCases() map[string][]conformanceCase {
	out := map[string][]conformanceCase{}
	for _, c := range rest.Cases() {
		listed, path := conformanceCase{Case: c}, ""
		if c.Method == http.MethodGet && len(c.Header) == 0 {
			listed.Link = c.Target
		}
		if row, _, ok := c.Row(); ok {
			path = rest.Prefix + row.Path
		}
		out[path] = append(out[path], listed)
	}
	return out
}
