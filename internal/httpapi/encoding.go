package httpapi

import (
	"bytes"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// encodings holds the values derived from a response's body and policy. They are computed once and stored with the
// cached response: a hit writes stored bytes. A body is compressed when first requested.
type encodings struct {
	cacheControl string
	tags         [codings]string
	expires      httpDateCache
	bodies       [codings]compressedBody
	// size counts the compressed bodies; reported is the size last reported to the cache.
	size, reported atomic.Int64
}

// compressedBody is the last compressed form of a body with its suffix. A suffix changes once a second at most.
type compressedBody struct {
	mu   sync.Mutex
	last atomic.Pointer[compressedText]
}

type compressedText struct {
	suffix string
	text   []byte
}

// Precompute adds encodings to a response that will be written more than once.
func (resp Response) Precompute() Response {
	resp.Body = bytes.Clone(resp.Body) // drops spare capacity
	e := &encodings{cacheControl: cacheControl(resp.MaxAge, resp.Scope)}
	sum := bodySum(resp.Body)
	for c := range codings {
		e.tags[c] = c.etag(sum)
	}
	resp.encodings = e
	return resp
}

// compressed returns the body with a suffix, compressed.
func (resp *Response) compressed(c coding, suffix []byte) []byte {
	e := resp.encodings
	if e == nil {
		return c.compress(resp.Body, suffix)
	}
	b := &e.bodies[c]
	if last := b.last.Load(); last != nil && last.suffix == string(suffix) {
		return last.text
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	last := b.last.Load()
	if last == nil {
		last = new(compressedText)
	} else if last.suffix == string(suffix) {
		return last.text
	}
	text := bytes.Clone(c.compress(resp.Body, suffix)) // drops spare capacity
	b.last.Store(&compressedText{string(suffix), text})
	e.size.Add(int64(len(text) - len(last.text)))
	return text
}

// etag returns the strong tag of the body in one encoding.
func (resp *Response) etag(c coding) string {
	if resp.encodings != nil {
		return resp.encodings.tags[c]
	}
	return c.etag(bodySum(resp.Body))
}

// takeSizeChange reports once that new encodings changed the size since the last report to the cache.
func (resp *Response) takeSizeChange() bool {
	e := resp.encodings
	if e == nil {
		return false
	}
	size, reported := e.size.Load(), e.reported.Load()
	return size != reported && e.reported.CompareAndSwap(reported, size)
}

// encodingsSize is the size of encodings without the compressed bodies, in bytes.
const encodingsSize = 1000

// Size estimates the bytes that the response occupies, compressed bodies included.
func (resp *Response) Size() int {
	size := cap(resp.Body)
	for _, tag := range resp.Tags {
		size += len(tag) + 16
	}
	for name, values := range resp.Header {
		size += 100 + len(name)
		for _, v := range values {
			size += len(v) + 16
		}
	}
	if resp.encodings == nil {
		return size
	}
	return size + encodingsSize + int(resp.encodings.size.Load())
}

// httpDateCache formats times for headers. It caches the last second: consecutive calls mostly fall into the same one.
type httpDateCache struct{ last atomic.Pointer[httpDate] }

type httpDate struct {
	second int64
	text   string
}

func (c *httpDateCache) format(t time.Time) string {
	second := t.Unix()
	if last := c.last.Load(); last != nil && last.second == second {
		return last.text
	}
	next := &httpDate{second, t.UTC().Format(http.TimeFormat)}
	c.last.Store(next)
	return next.text
}

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
