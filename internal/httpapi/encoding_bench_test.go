package httpapi

import (
	"bytes"
	"hash/crc32"
	"net/http"
	"strings"
	"testing"
	"time"

	"gamedata/internal/benchtest"
)

// BenchmarkSuffix compares appending a suffix to a compressed body with compressing the body again.
func BenchmarkSuffix(b *testing.B) {
	body, suffix := []byte(strings.Repeat(`{"name":"Salted","rank":"CHAMPION"},`, 300)), []byte(`,"age":1}}}`)
	sum := crc32.ChecksumIEEE(body)
	compressed := gzipped.compress(body)
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		buf := make([]byte, 0, maxEncodedSuffix)
		for b.Loop() {
			gzipped.appendSuffix(buf, body, suffix, sum)
		}
		b.SetBytes(int64(len(compressed)))
	})
	b.Run("compress", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			whole := append(bytes.Clone(body), suffix...)
			gzipped.appendSuffix(gzipped.compress(whole), whole, nil, crc32.ChecksumIEEE(whole))
		}
	})
}

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
	benchtest.Run(t, BenchmarkSuffix, BenchmarkHTTPDate, BenchmarkHeaderValues)
}
