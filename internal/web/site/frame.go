package site

import (
	"encoding/json"
	"net/url"
	"strings"

	"gamedata/graph"
)

// frame is what all pages have.
type frame struct {
	Title       string
	Description string
	// Address is this page's, whole: for links that are shared.
	Address string
	// REST, Explain and Console are the paths that tell the same to programs, say how, and
	// open the operation; empty on pages that are made of no answer.
	REST, Explain, Console string
	// Personal tells that what a page shows depends on who asks, and Signed that somebody is
	// known.
	Personal, Signed bool
	// Search is the text in the search field.
	Search string
}

func (s *Site) frame(p *page, variables map[string]any, signed bool) frame {
	f := frame{
		Address: s.o.Origin + address(p.path, variables), Console: console(p.document, variables),
		Personal: p.op.Policy.Scope == graph.User, Signed: signed,
	}
	f.leadTo(fill(p.rest, variables))
	return f
}

// leadTo names the documented path that tells the same.
func (f *frame) leadTo(rest string) {
	plain, _, _ := strings.Cut(rest, "?")
	f.REST, f.Explain = rest, "/explain"+plain
}

// address is a page's path with its variables, those that are not part of it as its query.
func address(path string, variables map[string]any) string {
	query := url.Values{}
	for name, value := range variables {
		if text, ok := value.(string); ok && !strings.Contains(path, "{"+name+"}") {
			query.Set(name, text)
		}
	}
	path = fill(path, variables)
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// console is the path that opens an operation in the console.
func console(document string, variables map[string]any) string {
	q := url.Values{"query": {document}}
	if text, err := json.Marshal(variables); err == nil && len(variables) > 0 {
		q.Set("variables", string(text))
	}
	// Both are spaces; this one needs no escape of its own in HTML.
	return "/playground?" + strings.ReplaceAll(q.Encode(), "+", "%20")
}
