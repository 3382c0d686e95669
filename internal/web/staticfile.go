package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"gamedata/internal/httpapi"
)

// Cache-Control of a file whose name changes with its content, and of another.
const (
	immutable  = "public, max-age=31536000, immutable"
	revalidate = "no-cache"
)

// contentTypes has the types of all files; the system's own table may lack or change some.
var contentTypes = map[string]string{
	".html": HTMLType,
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".txt":  "text/plain; charset=utf-8",
	".ttf":  "font/ttf",
	".svg":  svgType,
	".png":  "image/png",
}

// staticFile is a file in memory, gzipped when that makes it smaller.
type staticFile struct {
	content      []byte
	gzipped      bool
	contentType  string
	cacheControl string
	etag         string // without quotes, of the stored content
}

// newStaticFile returns a file of a name; the content of one that ends in .gz is gzipped already.
func newStaticFile(name string, content []byte, cacheControl string) *staticFile {
	plain, gzipped := strings.CutSuffix(name, ".gz")
	if !gzipped {
		if small := compress(content); len(small) < len(content) {
			content, gzipped = small, true
		}
	}
	sum := sha256.Sum256(content)
	contentType, ok := contentTypes[path.Ext(plain)]
	if !ok {
		contentType = "application/octet-stream"
	}
	return &staticFile{
		content: content, gzipped: gzipped, contentType: contentType, cacheControl: cacheControl,
		etag: base64.RawURLEncoding.EncodeToString(sum[:12]),
	}
}

func compress(content []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(content) // a bytes.Buffer never fails
	_ = z.Close()
	return b.Bytes()
}

// decompress returns the original content.
func (f *staticFile) decompress() []byte {
	z, err := gzip.NewReader(bytes.NewReader(f.content))
	if err != nil {
		return nil
	}
	content, _ := io.ReadAll(z) // compressed here or by the build
	return content
}

// ServeHTTP writes the file, gzipped if the request accepts it; the ETag names the encoding.
func (f *staticFile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	if f.contentType == svgType {
		h.Set("Content-Security-Policy", svgPolicy)
	}
	h.Set("Cache-Control", f.cacheControl)
	h.Set("Vary", "Accept-Encoding")
	content, etag := f.content, f.etag
	switch {
	case f.gzipped && httpapi.AcceptsGzip(r.Header):
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.Itoa(len(content))) // ServeContent leaves it out for encoded content
	case f.gzipped:
		content, etag = f.decompress(), etag+"-i"
	}
	h.Set("ETag", `"`+etag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}
