package resolvers_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// Pages may be as large as the schema says, and no larger.
func TestLargestPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 60)
	sizes := regexp.MustCompile(`0 to ([\d,]+)`)
	further := map[string]string{"guilds": "nodes{level}"} // names alone have larger pages
	required := map[string]string{"deletions": `since:"2026-01-01T00:00:00Z",`}
	checked := 0
	for _, field := range w.exec.Schema().Query.Fields {
		first := field.Arguments.ForName("first")
		if !strings.HasSuffix(field.Type.Name(), "Connection") || first == nil {
			continue
		}
		most, _ := strconv.Atoi(strings.ReplaceAll(sizes.FindStringSubmatch(first.Description)[1], ",", ""))
		for _, argument := range []string{"first", "last"} {
			var data map[string]any
			query := func(n int) string {
				return fmt.Sprintf("{%s(%s%s:%d){pageInfo{hasNextPage} %s}}", field.Name, required[field.Name], argument, n,
					further[field.Name])
			}
			w.asViewer(t, viewer.Viewer{}, query(most), nil, &data)
			for _, n := range []int{-1, most + 1} {
				if err := refused(t, w.exec, query(n)); err.Code != graph.InvalidQueryParams {
					t.Errorf("%s: got %s", query(n), err.Code)
				}
			}
		}
		checked++
	}
	if checked < 15 {
		t.Errorf("checked %d lists", checked)
	}
}

// Other arguments are checked against the ranges of the schema too.
func TestRangesOfArguments(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 60)
	tooMany := strings.Repeat(`"a",`, 101)
	for query, want := range map[string]string{
		`{nodes(ids: []) {id}}`:                                                               "ids must hold 1 to 100 values.",
		`{nodes(ids: [` + tooMany + `]) {id}}`:                                                "ids must hold 1 to 100 values.",
		`{items(page: 0) {totalCount}}`:                                                       "page must be 1 to 2147483647.",
		`{guildSeasons(last: 1) {nodes {history(first: 51) {guild {name}}}}}`:                 "first must be 1 to 50.",
		`{territoryStatistics: statistics {territories {guilds(first: 1001) {territories}}}}`: "first must be 1 to 1000.",
	} {
		if err := refused(t, w.exec, query); err.Code != graph.InvalidQueryParams || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: got %v, want %s", query, err, want)
		}
	}
}
