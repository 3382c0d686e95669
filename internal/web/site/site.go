// Package site is the pages about the game that people open and share: the front page, a
// player, a guild, an item, the leaderboards, the map of territories and the search. Each page
// is one fixed GraphQL operation, asked through the door like everybody's: same viewer, same
// rules, same limits, same kept answers. It is rendered here and works without a script.
//
// What a field means and who may see it is decided behind the executor; a page only finds
// words, links and drawings for an answer. Resolvers, loaders and the store may not be reached.
package site

import (
	"embed"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

//go:embed html operations
var files embed.FS

// Options of a Site.
type Options struct {
	// Origin is the address the service is known under, without a slash at its end; examples
	// and links for others are written with it.
	Origin string
	// Now decides what is going on; time.Now when nil.
	Now func() time.Time
	// Log takes what people are not told; slog.Default() when nil.
	Log *slog.Logger
}

// Site answers browsers. It stands behind the door's middleware, which tells who asks.
type Site struct {
	door  *httpapi.Door
	exec  *graph.Executor
	o     Options
	html  *template.Template
	pages []*page
}

// New returns the pages. It fails when an operation does not fit the schema or the limits, or
// a template cannot be read.
func New(d *httpapi.Door, exec *graph.Executor, o Options) (*Site, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	html, err := web.Templates(words, files)
	if err != nil {
		return nil, err
	}
	s := &Site{door: d, exec: exec, o: o, html: html}
	for _, r := range rows {
		p, err := newPage(exec, r)
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", r.path, err)
		}
		s.pages = append(s.pages, p)
	}
	return s, nil
}

// Serves tells whether an encoded path is one of these pages.
func (s *Site) Serves(path string) bool {
	_, _, ok := match(path)
	return ok
}

// NotFound answers a path that nothing lies under: with a page to those who prefer one.
func (s *Site) NotFound(w http.ResponseWriter, r *http.Request) {
	if !httpapi.PrefersHTML(r.Header) {
		s.door.NotFound(w, r)
		return
	}
	httpapi.NoCORS(w.Header())
	if s.charge(w, r, map[string]int{httpapi.Shared: 1}) {
		s.send(w, r, s.trouble(trouble{
			Status: http.StatusNotFound,
			Text:   "There is no page at this address. Look for what you want:",
			frame:  frame{Title: http.StatusText(http.StatusNotFound)},
		}))
	}
}

// methods are what a page can be asked with.
const methods = "GET, HEAD"

// ServeHTTP answers GET and HEAD. The order of checks is that of all endpoints: method,
// credentials, rate limit, parameters, lookup.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, variables, _ := match(r.URL.EscapedPath())
	p := s.pages[n]
	httpapi.Name(w, httpapi.DoorOther, p.path, p.op.Name)
	httpapi.NoCORS(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", methods)
		s.send(w, r, s.problem(graph.ErrMethodNotAllowed))
		return
	}
	prices, tooDear := s.exec.Price(p.op, variables)
	if tooDear != nil {
		s.send(w, r, s.problem(graph.ErrorOf(tooDear)))
		return
	}
	if !s.admit(w, r, prices) {
		return
	}
	if bad := p.readQuery(r.URL.RawQuery, variables); bad != nil {
		s.send(w, r, s.problem(bad))
		return
	}
	s.door.Serve(w, r, s.question(p, variables, prices), s.run(p, variables))
}
