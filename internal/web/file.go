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

	"github.com/klauspost/compress/gzip"
)

// How long a file may be kept: one whose name changes with its content for ever, another
// only as long as it is asked for again.
const (
	immutable = "public, max-age=31536000, immutable"
	fresh     = "no-cache"
)

// types are those of all files of the pages; a system's own table may lack or change some.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".txt":  "text/plain; charset=utf-8",
	".ttf":  "font/ttf",
	".svg":  "image/svg+xml",
	".png":  "image/png",
}

// file is a page or one of its files, kept in the form it was embedded in.
type file struct {
	content []byte
	zipped  bool
	kind    string
	cache   string
	etag    string
}

// newFile takes a file by its name; the content of one that ends in .gz is gzipped already,
// and another is when that makes it smaller.
func newFile(name string, content []byte, cache string) *file {
	plain, zipped := strings.CutSuffix(name, ".gz")
	if !zipped {
		if small := shrink(content); len(small) < len(content) {
			content, zipped = small, true
		}
	}
	sum := sha256.Sum256(content)
	kind, ok := types[path.Ext(plain)]
	if !ok {
		kind = "application/octet-stream"
	}
	return &file{
		content: content, zipped: zipped, kind: kind, cache: cache,
		etag: base64.RawURLEncoding.EncodeToString(sum[:12]),
	}
}

func shrink(content []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(content) // a bytes.Buffer never fails
	_ = z.Close()
	return b.Bytes()
}

// serve writes the file. Callers who do not take gzip get it unzipped on the way; the tag
// names the form.
func (f *file) serve(w http.ResponseWriter, r *http.Request, status int) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", f.cache)
	h.Set("Vary", "Accept-Encoding")
	unzip := f.zipped && !takesGzip(r.Header)
	etag := `"` + f.etag + `"`
	if unzip {
		etag = `"` + f.etag + `-i"`
	}
	h.Set("ETag", etag)
	if status == http.StatusOK && matches(r.Header.Get("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if !unzip {
		h.Set("Content-Length", strconv.Itoa(len(f.content)))
		if f.zipped {
			h.Set("Content-Encoding", "gzip")
		}
	}
	w.WriteHeader(status)
	switch {
	case r.Method == http.MethodHead:
	case unzip:
		if z, err := gzip.NewReader(bytes.NewReader(f.content)); err == nil {
			_, _ = io.Copy(w, z)
		}
	default:
		_, _ = w.Write(f.content)
	}
}

// takesGzip reads Accept-Encoding: gzip or anything, unless its weight is 0. What a browser
// likes more does not matter here.
func takesGzip(h http.Header) bool {
	any := false
	for part := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		coding, weight, _ := strings.Cut(part, ";")
		_, q, _ := strings.Cut(weight, "=")
		value, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
		takes := err != nil || value > 0
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip":
			return takes
		case "*":
			any = takes
		}
	}
	return any
}

// matches reads If-None-Match with the weak comparison.
func matches(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		if tag = strings.TrimSpace(tag); tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
			return true
		}
	}
	return false
}
