package site

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
)

// maxCompared is the maximum number of items or players in a comparison.
const maxCompared = 4

// Parameters of comparisons: internal names of items and the name of an item to add; uuids or usernames of players. The
// page replaces the first username by its uuid and redirects, until all are uuids.
const (
	itemsParameter   = "items"
	addParameter     = "add"
	playersParameter = "players"
)

// comparison shows items or players beside each other, one column each.
type comparison struct {
	Section    string // of the pages: items or players, also the name of the parameter
	Columns    []comparedColumn
	Rows       []comparedRow
	Notices    []string
	Others     string // path of the comparison without the unknown name
	Candidates []link

	keys []string // in the address
}

type comparedColumn struct {
	Key, Name string
	UUID      string // of a player
	Class     string // CSS class of the name
	Without   string // path of the comparison without the column
}

type comparedRow struct {
	Name  string
	Cells []comparedCell
}

type comparedCell struct {
	Text, Note string
	Best       bool
}

// CanAdd reports whether one more column fits.
func (v *comparison) CanAdd() bool { return len(v.keys) < maxCompared }

// comparedKeys returns the distinct keys in an address, which has one parameter per key or a single one with commas.
func comparedKeys(values []string) []string {
	var keys []string
	for key := range strings.SplitSeq(strings.Join(values, ","), ",") {
		key = strings.TrimSpace(key)
		if uuid, ok := model.ParseUUID(key); ok {
			key = uuid
		}
		if key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// comparisonPath returns the path of the comparison of items or players.
func comparisonPath(section string, keys []string) string {
	path := "/" + section + "/compare"
	if len(keys) == 0 {
		return path
	}
	escaped := make([]string, len(keys))
	for i, key := range keys {
		escaped[i] = strings.ReplaceAll(url.QueryEscape(key), "+", "%20") // HTML escapes a plus sign
	}
	return path + "?" + section + "=" + strings.Join(escaped, ",")
}

func without(keys []string, is func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(keys), is)
}

// splitCompared splits the keys of a comparison in one parameter, and reports too many.
func splitCompared(section string, given url.Values) *graph.Error {
	keys := comparedKeys(given[section])
	if len(keys) > maxCompared {
		return graph.Errorf(graph.InvalidQueryParams, "Compare at most %d %s.", maxCompared, section)
	}
	given.Del(section)
	if len(keys) > 0 {
		given[section] = keys
	}
	return nil
}

// newComparison returns the comparison of the found items or players, in the order of the address.
func newComparison[T any](section string, keys []string, found []T, column func(T) comparedColumn) *comparison {
	v := &comparison{Section: section, keys: keys}
	slices.SortFunc(found, func(a, b T) int {
		return cmp.Compare(slices.Index(keys, column(a).Key), slices.Index(keys, column(b).Key))
	})
	for _, object := range found {
		c := column(object)
		c.Without = comparisonPath(section, without(keys, func(key string) bool { return key == c.Key }))
		v.Columns = append(v.Columns, c)
	}
	return v
}

func (v *comparison) notice(format string, args ...any) {
	v.Notices = append(v.Notices, fmt.Sprintf(format, args...))
}

// missing adds a notice about how many keys of the address were not found.
func (v *comparison) missing(keys int) {
	if n := keys - len(v.Columns); n > 0 {
		verb := "do"
		if n == 1 {
			verb = "does"
		}
		v.notice("%d of the %s in the address of this page %s not exist.", n, v.Section, verb)
	}
}

// addRow adds a row of values with the best one marked: the highest, or the lowest if less is better. It shows nil as a
// dash, and adds no row if all values are nil.
func (v *comparison) addRow(name string, less bool, values []*Roll) {
	var tops []int64
	for _, r := range values {
		if r != nil {
			tops = append(tops, r.top())
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
	for _, r := range values {
		cell := comparedCell{Text: "–"}
		if r != nil {
			cell = comparedCell{Text: r.Value(), Best: best != worst && r.top() == best}
		}
		row.Cells = append(row.Cells, cell)
	}
	v.Rows = append(v.Rows, row)
}

// numbers returns a number of each compared item or player, nil where it is missing.
func numbers[T any](list []T, number func(T) *int64) []*Roll {
	out := make([]*Roll, len(list))
	for i, object := range list {
		if n := number(object); n != nil {
			out[i] = &Roll{Raw: *n}
		}
	}
	return out
}

// addTexts adds a row of texts, without marking the best.
func addTexts[T any](v *comparison, name string, list []T, text func(T) string) {
	row := comparedRow{Name: name}
	for _, object := range list {
		row.Cells = append(row.Cells, comparedCell{Text: text(object)})
	}
	v.Rows = append(v.Rows, row)
}
