package web

import (
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"strings"
)

// dist is what internal/web/console builds: the console and the API reference. Without Node it holds its
// README alone, and their page says how to build them.
//
//go:embed dist
var dist embed.FS

const (
	consolePath = "/playground"
	docsPath    = "/docs" // the API reference
)

// consolePolicy lets the console load its own files and talk to its own host only. Monaco,
// its editor, writes style elements and attributes while it runs, so styles may be inline;
// scripts may not. Icons come as data: addresses in the style sheet.
const consolePolicy = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; " +
	"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Path is one documented REST endpoint and the operation behind it, as the console tells
// them at /playground/paths.json.
type Path struct {
	Method string `json:"method"`
	// Path with its variables in braces, `/v3/player/{username}`.
	Path      string `json:"path"`
	Operation string `json:"operation"`
	// Document is the operation as /graphql takes it.
	Document string `json:"document"`
}

// console serves the built console and the API reference by path.
type console struct {
	files map[string]*file
	built bool
}

func newConsole(built fs.FS, paths []Path) (*console, error) {
	c := &console{files: map[string]*file{}}
	list, err := json.Marshal(paths)
	if err != nil {
		return nil, err
	}
	c.files[consolePath+"/paths.json"] = newFile("paths.json", list, fresh)
	entries, err := fs.ReadDir(built, "dist")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		content, err := fs.ReadFile(built, "dist/"+e.Name())
		if err != nil {
			return nil, err
		}
		switch name := strings.TrimSuffix(e.Name(), ".gz"); name {
		case "README":
		case "console.html":
			c.built = true
			c.files[consolePath] = newFile(e.Name(), content, fresh)
		case "docs.html":
			c.files[docsPath] = newFile(e.Name(), content, fresh)
		case "licenses.txt":
			c.files[consolePath+"/"+name] = newFile(e.Name(), content, fresh)
		default: // its name holds a hash of what is in it
			c.files[consolePath+"/"+name] = newFile(e.Name(), content, immutable)
		}
	}
	if !c.built {
		page, err := pages.ReadFile("unbuilt.html")
		if err != nil {
			return nil, err
		}
		c.files[consolePath] = newFile("unbuilt.html", page, fresh)
		c.files[docsPath] = c.files[consolePath]
	}
	c.files["/graphiql"] = c.files[consolePath]
	return c, nil
}

func (c *console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", consolePolicy)
	f, ok := c.files[r.URL.Path]
	switch {
	case !ok:
		w.Header().Set("Cache-Control", "no-cache")
		http.Error(w, "There is no such file.", http.StatusNotFound)
	case f == c.files[consolePath] && !c.built:
		f.serve(w, r, http.StatusNotFound)
	default:
		f.serve(w, r, http.StatusOK)
	}
}
