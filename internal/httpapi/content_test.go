package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gamedata/internal/httpapi"
)

// A range in an unknown unit is ignored; one that the content does not have is a documented error.
func TestServeContent(t *testing.T) {
	for sent, want := range map[string]struct {
		status int
		body   string
	}{
		"": {200, "0123456789"}, "items=0-1": {200, "0123456789"}, "bytes=0-1": {206, "01"}, "bytes=-2": {206, "89"},
		"bytes=10-": {416, `{"error":"RangeNotSatisfiable","detail":"`}, "bytes=x": {416, `{"error":"RangeNotSatisfiable"`},
	} {
		r := httptest.NewRequest(http.MethodGet, "/file", nil)
		if sent != "" {
			r.Header.Set("Range", sent)
		}
		w := httptest.NewRecorder()
		w.Header().Set("Content-Type", "text/plain")
		httpapi.ServeContent(w, r, time.Time{}, strings.NewReader("0123456789"))
		body := w.Body.String()
		if w.Code != want.status || !strings.HasPrefix(body, want.body) || strings.Count(body, "{") > 1 ||
			w.Code == 416 && w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%q: got %d %v %s", sent, w.Code, w.Header(), body)
		}
	}
}
