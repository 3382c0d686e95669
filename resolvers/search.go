package resolvers

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gamedata/graph"
	"gamedata/mongo"
)

const (
	// maxSearchText bounds a search text, in characters.
	maxSearchText = 100
	// maxValues bounds the values of one filter.
	maxValues = 200
)

// searchText trims and folds a text to look for; false when it is too long or holds
// control characters (WIRE-CONTENT, rules).
func searchText(s string) (string, bool) {
	if s = strings.TrimSpace(s); utf8.RuneCountInString(s) > maxSearchText || !utf8.ValidString(s) ||
		strings.ContainsFunc(s, unicode.IsControl) {
		return "", false
	}
	return mongo.Fold(s), true
}

// texts reads a filter of texts: folded, blank ones dropped. None means no filter.
func stringValues(name string, given []*string) ([]string, error) {
	if len(given) > maxValues {
		return nil, graph.Errorf(graph.InvalidForm, "%s must hold at most %d values.", name, maxValues)
	}
	var out []string
	for _, v := range given {
		if v == nil {
			return nil, graph.Errorf(graph.InvalidForm, "%s must be a text or a list of texts.", name)
		}
		text, ok := searchText(*v)
		if !ok {
			return nil, graph.Errorf(graph.InvalidForm,
				"%s must hold texts of at most %d characters without control characters.", name, maxSearchText)
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out, nil
}

// notListed is told of a value that no item has, notUsed of one that no recipe has.
const (
	notListed = "%s holds a value that /item/metadata does not list."
	notUsed   = "%s holds a value that no recipe has."
)

// known reads a filter whose values must be among the lists, compared in a form; otherwise
// the caller is told why with the filter's name.
func listedValues(name, why string, given []*string, form func(string) string, lists ...[]string) ([]string, error) {
	asked, err := stringValues(name, given)
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	valid := map[string]bool{}
	for _, list := range lists {
		for _, v := range list {
			valid[form(v)] = true
		}
	}
	for i, v := range asked {
		if asked[i] = form(v); !valid[asked[i]] {
			return nil, graph.Errorf(graph.InvalidForm, why, name)
		}
	}
	return asked, nil
}

// span is an asked range of whole numbers, both ends included. The zero span is no filter.
type span struct {
	set    bool
	lo, hi int64
}

// numbers reads a filter of one number or two.
func numberRange(name string, given []*int) (span, error) {
	fault := graph.Errorf(graph.InvalidForm, "%s must be one or two integers.", name)
	if len(given) > 2 {
		return span{}, fault
	}
	for _, n := range given {
		if n == nil {
			return span{}, fault
		}
	}
	switch len(given) {
	case 0:
		return span{}, nil
	case 1:
		return span{set: true, lo: int64(*given[0]), hi: int64(*given[0])}, nil
	}
	s := span{set: true, lo: int64(*given[0]), hi: int64(*given[1])}
	if s.lo > s.hi {
		return span{}, graph.Errorf(graph.InvalidForm, "%s must name the lower number first.", name)
	}
	return s, nil
}

// holds reports whether a single number lies inside.
func (s span) holds(n int64) bool { return !s.set || s.lo <= n && n <= s.hi }

// containsAny reports whether one of the folded names contains one of the texts.
func containsAny(texts []string, names ...string) bool {
	for _, t := range texts {
		for _, n := range names {
			if strings.Contains(n, t) {
				return true
			}
		}
	}
	return false
}
