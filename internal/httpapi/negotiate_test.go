package httpapi_test

import (
	"net/http"
	"testing"

	"gamedata/internal/httpapi"
	"gamedata/internal/tabular"
)

// Browsers name text/html; programs do not, or prefer JSON.
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

// A table must be named, and preferred to JSON.
func TestTableFormat(t *testing.T) {
	for accept, want := range map[string]tabular.Format{
		"": tabular.None, "*/*": tabular.None, "text/*": tabular.None, "application/json": tabular.None,
		"text/html, */*;q=0.8": tabular.None, "text/csv;q=0": tabular.None,
		"text/csv;q=x": tabular.None, "text/csvx": tabular.None,
		"text/csv": tabular.CSV, "TEXT/CSV; charset=utf-8": tabular.CSV, "text/csv, */*": tabular.CSV,
		"text/csv;q=0.5, */*;q=0.1":                tabular.CSV,
		"text/csv;q=0.9, */*":                      tabular.None,
		"application/json, text/csv":               tabular.None,
		"text/csv, application/json":               tabular.None,
		"application/json;q=0.5, text/csv":         tabular.CSV,
		"text/csv;q=0.5,application/json;q=0.4":    tabular.CSV,
		"application/x-ndjson":                     tabular.NDJSON,
		"application/x-ndjson, text/csv":           tabular.NDJSON,
		"application/x-ndjson;q=0.5, text/csv":     tabular.CSV,
		"text/csv;q=0.9, application/*":            tabular.None,
		"text/csv;q=0.9, application/*;q=0.2, */*": tabular.CSV,
	} {
		if got := httpapi.TableFormat(http.Header{"Accept": {accept}}); got != want {
			t.Errorf("%q: got %v, want %v", accept, got, want)
		}
	}
	if httpapi.TableFormat(http.Header{}) != tabular.None ||
		httpapi.TableFormat(http.Header{"Accept": {"text/html", "text/csv"}}) != tabular.CSV {
		t.Error("the lines of the header are not read together")
	}
}
