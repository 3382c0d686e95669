package resolvers

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/mongo"
)

const (
	// maxSearchText is the longest search string, in characters.
	maxSearchText = 100
	// maxValues is the maximum number of values of one filter.
	maxValues = 200
)

// searchText trims and folds a search string; false if it is too long or has control characters.
func searchText(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) > maxSearchText || !utf8.ValidString(s) ||
		strings.ContainsFunc(s, unicode.IsControl) {
		return "", false
	}
	return mongo.Fold(s), true
}

// nameTexts returns the folded texts of a filter on names. Texts that no name contains are left out.
func nameTexts(given []string) []string {
	out := []string{}
	for _, s := range given {
		if text, ok := searchText(s); ok && text != "" {
			out = append(out, text)
		}
	}
	return out
}

// stringValues folds the values of a filter and drops blank values.
func stringValues(name string, given []string) ([]string, error) {
	if len(given) > maxValues {
		return nil, graph.Errorf(graph.InvalidForm, "%s must hold at most %d values.", name, maxValues)
	}
	var out []string
	for _, v := range given {
		text, ok := searchText(v)
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

// The error messages for a value that no item has, and for a value that no recipe has.
const (
	notListed = "%s holds a value that /item/metadata does not list."
	notUsed   = "%s holds a value that no recipe has."
)

// listedValues normalises the values of a filter with form. Each value must be in one of the lists, else the error is
// the sentence with the filter's name.
func listedValues(name, sentence string, given []string, form func(string) string, lists ...[]string) (
	[]string, error,
) {
	values, err := stringValues(name, given)
	if err != nil || len(values) == 0 {
		return nil, err
	}
	valid := map[string]bool{}
	for _, v := range slices.Concat(lists...) {
		valid[form(v)] = true
	}
	for i, v := range values {
		values[i] = form(v)
		if !valid[values[i]] {
			return nil, graph.Errorf(graph.InvalidForm, sentence, name)
		}
	}
	return values, nil
}

// numberRange returns the range given by one or two numbers, both included; nil for none.
func numberRange(name string, given []int) (*model.IntRange, error) {
	switch {
	case len(given) > 2:
		return nil, graph.Errorf(graph.InvalidForm, "%s must be one or two integers.", name)
	case len(given) == 0:
		return nil, nil
	case given[0] > given[len(given)-1]:
		return nil, graph.Errorf(graph.InvalidForm, "%s must name the lower number first.", name)
	}
	return &model.IntRange{Min: &given[0], Max: &given[len(given)-1]}, nil
}

// widened returns the range of 64-bit integers; nil stays nil.
func widened(r *model.IntRange) *model.Int64Range {
	if r == nil {
		return nil
	}
	wide := &model.Int64Range{}
	if r.Min != nil {
		wide.Min = new(int64(*r.Min))
	}
	if r.Max != nil {
		wide.Max = new(int64(*r.Max))
	}
	return wide
}

// containsAny reports whether one of the folded names contains one of the strings.
func containsAny(texts []string, names ...string) bool {
	return slices.ContainsFunc(texts, func(t string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, t) })
	})
}

// within reports whether a number is between two ends, both included; nil is an open end.
func within[T cmp.Ordered](low, high *T, n T) bool {
	return (low == nil || *low <= n) && (high == nil || n <= *high)
}

// inRange reports whether a number is in a range; nil is every range.
func inRange(r *model.IntRange, n int) bool { return r == nil || within(r.Min, r.Max, n) }

// inRange64 reports whether a number is in a range; nil is every range.
func inRange64(r *model.Int64Range, n int64) bool { return r == nil || within(r.Min, r.Max, n) }

// inSpan reports whether a time is in a range; nil is every range. An unknown time is only in the nil range.
func inSpan(r *model.DateTimeRange, t *time.Time) bool {
	return r == nil || t != nil && (r.From == nil || !t.Before(*r.From)) && (r.To == nil || t.Before(*r.To))
}
