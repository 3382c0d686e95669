package rest

import (
	"net/http"
	"strings"
)

// ExplainPrefix precedes a REST path in the path of its explanation.
const ExplainPrefix = "/explain"

// DocumentPath is the path of the OpenAPI document.
const DocumentPath = Prefix + "/openapi.json"

// linkHeader links a response to its explanation.
const linkHeader = "Link"

// describedBy links from an unknown path to the OpenAPI document (RFC 8631).
var describedBy = []string{"<" + DocumentPath + `>; rel="service-desc"; type="application/json"`}

// linkOf links a request to its explanation. A query that cannot be copied into a URL is omitted.
func linkOf(r *http.Request) []string {
	target := ExplainPrefix + r.URL.EscapedPath()
	if query := r.URL.RawQuery; query != "" && validQuery(query) {
		target += "?" + query
	}
	return []string{"<" + target + `>; rel="alternate"`}
}

// validQuery reports whether no byte of a query needs escaping (RFC 3986, section 3.4).
func validQuery(query string) bool {
	return strings.Trim(query, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?%") == ""
}
