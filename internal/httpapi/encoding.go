package httpapi

import (
	"bytes"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// zstdWindow is the match distance of zstd, and the memory a decoder needs; browsers accept up to 8 MiB.
const zstdWindow = 1 << 20

// The levels were measured on responses of 4 to 400 KB: gzip's default and zstd's "better" take
// about the same time, and zstd is then 1 to 20 % smaller (docs/caching.md).
var (
	gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}
	zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderCRC(false),
			zstd.WithWindowSize(zstdWindow))
		if err != nil {
			panic(err) // the options never change
		}
		return w
	})
)

// compress returns the body and suffix in a content encoding. The same text always gives the same bytes.
func (c coding) compress(body, suffix []byte) []byte {
	switch c {
	case gzipped:
		var b bytes.Buffer
		b.Grow(len(body)/4 + 256)
		w := gzipWriters.Get().(*gzip.Writer)
		defer gzipWriters.Put(w)
		w.Reset(&b)
		_, _ = w.Write(body) // a bytes.Buffer never fails
		_, _ = w.Write(suffix)
		_ = w.Close()
		return b.Bytes()
	case zstdded:
		return zstdEncoder().EncodeAll(append(bytes.Clone(body), suffix...), make([]byte, 0, len(body)/4+256))
	}
	return append(bytes.Clone(body), suffix...)
}
