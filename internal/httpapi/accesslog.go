package httpapi

import (
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"
)

// LogOptions say what an access log tells.
type LogOptions struct {
	// Every tells of one in so many requests; 1 of each, 0 of none. What failed here (5xx) or
	// took longer than Slow is told of each time when it is not 0.
	Every int
	// Slow is what counts as slow; a second when 0.
	Slow time.Duration
	// Addresses tells the address of whoever asks. It is personal data in many places.
	Addresses bool
}

// AccessLog returns what is to be told of requests, for Options.Observe; nil when the log tells
// of none, so that nothing is collected for it. A line has no query, no credential and nothing of
// a path but its pattern: all of them can hold what is nobody else's business.
func AccessLog(log *slog.Logger, o LogOptions) func(Observed) {
	if o.Every <= 0 {
		return nil
	}
	if o.Slow <= 0 {
		o.Slow = time.Second
	}
	var seen atomic.Uint64
	return func(r Observed) {
		ctx := r.Request.Context()
		n := seen.Add(1)
		if n%uint64(o.Every) != 0 && r.Status < 500 && r.Took < o.Slow || !log.Enabled(ctx, slog.LevelInfo) {
			return
		}
		attrs := make([]slog.Attr, 0, 13)
		attrs = append(attrs,
			slog.String("method", method(r.Request.Method)),
			slog.String("path", r.Path),
			slog.String("operation", r.Operation[:min(len(r.Operation), longest)]),
			slog.Int("status", r.Status),
			slog.Int64("bytes", r.Bytes),
			slog.Float64("ms", milliseconds(r.Took)),
			slog.Float64("store_ms", milliseconds(r.Store)),
			slog.String("viewer", string(r.Viewer.Kind)),
			slog.String("cache", r.Cache),
			slog.Int("cost", r.Cost),
			slog.String("bucket", r.Bucket),
		)
		if id := requestID(r.Request); id != "" {
			attrs = append(attrs, slog.String("request_id", id))
		}
		if o.Addresses {
			attrs = append(attrs, slog.String("address", r.Viewer.Address.String()))
		}
		log.LogAttrs(ctx, slog.LevelInfo, "request", attrs...)
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// method is a method as a line tells it: callers may make up others.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodTrace, http.MethodConnect:
		return m
	}
	return "other"
}

// longest bounds a request id, and the name of an operation in a line.
const longest = 64

// requestID is the id that a proxy or a caller gave the request in X-Request-Id; empty when there
// is none, or one that is not plain.
func requestID(r *http.Request) string {
	ids := r.Header["X-Request-Id"]
	if len(ids) != 1 || len(ids[0]) > longest {
		return ""
	}
	for _, c := range []byte(ids[0]) {
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '_', c == '.':
		default:
			return ""
		}
	}
	return ids[0]
}
