package httpapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// responseWriter adds the mandatory headers and counts the bytes sent.
type responseWriter struct {
	http.ResponseWriter
	state *requestState
}

// WriteHeader adds the headers that the handler did not set: "do not cache", the state of the bucket SHARED, and the
// headers of HTML pages.
func (w *responseWriter) WriteHeader(status int) {
	s := w.state
	if s.info.Status != 0 {
		return
	}
	if status >= 200 || status == http.StatusSwitchingProtocols {
		s.info.Status = status
		h := w.Header()
		if len(h["Cache-Control"]) == 0 {
			s.setFreshness(h, s.api.o.Now(), noStore, 0, nil)
		}
		if s.deleteSession {
			s.setDeletedSession(h)
		}
		if s.info.Bucket == "" {
			s.setRateHeaders(h, s.api.Limits.peek(s.info.Viewer, Shared))
		}
		if kind := h["Content-Type"]; len(kind) == 1 && strings.HasPrefix(kind[0], "text/html") {
			SetHTMLHeaders(h)
		}
		if s.info.Request.Header.Get(serverTiming) == "?1" {
			s.setServerTiming(h)
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *responseWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	n, err := w.ResponseWriter.Write(b)
	w.state.info.Bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// serverTiming is a header for a browser's developer tools: it shows total and store time in milliseconds, and the
// cache result. The store's commands may run concurrently, so their sum can exceed the total.
const serverTiming = "Server-Timing"

func (s *requestState) setServerTiming(h http.Header) {
	text := "total;dur=" + millis(s.api.o.Now().Sub(s.info.Start))
	if s.info.Cache != "" {
		text += ", cache;desc=" + s.info.Cache
	}
	if s.info.Store > 0 {
		text += ", store;dur=" + millis(s.info.Store)
	}
	h[serverTiming] = []string{text}
}

// millis formats a duration in milliseconds, rounded to 10 µs.
func millis(d time.Duration) string {
	rounded := max(0, d).Round(10 * time.Microsecond)
	return strconv.FormatFloat(float64(rounded)/float64(time.Millisecond), 'f', -1, 64)
}

// headerValues stores header values inside of requestState: http.Header needs a slice for each value, and these slices
// cost no extra allocation: 16 fewer for a cached response (BenchmarkCached).
type headerValues struct {
	values [12]string
	used   int
}

// set sets a header. The name is not canonicalised: some documented spellings, such as ETag, differ.
func (v *headerValues) set(h http.Header, name, value string) {
	if v.used == len(v.values) {
		h[name] = []string{value}
		return
	}
	i := v.used
	v.used++
	v.values[i] = value
	h[name] = v.values[i : i+1 : i+1]
}

// setHeaders sets headers from name, value, name, value…
func (s *requestState) setHeaders(h http.Header, pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		s.values.set(h, pairs[i], pairs[i+1])
	}
}
