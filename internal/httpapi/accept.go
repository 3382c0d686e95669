package httpapi

import (
	"net/http"
	"strings"

	"gamedata/internal/tabular"
)

// PrefersHTML reads Accept: a page for those who name text/html and like JSON no better.
func PrefersHTML(h http.Header) bool {
	html, json := 0.0, 0.0
	for part := range strings.SplitSeq(strings.Join(h["Accept"], ","), ",") {
		kind, parameters, _ := strings.Cut(part, ";")
		weight, ok := tabular.Weight(parameters)
		if !ok {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case "text/html":
			html = weight
		case "application/json":
			json = weight
		}
	}
	return html > 0 && html >= json
}
