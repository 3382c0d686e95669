package httpapi

import (
	"log/slog"
	"net/http"
	"regexp"
	"sync/atomic"
	"time"
)

// LogOptions configure an access log.
type LogOptions struct {
	// Every logs one in Every requests: 1 logs all, 0 none. Unless it is 0, failed (5xx) and slow requests (over a
	// second) are always logged.
	Every int
	// Addresses includes client addresses, which are personal data in many places.
	Addresses bool
}

// AccessLog returns a request logger for Options.OnDone, or nil if Every is 0. A line shows the route instead of the
// path, no query string and no credential: these can hold private data.
func AccessLog(log *slog.Logger, o LogOptions) func(*RequestInfo) {
	if o.Every <= 0 {
		return nil
	}
	var seen atomic.Uint64
	return func(r *RequestInfo) {
		ctx := r.Request.Context()
		n := seen.Add(1)
		slow := r.Duration >= time.Second && !r.Stream
		if n%uint64(o.Every) != 0 && r.Status < 500 && !slow || !log.Enabled(ctx, slog.LevelInfo) {
			return
		}
		line := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0) // log.LogAttrs would look up its caller
		line.AddAttrs(
			slog.String("method", knownMethod(r.Request.Method)),
			slog.String("path", r.Path),
			slog.String("operation", r.Operation[:min(len(r.Operation), maxLogged)]),
			slog.Int("status", r.Status),
			slog.Int64("bytes", r.Bytes),
			slog.Float64("ms", milliseconds(r.Duration)),
			slog.Float64("store_ms", milliseconds(r.Store)),
			slog.String("viewer", string(r.Viewer.Kind)),
			slog.String("cache", r.Cache),
			slog.Int("cost", r.Cost),
			slog.String("bucket", r.Bucket),
		)
		if r.ID != "" {
			line.AddAttrs(slog.String("request_id", r.ID))
		}
		if o.Addresses {
			line.AddAttrs(slog.String("address", r.Viewer.Address.String()))
		}
		_ = log.Handler().Handle(ctx, line) // nowhere to report an error
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// knownMethod returns "other" for non-standard methods.
func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodTrace, http.MethodConnect:
		return m
	}
	return "other"
}

// maxLogged bounds the name of an operation in a line.
const maxLogged = 64

var requestIDForm = regexp.MustCompile(`^[0-9A-Za-z._-]{1,64}$`)

// requestID returns the X-Request-Id that a proxy or the caller sent; empty if missing or invalid.
func requestID(r *http.Request) string {
	if ids := r.Header["X-Request-Id"]; len(ids) == 1 && requestIDForm.MatchString(ids[0]) {
		return ids[0]
	}
	return ""
}
