package loaders

import (
	"reflect"
	"slices"
	"testing"

	"gamedata/mongo"
)

// Every content collection of the store is loaded, and everything loaded has a content version.
func TestContentCollections(t *testing.T) {
	var want, got []string
	for _, c := range mongo.Collections {
		if c.Content {
			want = append(want, c.Name)
		}
	}
	content := reflect.ValueOf(newContents(new(mongo.Store), nil)).Elem()
	for i := range content.NumField() {
		names := content.Field(i).Elem().FieldByName("families")
		for n := range names.Len() {
			got = append(got, names.Index(n).String())
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want the content of mongo.Collections: %v", got, want)
	}
}
