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
	rest := fill(p.rest, variables)
	plain, _, _ := strings.Cut(rest, "?")
	return frame{
		Address: s.o.Origin + fill(p.path, variables), REST: rest, Explain: "/explain" + plain,
		Console: console(p.document, variables), Personal: p.op.Policy.Scope == graph.User, Signed: signed,
	}
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
