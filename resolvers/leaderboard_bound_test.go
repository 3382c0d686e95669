package resolvers

import (
	"slices"
	"testing"

	"gamedata/loaders"
)

// A search ends after maxSearched entries with a short page, behind which the next one goes on, in both directions.
func TestBoardSearchIsBounded(t *testing.T) {
	const count = 12_345
	var want []int
	for at := 4100; at <= count; at += 4100 { // one in a page of the search, or none
		want = append(want, at)
	}
	for _, backward := range []bool{false, true} {
		var got []int
		from, to, pages := 1, count+1, 0
		for more := true; more; pages++ {
			looked := 0
			s := boardSearch{window: window{limit: 3, backward: backward}, from: from, to: to}
			err := s.run(func(first, n int) ([]loaders.BoardEntry, error) {
				looked += n
				part := make([]loaders.BoardEntry, n)
				for i := range part {
					part[i].Position = first + i
				}
				return part, nil
			}, func(part []loaders.BoardEntry) ([]loaders.BoardEntry, error) {
				return slices.DeleteFunc(slices.Clone(part), func(e loaders.BoardEntry) bool { return e.Position%4100 > 0 }), nil
			})
			if err != nil || looked > maxSearched || (s.end != nil) != s.more {
				t.Fatalf("looked at %d, more %v, end %v, %v", looked, s.more, s.end, err)
			}
			page := make([]int, len(s.found))
			for i, e := range s.found {
				page[i] = e.Position
			}
			got = append(got, page...)
			if backward {
				got = append(page, got[:len(got)-len(page)]...)
			}
			from, to, more = s.from, s.to, s.more
		}
		if !slices.Equal(got, want) || pages != 3 {
			t.Errorf("backward %v: got %v in %d pages, want %v", backward, got, pages, want)
		}
	}
}
