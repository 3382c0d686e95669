package httpapi_test

import (
	"net/http"
	"testing"

	"gamedata/internal/httpapi"
)

// People's browsers name text/html; programs do not, or like JSON better.
func TestPrefersHTML(t *testing.T) {
	for accept, want := range map[string]bool{
		"": false, "*/*": false, "application/json": false, "text/html": true, "Text/HTML;level=1; Q=0.5": true,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true,
		"text/html;q=0": false, "text/html;q=0.4, application/json;q=0.5": false, "text/html, application/json": true,
		"text/html;q=much": false, "text/html;q=2": false, "text/html;q=NaN": false,
	} {
		if got := httpapi.PrefersHTML(http.Header{"Accept": {accept}}); got != want {
			t.Errorf("%s: %t", accept, got)
		}
	}
}
