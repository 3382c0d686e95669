package httpapi

import (
	"net/http"
	"testing"
	"time"

	"gamedata/internal/benchtest"
)

// BenchmarkHTTPDate compares the remembered date of a second with formatting it.
func BenchmarkHTTPDate(b *testing.B) {
	now := time.Now()
	b.Run("cached", func(b *testing.B) {
		b.ReportAllocs()
		var c httpDateCache
		for b.Loop() {
			c.format(now)
		}
	})
	b.Run("format", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = now.UTC().Format(http.TimeFormat)
		}
	})
}

// BenchmarkHeaderValues compares one array for all values with a slice for each value.
func BenchmarkHeaderValues(b *testing.B) {
	names := []string{"Date", "Cache-Control", "Expires", "Age", "ETag", "Cache-Status", "Content-Length"}
	h := http.Header{}
	b.Run("shared", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v := new(headerValues)
			for _, name := range names {
				v.set(h, name, "value")
			}
		}
	})
	b.Run("slices", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, name := range names {
				h[name] = []string{"value"}
			}
		}
	})
}

func TestInternalBenchmarks(t *testing.T) {
	benchtest.Run(t, BenchmarkHTTPDate, BenchmarkHeaderValues)
}
