package httpapi

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// ServeContent is http.ServeContent, but it ignores a range in a unit other than bytes (RFC 9110, section 14.2), and an
// unsatisfiable range gets a documented error body.
func ServeContent(w http.ResponseWriter, r *http.Request, modified time.Time, content io.ReadSeeker) {
	if sent := r.Header.Get("Range"); sent != "" && !strings.HasPrefix(sent, "bytes=") {
		r = r.Clone(r.Context())
		r.Header.Del("Range")
	}
	http.ServeContent(&contentWriter{ResponseWriter: w}, r, "", modified, content)
}

// contentWriter replaces the text of a 416.
type contentWriter struct {
	http.ResponseWriter
	failed bool
}

// WriteHeader implements http.ResponseWriter.
func (w *contentWriter) WriteHeader(status int) {
	w.failed = status == http.StatusRequestedRangeNotSatisfiable
	if w.failed {
		w.Header().Set("Content-Type", "application/json")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. The text of an error is one call.
func (w *contentWriter) Write(b []byte) (int, error) {
	if w.failed {
		b = errorBody{
			Error: "RangeNotSatisfiable", Detail: "The range is malformed, or begins beyond the end of the content.", Code: 416,
		}.encode()
	}
	return w.ResponseWriter.Write(b)
}
