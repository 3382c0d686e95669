package publicdump

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// Path is where the files are served.
const Path = "/dumps/"

const (
	allow = "GET, HEAD, OPTIONS"
	// Cache-Control of the manifest and of files. Files never change, but a player may hide what is in one: no cache
	// should have it for long.
	manifestCaching = "public, max-age=60"
	fileCaching     = "public, max-age=86400"
	// writeTimeout is how long a client may take to receive one piece of a file.
	writeTimeout = time.Minute
)

// contentTypes has the types by suffix; they are files in these formats, not responses with an encoding.
var contentTypes = map[string]string{
	".json": "application/json", ".zst": "application/zstd", ".gz": "application/gzip",
}

// Handler serves the manifest of a directory and the files of its generations, with ETag and ranges. A request costs 1
// in the bucket SHARED.
func Handler(api *httpapi.API, dir string, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpapi.SetRoute(r.Context(), httpapi.APIOther, Path+"{file}", "dumps")
		switch {
		case r.Method == http.MethodOptions:
			api.WriteOptions(w, r, httpapi.Shared, allow)
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			api.MethodNotAllowed(w, r, allow)
			return
		case !api.Limits.Authorize(w, r, httpapi.Shared, 1):
			return
		}
		found, err := open(dir, strings.TrimPrefix(r.URL.Path, Path))
		if err != nil {
			log.Error("reading dumps failed", "error", err)
			api.Reject(w, r, graph.ErrInternal)
			return
		}
		if found == nil {
			api.NotFound(w, r)
			return
		}
		defer found.content.Close()
		h := w.Header()
		h.Set("Content-Type", contentTypes[path.Ext(found.name)])
		h.Set("Cache-Control", found.caching)
		h.Set("ETag", `"`+found.sum+`"`)
		http.ServeContent(slowly{w, http.NewResponseController(w)}, r, "", found.modified, found.content)
	})
}

// servedFile is an open file.
type servedFile struct {
	name, sum, caching string
	modified           time.Time
	content            *os.File
}

// open opens a file by its path in the URL; nil if there is none. Only the manifest and the files that manifests name
// are served.
func open(dir, name string) (*servedFile, error) {
	served := &servedFile{name: name, caching: fileCaching}
	if name == manifestName {
		served.caching = manifestCaching
	} else {
		generation, _, _ := strings.Cut(name, "/")
		if _, err := time.Parse(generationName, generation); err != nil {
			return nil, nil
		}
		m, err := ReadManifest(filepath.Join(dir, generation))
		if m == nil {
			return nil, err
		}
		for _, f := range m.Files {
			if f.Path == name {
				served.sum, served.modified = f.SHA256, m.GeneratedAt
			}
		}
		if served.sum == "" {
			return nil, nil
		}
	}
	var err error
	if served.content, err = os.Open(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		if os.IsNotExist(err) {
			err = nil
		}
		return nil, err
	}
	if name == manifestName {
		sum := sha256.New()
		if _, err := io.Copy(sum, served.content); err != nil {
			_ = served.content.Close()
			return nil, err
		}
		served.sum = hex.EncodeToString(sum.Sum(nil))
	}
	return served, nil
}

// slowly gives a client time for each piece of a large file instead of the server's limit for a whole response.
type slowly struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (s slowly) Write(b []byte) (int, error) {
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // an error leaves the server's limit
	return s.ResponseWriter.Write(b)
}
