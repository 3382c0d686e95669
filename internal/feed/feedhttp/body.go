package feedhttp

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"gamedata/graph"
)

// Errors of a body.
var (
	errMediaType = graph.Errorf(graph.UnsupportedMediaType,
		"Send application/x-ndjson, uncompressed or with the Content-Encoding gzip or zstd.")
	errTruncated = graph.Errorf(graph.MalformedPayload, "The request body is incomplete or its compression is damaged.")
)

var errTooLarge = errors.New("the body is too large")

// maxWindow bounds the memory that decoding zstd takes.
const maxWindow = 8 << 20

// openBody returns the uncompressed body of a request, which returns errTooLarge after max bytes. The caller calls
// done at the end.
func openBody(w http.ResponseWriter, r *http.Request, max int64) (body io.Reader, done func(), bad *graph.Error) {
	types := r.Header.Values("Content-Type")
	if len(types) != 1 {
		return nil, nil, errMediaType
	}
	media, params, err := mime.ParseMediaType(types[0])
	charset, given := params["charset"]
	if err != nil || media != "application/x-ndjson" && media != "application/ndjson" && media != "application/jsonl" ||
		given && !strings.EqualFold(charset, "utf-8") {
		return nil, nil, errMediaType
	}
	if r.ContentLength > max {
		return nil, nil, graph.ErrPayloadTooLarge
	}
	sent := http.MaxBytesReader(w, r.Body, max)
	done = func() {}
	switch coding := strings.ToLower(strings.Join(r.Header.Values("Content-Encoding"), ",")); coding {
	case "", "identity":
		body = sent
	case "gzip":
		body = &gzipReader{from: sent}
	case "zstd":
		d, err := zstd.NewReader(sent, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, errTruncated
		}
		body, done = d, d.Close
	default:
		return nil, nil, errMediaType
	}
	return &boundedReader{body, max}, done, nil
}

// gzipReader reads the gzip header in the first Read, which returns the header's errors.
type gzipReader struct {
	from io.Reader
	*gzip.Reader
}

func (g *gzipReader) Read(p []byte) (int, error) {
	if g.Reader == nil {
		var err error
		if g.Reader, err = gzip.NewReader(g.from); err != nil {
			return 0, err
		}
	}
	return g.Reader.Read(p)
}

// boundedReader fails after a number of bytes.
type boundedReader struct {
	from io.Reader
	left int64
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.from.Read(p[:min(int64(len(p)), b.left+1)])
	b.left -= int64(n)
	if b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// bodyError returns the error of a body that could not be read to its end.
func bodyError(err error) *graph.Error {
	if errors.Is(err, errTooLarge) || errors.As(err, new(*http.MaxBytesError)) {
		return graph.ErrPayloadTooLarge
	}
	return errTruncated
}
