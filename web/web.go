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

//go:embed index.html unbuilt.html page.css
var pages embed.FS

// policy lets a page use what it brings itself and talk to its own host only.
const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Style is the path of the style sheet that all pages rendered here share.
const Style = "/page.css"

// Handler serves the style sheet, the front page at /, the console at /playground and /graphiql, and the
// console's files below /playground/. It fails when paths cannot be written as JSON.
func Handler(paths []Path) (http.Handler, error) {
	front, err := pages.ReadFile("index.html")
	if err != nil {
		return nil, err
	}
	style, err := pages.ReadFile("page.css")
	if err != nil {
		return nil, err
	}
	console, err := newConsole(dist, paths)
	if err != nil {
		return nil, fmt.Errorf("the console: %w", err)
	}
	first, look := newFile("index.html", front, fresh), newFile("page.css", style, fresh)
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
		switch r.URL.Path {
		case "/":
			h.Set("Content-Security-Policy", policy)
			first.serve(w, r, http.StatusOK)
		case Style:
			look.serve(w, r, http.StatusOK)
		default:
			console.ServeHTTP(w, r)
		}
	}), nil
}

// Serves tells whether a path is a page's or one of its files.
func Serves(path string) bool {
	switch path {
	case "/", Style, consolePath, "/graphiql":
		return true
	}
	return strings.HasPrefix(path, consolePath+"/")
}
