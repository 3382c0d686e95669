package importer

import (
	"maps"
	"slices"
	"testing"

	"gamedata/mongo"
)

// The table of collections and the readers name the same root fields, and none is both imported and
// not imported.
func TestReadersMatchCollections(t *testing.T) {
	listed := map[string]bool{}
	for _, c := range mongo.Collections {
		for _, field := range c.ImportedFrom {
			listed[field] = true
			if readers[field] == nil && lists[field] == nil {
				t.Errorf("%s is imported from %s, which has no reader", c.Name, field)
			}
		}
	}
	for _, field := range slices.AppendSeq(slices.Sorted(maps.Keys(readers)), maps.Keys(lists)) {
		if !listed[field] {
			t.Errorf("no collection is imported from %s, but it has a reader", field)
		}
		if notImported[field] != "" {
			t.Errorf("%s has a reader and a reason why it has none", field)
		}
	}
}
