package web

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"maps"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"gamedata/internal/httpapi"
)

// Cache-Control of files whose names change with their content, and of other files.
const (
	immutable  = "public, max-age=31536000, immutable"
	revalidate = "no-cache"
)

// contentTypes lists the type of every file extension; the system's own table may lack or change some.
var contentTypes = map[string]string{
	".html": HTMLType,
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".txt":  "text/plain; charset=utf-8",
	".ttf":  "font/ttf",
	".svg":  SVGType,
	".png":  "image/png",
}

// staticFile is a file of the program, gzipped when that makes it smaller.
type staticFile struct {
	content      *io.SectionReader
	gzipped      bool
	contentType  string
	cacheControl string
	etag         string // without quotes, of the stored content
}

// newStaticFile returns a named file whose content was generated at the start.
func newStaticFile(name string, content []byte, cacheControl string) *staticFile {
	if small := compress(content); len(small) < len(content) {
		name, content = name+".gz", small
	}
	return newFile(name, bytes.NewReader(content), int64(len(content)), cacheControl)
}

// newFile returns a named file. If the name ends in .gz the content is already gzipped.
func newFile(name string, content io.ReaderAt, size int64, cacheControl string) *staticFile {
	plain, gzipped := strings.CutSuffix(name, ".gz")
	f := io.NewSectionReader(content, 0, size)
	sum := sha256.New()
	_, _ = io.Copy(sum, f) // it is in memory
	return &staticFile{
		content: f, gzipped: gzipped, cacheControl: cacheControl,
		contentType: cmp.Or(contentTypes[path.Ext(plain)], "application/octet-stream"),
		etag:        base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:12]),
	}
}

func compress(content []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(content) // a bytes.Buffer never fails
	_ = z.Close()
	return b.Bytes()
}

func (f *staticFile) reader() io.ReadSeeker {
	return io.NewSectionReader(f.content, 0, f.content.Size())
}

func (f *staticFile) decompress() []byte {
	z, err := gzip.NewReader(f.reader())
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
	if strings.HasPrefix(f.contentType, "image/") {
		maps.Copy(h, PictureHeader(f.contentType))
	}
	h.Set("Cache-Control", f.cacheControl)
	h.Set("Vary", "Accept-Encoding")
	content, etag := f.reader(), f.etag
	switch {
	case f.gzipped && httpapi.AcceptsGzip(r.Header):
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.FormatInt(f.content.Size(), 10)) // ServeContent omits it for encoded content
	case f.gzipped:
		content, etag = bytes.NewReader(f.decompress()), etag+"-i"
	}
	h.Set("ETag", `"`+etag+`"`)
	httpapi.ServeContent(w, r, time.Time{}, content)
}
