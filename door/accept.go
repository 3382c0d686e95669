package door

import (
	"net/http"
	"strconv"
	"strings"
)

// PrefersHTML reads Accept: a page for those who name text/html and like JSON no better.
func PrefersHTML(h http.Header) bool {
	html, json := 0.0, 0.0
	for part := range strings.SplitSeq(strings.Join(h["Accept"], ","), ",") {
		kind, parameters, _ := strings.Cut(part, ";")
		weight := 1.0
		for p := range strings.SplitSeq(parameters, ";") {
			if value, ok := strings.CutPrefix(strings.TrimSpace(p), "q="); ok {
				if q, err := strconv.ParseFloat(value, 64); err == nil {
					weight = q
				}
			}
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
