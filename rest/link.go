package rest

import (
	"net/http"
	"strings"
)

// ExplainPrefix stands before a documented path where that path is explained.
const ExplainPrefix = "/explain"

// DocumentPath is where the surface is described as an OpenAPI document. It is no row.
const DocumentPath = Prefix + "/openapi.json"

// linkHeader leads to the explanation of an answer.
const linkHeader = "Link"

// describedBy leads a caller who asked an unknown path to the known ones (RFC 8631).
var describedBy = []string{"<" + DocumentPath + `>; rel="service-desc"; type="application/json"`}

const (
	linkBegins = "<" + ExplainPrefix
	linkEnds   = `>; rel="alternate"`
)

// linkTo is the value of Link of a row whose path has no variables, nil for others.
func linkTo(row Row) []string {
	if strings.Contains(row.Path, "{") {
		return nil
	}
	return []string{linkBegins + Prefix + row.Path + linkEnds}
}

// linkOf is the value of Link that leads to the explanation of a request. known is what linkTo
// gave.
func linkOf(r *http.Request, known []string) []string {
	query := r.URL.RawQuery
	switch {
	case known != nil && query == "":
		return known
	case query == "" || !inQuery(query):
		return []string{linkBegins + r.URL.EscapedPath() + linkEnds}
	}
	return []string{linkBegins + r.URL.EscapedPath() + "?" + query + linkEnds}
}

// queryBytes are those that can stand in the query of an address as they are (RFC 3986 §3.4).
var queryBytes = func() (out [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?%") {
		out[c] = true
	}
	return out
}()

// inQuery tells whether a text can stand in the query of an address: one that cannot is left out
// of the link.
func inQuery(text string) bool {
	for i := range len(text) {
		if !queryBytes[text[i]] {
			return false
		}
	}
	return true
}
