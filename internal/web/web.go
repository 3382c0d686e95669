// Package web is the pages that people open. They are built or written here, embedded into
// the binary, and load nothing from any other host. No data is read here: a page asks the
// doors like everybody else.
package web

import (
	"embed"
	"fmt"
	"net/http"
	"strings"
)

//go:embed unbuilt.html frame.html page.css icon.svg
var pages embed.FS

// What all pages that are rendered by other rooms share.
const (
	Style = "/page.css" // the style sheet
	Icon  = "/icon.svg"
)

// Handler serves style sheet and icon, the console at /playground and /graphiql, the API reference
// at /docs, and the files of both below /playground/. It fails when paths cannot be written as JSON.
func Handler(paths []Path) (http.Handler, error) {
	shared := map[string]*file{}
	for _, path := range []string{Style, Icon} {
		content, err := pages.ReadFile(strings.TrimPrefix(path, "/"))
		if err != nil {
			return nil, err
		}
		shared[path] = newFile(path, content, fresh)
	}
	console, err := newConsole(dist, paths)
	if err != nil {
		return nil, fmt.Errorf("the console: %w", err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "This page can only be read.", http.StatusMethodNotAllowed)
			return
		}
		if f := shared[r.URL.Path]; f != nil {
			f.serve(w, r, http.StatusOK)
			return
		}
		console.ServeHTTP(w, r)
	}), nil
}

// Serves tells whether a path is a page's or one of its files.
func Serves(path string) bool {
	switch path {
	case Style, Icon, consolePath, "/graphiql", docsPath:
		return true
	}
	return strings.HasPrefix(path, consolePath+"/")
}
