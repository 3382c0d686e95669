package site

import (
	"net/url"
	"slices"
	"strings"
)

// maxCompared is how many items or players are compared at once.
const maxCompared = 4

type comparedRows []comparedRow

type comparedRow struct {
	Name  string
	Cells []comparedCell
}

type comparedCell struct {
	Text string
	Best bool
}

// addTexts adds a row in which none is best.
func (r *comparedRows) addTexts(name string, texts ...string) {
	row := comparedRow{Name: name}
	for _, text := range texts {
		row.Cells = append(row.Cells, comparedCell{Text: text})
	}
	*r = append(*r, row)
}

// add adds a row of values with the best marked: the highest, or the lowest if less is better. A value of nil is shown
// as a dash; of these alone there is no row.
func (r *comparedRows) add(name string, values []*Roll, less bool) {
	var tops []int64
	for _, v := range values {
		if v != nil {
			tops = append(tops, v.top())
		}
	}
	if len(tops) == 0 {
		return
	}
	best, worst := slices.Max(tops), slices.Min(tops)
	if less {
		best, worst = worst, best
	}
	row := comparedRow{Name: name}
	for _, v := range values {
		cell := comparedCell{Text: "–"}
		if v != nil {
			cell = comparedCell{v.Value(), best != worst && v.top() == best}
		}
		row.Cells = append(row.Cells, cell)
	}
	*r = append(*r, row)
}

// valuesOf returns a number of all that is compared, nil where one has none.
func valuesOf[T any](list []T, number func(T) *int64) []*Roll {
	out := make([]*Roll, len(list))
	for i, v := range list {
		if n := number(v); n != nil {
			out[i] = &Roll{Raw: *n}
		}
	}
	return out
}

// comparedNames are the different names in an address, which has one parameter for each or one with commas.
func comparedNames(values []string) []string {
	var names []string
	for _, value := range values {
		for name := range strings.SplitSeq(value, ",") {
			name = strings.TrimSpace(name)
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func without(names []string, is func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(names), is)
}

// comparisonPath is the path of a page that compares what a parameter names.
func comparisonPath(path, parameter string, names []string) string {
	if len(names) == 0 {
		return path
	}
	escaped := make([]string, len(names))
	for i, name := range names {
		escaped[i] = strings.ReplaceAll(url.QueryEscape(name), "+", "%20") // HTML escapes a plus sign
	}
	return path + "?" + parameter + "=" + strings.Join(escaped, ",")
}
