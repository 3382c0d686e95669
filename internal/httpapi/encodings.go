package httpapi

import (
	"bytes"
	"hash/crc32"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// encodings holds what the bytes and the policy of a response determine. It is computed once and
// stored with the cached response, so that a hit writes stored bytes; a compressed body is made when
// it is first requested (BenchmarkWriteResponse).
type encodings struct {
	cacheControl string
	tags         [codings]string
	expires      httpDateCache
	bodies       [codings]encodedBody
	// compressed is the size of the compressed bodies so far, reported what the cache knows of.
	compressed, reported atomic.Int64
}

// encodedBody is a body in one content encoding.
type encodedBody struct {
	once   sync.Once
	body   []byte // not terminated when there is a suffix
	sum    uint32 // CRC-32 of the plain body, for gzip
	length string // empty when there is a suffix
}

// Precompute returns the response with encodings, for one that is written more than once.
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

// encoding returns the body in one encoding, without the suffix.
func (resp *Response) encoding(c coding) *encodedBody {
	if resp.encodings == nil {
		b := new(encodedBody)
		b.fill(resp, c)
		return b
	}
	b := &resp.encodings.bodies[c]
	b.once.Do(func() {
		b.fill(resp, c)
		if c != identity {
			resp.encodings.compressed.Add(int64(len(b.body)))
		}
	})
	return b
}

func (b *encodedBody) fill(resp *Response, c coding) {
	b.body = c.compress(resp.Body)
	if c == gzipped {
		b.sum = crc32.ChecksumIEEE(resp.Body)
	}
	if c != identity {
		if resp.Suffix == nil {
			b.body = c.appendSuffix(b.body, resp.Body, nil, b.sum)
		}
		b.body = bytes.Clone(b.body) // drops spare capacity
	}
	if resp.Suffix == nil {
		b.length = strconv.Itoa(len(b.body))
	}
}

// etag returns the strong tag of the body in one encoding.
func (resp *Response) etag(c coding) string {
	if resp.encodings != nil {
		return resp.encodings.tags[c]
	}
	return c.etag(bodySum(resp.Body))
}

// takeSizeChange reports, once, that encodings were made since the cache learned of the size.
func (resp *Response) takeSizeChange() bool {
	e := resp.encodings
	if e == nil {
		return false
	}
	made, reported := e.compressed.Load(), e.reported.Load()
	return made != reported && e.reported.CompareAndSwap(reported, made)
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
	return size + encodingsSize + int(resp.encodings.compressed.Load())
}

// httpDateCache formats times as headers have them. It remembers the last one: the times that are
// formatted one after another mostly fall into one second (BenchmarkHTTPDate).
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
