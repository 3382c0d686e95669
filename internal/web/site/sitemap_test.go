package site

import (
	"fmt"
	"slices"
	"testing"
)

// A sitemap with more pages than one file may list is split into files that an index names, which list each page once.
func TestSitemapFile(t *testing.T) {
	const origin = "https://example.com"
	var entries []sitemapEntry
	for i := range 5 {
		entries = append(entries, sitemapEntry{Location: fmt.Sprint(origin, "/", i)})
	}
	for name, c := range map[string]struct{ limit, files int }{
		"one file": {5, 0}, "full files": {1, 5}, "a rest": {2, 3}, "a rest of one": {4, 2},
	} {
		t.Run(name, func(t *testing.T) {
			first := sitemapFile(origin, entries, 0, c.limit)
			if c.files == 0 {
				if set, ok := first.(urlSet); !ok || !slices.Equal(set.URLs, entries) {
					t.Errorf("got %v, want all pages", first)
				}
				if sitemapFile(origin, entries, 1, c.limit) != nil {
					t.Error("got a part of a sitemap that is not split")
				}
				return
			}
			index, ok := first.(sitemapIndex)
			if !ok || len(index.Files) != c.files {
				t.Fatalf("got %v, want an index of %d files", first, c.files)
			}
			var listed []sitemapEntry
			for i, f := range index.Files {
				set, ok := sitemapFile(origin, entries, i+1, c.limit).(urlSet)
				if want := fmt.Sprintf("%s/sitemap-%d.xml", origin, i+1); f.Location != want || !ok || len(set.URLs) > c.limit {
					t.Errorf("got %s with %v, want %s", f.Location, set, want)
				}
				listed = append(listed, set.URLs...)
			}
			if !slices.Equal(listed, entries) {
				t.Errorf("got %v, want each page once", listed)
			}
			if sitemapFile(origin, entries, c.files+1, c.limit) != nil {
				t.Error("got a file behind the last one")
			}
		})
	}
}
