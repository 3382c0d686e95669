package door

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// minGzip is the size in bytes below which gzip saves less than it costs.
const minGzip = 1024

// wantsGzip chooses the form of a body of size bytes. Identity is sent when nothing else
// is possible, also to callers who refuse it: a body they might not want is better than
// none.
func wantsGzip(r *http.Request, size int) bool {
	accepts, only := acceptsGzip(r.Header)
	return accepts && (size >= minGzip || only)
}

// acceptsGzip reads Accept-Encoding (RFC 9110 §12.5.3): whether gzip may be sent and is
// not liked less than identity, and whether identity is refused.
func acceptsGzip(h http.Header) (accepts, only bool) {
	const unsaid = -1
	zip, identity, star := float64(unsaid), float64(unsaid), float64(unsaid)
	for part := range strings.SplitSeq(strings.Join(h["Accept-Encoding"], ","), ",") {
		coding, params, _ := strings.Cut(part, ";")
		q, ok := quality(params)
		if !ok {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			zip = q
		case "identity":
			identity = q
		case "*":
			star = q
		}
	}
	if zip == unsaid {
		zip = max(0, star)
	}
	if identity == unsaid && star == 0 {
		identity = 0
	}
	return zip > 0 && zip >= identity, zip > 0 && identity == 0
}

// quality reads the weight of a coding, 1 when none is given.
func quality(params string) (float64, bool) {
	name, value, found := strings.Cut(strings.TrimSpace(params), "=")
	if !found {
		return 1, strings.TrimSpace(params) == ""
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return q, strings.EqualFold(strings.TrimSpace(name), "q") && err == nil && q >= 0 && q <= 1
}

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// compress is the gzip form of a body; the same body always gives the same bytes.
func compress(body []byte) []byte {
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	var b bytes.Buffer
	b.Grow(len(body)/4 + 64)
	z.Reset(&b)
	z.Write(body) // a bytes.Buffer never fails
	z.Close()
	return b.Bytes()
}
