package apidocs

import (
	"slices"
	"strings"

	"gamedata/internal/httpapi"
)

// searchEntry is a page, a section of a guide or a field of a type. A search finds entries that contain all its words
// in the title, the kind and the text.
type searchEntry struct{ Path, Title, Kind, text string }

// maxFound is the maximum number of results on a search page.
const maxFound = 50

func (d *Docs) searchResponse(r *reference, query string) httpapi.Response {
	p := &referencePage{title: "Search"}
	query = strings.TrimSpace(query)
	if query != "" {
		p.title = "Search: " + cut(query, 60)
	}
	view := d.view(r, searchPath, p)
	view.NoIndex, view.Address = true, ""
	found := findPages(r.search, query)
	view.Body = struct {
		Query string
		Found []searchEntry
		More  bool
	}{query, found[:min(len(found), maxFound)], len(found) > maxFound}
	response := d.render("search", view)
	response.MaxAge = 0
	return response
}

// findPages returns the entries that match all words of a query, the best first.
func findPages(entries []searchEntry, query string) []searchEntry {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 || len(query) > 200 {
		return nil
	}
	type scored struct {
		searchEntry
		score int
	}
	var found []scored
	for _, e := range entries {
		if n := matchScore(e.Title, e.Kind+" "+e.text, words); n > 0 {
			found = append(found, scored{e, n})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return b.score - a.score })
	var out []searchEntry
	for _, f := range found {
		out = append(out, f.searchEntry)
	}
	return out
}

// matchScore is higher the better a title matches all words; 0 if a word is neither in the title nor in the text.
func matchScore(title, text string, words []string) int {
	title, text = strings.ToLower(title), strings.ToLower(text)
	score := 1
	if phrase := strings.Join(words, " "); len(words) > 1 && strings.Contains(title, phrase) {
		score += 50 - min(40, len(title)-len(phrase))
	}
	for _, word := range words {
		switch at := strings.Index(title, word); {
		case title == word:
			score += 100
		case at == 0:
			score += 50 - min(40, len(title)-len(word))
		case at > 0 && !letter(title[at-1]):
			score += 25 - min(20, (len(title)-len(word))/2)
		case at > 0:
			score += 5
		case strings.Contains(text, word):
			score++
		default:
			return 0
		}
	}
	return score
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
