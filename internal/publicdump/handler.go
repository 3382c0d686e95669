package publicdump

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// Path is where the files are served.
const Path = "/dumps/"

const (
	allow           = "GET, HEAD, OPTIONS"
	manifestCaching = "public, max-age=60"
	// writeTimeout is how long a client may take to receive one piece of a file.
	writeTimeout = time.Minute
)

// fileCaching is the Cache-Control of files. They never change, but a player may later hide data in them.
var fileCaching = fmt.Sprintf("public, max-age=%d", int(Overlap.Seconds()))

// contentTypes maps suffixes to types. The files are sent in these formats, not with a Content-Encoding.
var contentTypes = map[string]string{
	".json": "application/json", ".zst": "application/zstd", ".gz": "application/gzip",
}

// Handler serves the manifest of a directory and the files of its generations, with ETag and ranges. A request costs 1
// in the bucket SHARED.
func Handler(api *httpapi.API, dir string, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpapi.SetRoute(r.Context(), httpapi.APIOther, Path+"{file}", "dumps")
		httpapi.AllowHeaders(w, r, "If-Range, Range")
		if !api.AllowsMethod(w, r, httpapi.Shared, allow) || !api.Limits.Authorize(w, r, httpapi.Shared, 1) {
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
		httpapi.ServeContent(slowly{w, http.NewResponseController(w)}, r, found.modified, found.content)
	})
}

// servedFile is an open file.
type servedFile struct {
	name, sum, caching string
	modified           time.Time
	content            *os.File
}

// open opens a file by its path in the URL, or returns nil if the file is not served.
func open(dir, name string) (*servedFile, error) {
	served := &servedFile{name: name, caching: manifestCaching}
	if name != manifestName {
		file, m, err := find(dir, name)
		if file == nil {
			return nil, err
		}
		served.caching, served.sum, served.modified = fileCaching, file.SHA256, m.GeneratedAt
	}
	var err error
	served.content, err = os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if served.sum == "" {
		sum := sha256.New()
		if _, err := io.Copy(sum, served.content); err != nil {
			return nil, errors.Join(err, served.content.Close())
		}
		served.sum = hex.EncodeToString(sum.Sum(nil))
	}
	return served, nil
}

// find returns the file at a path and the manifest that names it. The file is nil for unknown paths, and for
// generations replaced longer than Overlap ago.
func find(dir, name string) (*File, *Manifest, error) {
	generation, _, _ := strings.Cut(name, "/")
	if _, err := time.Parse(generationName, generation); err != nil {
		return nil, nil, nil
	}
	latest, err := ReadManifest(dir)
	if err != nil || latest == nil {
		return nil, nil, err
	}
	if latest.generation() != generation {
		if served, err := olderServed(dir); !served {
			return nil, nil, err
		}
	}
	m, err := ReadManifest(filepath.Join(dir, generation))
	if err != nil || m == nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(m.Files, func(f File) bool { return f.Path == name })
	if i < 0 {
		return nil, nil, nil
	}
	return &m.Files[i], m, nil
}

// slowly limits the time for each piece of a large file, instead of the server's limit for a whole response.
type slowly struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (s slowly) Write(b []byte) (int, error) {
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // after an error the server's limit remains
	return s.ResponseWriter.Write(b)
}
