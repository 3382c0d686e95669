// Package web holds what all HTML pages share: the layout, the style sheet, the template functions and the loader of
// fixed operations. It serves the console and the API reference that internal/web/console builds. Everything is
// embedded into the binary, and no page loads anything from another host.
package web

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"gamedata/internal/httpapi"
)

//go:embed layout.html unbuilt.html page.css icon.svg
var assets embed.FS

// dist is what internal/web/console builds: the console and the API reference. Without Node it holds a README alone.
//
//go:embed dist
var dist embed.FS

const (
	stylePath    = "/page.css"
	iconPath     = "/icon.svg"
	consolePath  = "/playground"
	graphiQLPath = "/graphiql" // another name of the console
	docsPath     = "/docs"     // the API reference
)

// consolePolicy lets the console load its own files and connect to its own host only. Its editor,
// Monaco, writes style elements and attributes while it runs, so styles may be inline; scripts may
// not. Icons are data: URLs in the style sheet.
const consolePolicy = "default-src 'none'; script-src 'self'; worker-src 'self'; " +
	"style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Endpoint is one documented REST endpoint with its operation, as the console reads it from /playground/endpoints.json.
type Endpoint struct {
	Method string `json:"method"`
	// Path with its variables in braces, `/v3/player/{username}`.
	Path      string `json:"path"`
	Operation string `json:"operation"`
	// Document is the operation as /graphql takes it.
	Document string `json:"document"`
}

// Register adds the style sheet and the icon, the console at /playground and /graphiql, the API
// reference at /docs, and the files of both below /playground/ to a router, behind middleware.
func Register(router *mux.Router, endpoints []Endpoint, middleware func(http.Handler) http.Handler) error {
	h, err := newHandler(dist, endpoints)
	if err != nil {
		return err
	}
	for _, path := range []string{stylePath, iconPath, consolePath, graphiQLPath, docsPath} {
		router.Handle(path, middleware(h))
	}
	router.PathPrefix(consolePath + "/").Handler(middleware(h))
	return nil
}

// handler serves files by path. The pages of a console that is not built say how to build it.
type handler struct {
	files   map[string]*staticFile
	unbuilt []byte
}

func newHandler(built fs.FS, endpoints []Endpoint) (*handler, error) {
	list, err := json.Marshal(endpoints)
	if err != nil {
		return nil, fmt.Errorf("list of endpoints: %w", err)
	}
	h := &handler{files: map[string]*staticFile{
		consolePath + "/endpoints.json": newStaticFile("endpoints.json", list, revalidate),
	}}
	add := func(path string, folder fs.FS, name, cacheControl string) {
		content, readErr := fs.ReadFile(folder, name)
		if readErr != nil {
			err = readErr
			return
		}
		h.files[path] = newStaticFile(name, content, cacheControl)
	}
	add(stylePath, assets, "page.css", revalidate)
	add(iconPath, assets, "icon.svg", revalidate)
	entries, globErr := fs.Glob(built, "dist/*")
	if globErr != nil {
		return nil, globErr
	}
	for _, file := range entries {
		switch name := strings.TrimSuffix(strings.TrimPrefix(file, "dist/"), ".gz"); name {
		case "README":
		case "console.html":
			add(consolePath, built, file, revalidate)
			h.files[graphiQLPath] = h.files[consolePath]
		case "docs.html":
			add(docsPath, built, file, revalidate)
		case "licenses.txt":
			add(consolePath+"/"+name, built, file, revalidate)
		default: // its name has a hash of its content
			add(consolePath+"/"+name, built, file, immutable)
		}
	}
	if err != nil {
		return nil, err
	}
	h.unbuilt, err = assets.ReadFile("unbuilt.html")
	return h, err
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	httpapi.SetHTMLHeaders(w.Header())
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", consolePolicy)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Method not allowed.", http.StatusMethodNotAllowed)
		return
	}
	if f := h.files[r.URL.Path]; f != nil {
		f.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Cache-Control", revalidate)
	switch r.URL.Path {
	case consolePath, graphiQLPath, docsPath:
		w.Header().Set("Content-Type", HTMLType)
		WritePage(w, r, http.StatusNotFound, h.unbuilt)
	default:
		http.Error(w, "File not found.", http.StatusNotFound)
	}
}
