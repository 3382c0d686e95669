// Package web holds what all HTML pages share: the layout, the style sheet, the template functions and the loader of
// fixed operations. It serves the console and the scripts that internal/web/console builds. Everything is
// embedded into the binary, and no page loads anything from another host.
package web

import (
	"embed"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"gamedata/internal/httpapi"
)

//go:embed html shell.css page.css icon.svg icons.svg banners.json console/examples/frontend/PlayerPage.graphql
var assets embed.FS

// dist holds the output of internal/web/console: the console, the scripts and the style sheet of pages. Without Node it
// contains only a README.
//
//go:embed dist
var dist embed.FS

// ConsolePath is the path of the console.
const ConsolePath = "/playground"

const (
	stylePath    = "/page.css" // for a program without built files
	iconPath     = "/icon.svg"
	faviconPath  = "/favicon.ico" // the icon for programs that do not read pages
	iconsPath    = "/icons.svg"
	assetsPath   = "/assets/"  // built files
	graphiQLPath = "/graphiql" // another name of the console
)

// consolePolicy lets the console load its own files and connect to its own host only. Its editor,
// Monaco, writes style elements and attributes while it runs, so styles may be inline; scripts may
// not. Icons are data: URLs in the style sheet; the form is the search in the top bar.
const consolePolicy = "default-src 'none'; script-src 'self'; worker-src 'self'; " +
	"style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// Endpoint is one documented REST endpoint with its operation, as the console reads it from /playground/endpoints.json.
type Endpoint struct {
	Method string `json:"method"`
	// Path with its variables in braces, `/v3/player/{username}`.
	Path      string `json:"path"`
	Operation string `json:"operation"`
	// Document is the operation in the form that /graphql accepts.
	Document string `json:"document"`
}

// Register adds the style sheet and the icons, the console at /playground and /graphiql, and the built files below
// /assets/ to a router, behind middleware. The console follows a clock, as Layout describes it.
func Register(router *mux.Router, endpoints []Endpoint, clock string, middleware func(http.Handler) http.Handler) {
	h := newHandler(dist, files, endpoints, clock)
	for _, path := range []string{stylePath, iconPath, faviconPath, iconsPath, ConsolePath, graphiQLPath} {
		router.Handle(path, middleware(h))
	}
	router.PathPrefix(ConsolePath + "/").Handler(middleware(h))
	router.PathPrefix(assetsPath).Handler(middleware(h))
}

// handler serves files by path. If the console is not built, its pages explain how to build it.
type handler struct {
	files   map[string]*staticFile
	unbuilt []byte
}

func newHandler(built fs.FS, names manifest, endpoints []Endpoint, clock string) *handler {
	list := newStaticFile("endpoints.json", must(json.Marshal(endpoints)), revalidate)
	h := &handler{files: map[string]*staticFile{ConsolePath + "/endpoints.json": list}}
	h.addBuilt(built)
	h.addOwn()
	h.addPages(names, clock)
	return h
}

// must returns a value that is made of files of the program alone.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// addBuilt adds the files of a build. All names but two contain a hash of the content.
func (h *handler) addBuilt(built fs.FS) {
	for _, file := range must(fs.Glob(built, "dist/*")) {
		name, cacheControl := strings.TrimPrefix(file, "dist/"), immutable
		switch name {
		case "README", "manifest.json":
			continue
		case "licenses.txt", "licenses.txt.gz":
			cacheControl = revalidate
		}
		content := must(built.Open(file))
		size := must(content.Stat()).Size()
		h.files[assetsPath+strings.TrimSuffix(name, ".gz")] = newFile(name, content.(io.ReaderAt), size, cacheControl)
	}
}

// addOwn adds the files that need no build.
func (h *handler) addOwn() {
	for path, names := range map[string][]string{
		stylePath: {"shell.css", "page.css"}, iconPath: {"icon.svg"}, faviconPath: {"icon.svg"},
		iconsPath: {"icons.svg"},
	} {
		var content []byte
		for _, name := range names {
			content = append(content, must(assets.ReadFile(name))...)
		}
		h.files[path] = newStaticFile(names[0], content, revalidate)
	}
}

// addPages renders the console page and the page shown while the console is not built.
func (h *handler) addPages(names manifest, clock string) {
	templates := ParseTemplates(nil)
	h.unbuilt = must(templates.Render("unbuilt", &Layout{Title: "Not built", Narrow: true}))
	if names["console.js"] == "" {
		return
	}
	first := must(assets.ReadFile("console/examples/frontend/PlayerPage.graphql"))
	html := must(templates.Render("console", struct {
		Layout
		FirstQuery string
	}{Layout{
		Title: "Console", Description: "Write GraphQL queries with completion, and see the responses as tables and charts.",
		Active: ConsolePath, Clock: clock, App: true, Scripts: []string{"console.js"},
	}, string(first)}))
	console := newStaticFile("console.html", html, revalidate)
	h.files[ConsolePath], h.files[graphiQLPath] = console, console
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	httpapi.SetHTMLHeaders(w.Header())
	w.Header().Set("X-Content-Type-Options", "nosniff")
	console := r.URL.Path == ConsolePath || r.URL.Path == graphiQLPath
	if console {
		w.Header().Set("Content-Security-Policy", consolePolicy)
	} else {
		w.Header().Set("Content-Security-Policy", PagePolicy)
	}
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
	if console {
		w.Header().Set("Content-Type", HTMLType)
		WritePage(w, r, http.StatusNotFound, h.unbuilt)
	} else {
		http.Error(w, "File not found.", http.StatusNotFound)
	}
}
