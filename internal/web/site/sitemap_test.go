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
			template, listed := sitemapFile(origin, entries, 0, c.limit)
			if c.files > 0 {
				if template != "index" || len(listed) != c.files {
					t.Fatalf("got %s %v, want an index of %d files", template, listed, c.files)
				}
				files := listed
				listed = nil
				for i, f := range files {
					_, part := sitemapFile(origin, entries, i+1, c.limit)
					if want := fmt.Sprintf("%s/sitemap-%d.xml", origin, i+1); f.Location != want || len(part) > c.limit {
						t.Errorf("got %s with %v, want %s", f.Location, part, want)
					}
					listed = append(listed, part...)
				}
			}
			if !slices.Equal(listed, entries) {
				t.Errorf("got %v, want each page once", listed)
			}
			if _, behind := sitemapFile(origin, entries, c.files+1, c.limit); behind != nil {
				t.Error("got a file behind the last one")
			}
		})
	}
}
