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

const (
	linkStart = "<" + ExplainPrefix
	linkEnd   = `>; rel="alternate"`
)

// fixedLink is the Link header of a row whose path has no variables, nil for others.
func fixedLink(row Row) []string {
	if strings.Contains(row.Path, "{") {
		return nil
	}
	return []string{linkStart + Prefix + row.Path + linkEnd}
}

// linkOf is the Link header of a request. fixed is the fixedLink of its row.
func linkOf(r *http.Request, fixed []string) []string {
	query := r.URL.RawQuery
	switch {
	case fixed != nil && query == "":
		return fixed
	case query == "" || !validQuery(query):
		return []string{linkStart + r.URL.EscapedPath() + linkEnd}
	}
	return []string{linkStart + r.URL.EscapedPath() + "?" + query + linkEnd}
}

// queryBytes are the bytes that a query can contain unescaped (RFC 3986 §3.4).
var queryBytes = func() (out [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?%") {
		out[c] = true
	}
	return out
}()

// validQuery reports whether a query can be copied into a URL; an invalid one is omitted.
func validQuery(query string) bool {
	for i := range len(query) {
		if !queryBytes[query[i]] {
			return false
		}
	}
	return true
}
