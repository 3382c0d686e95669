package loaders

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"gamedata/mongo"
)

// Every content collection of the store is loaded, and nothing else.
func TestContentCollections(t *testing.T) {
	var want, got []string
	for _, c := range mongo.Collections {
		if c.Content {
			want = append(want, c.Name)
		}
	}
	content := reflect.ValueOf(newContents(&Source{store: new(mongo.Store)})).Elem()
	for i := range content.NumField() {
		names := content.Field(i).Elem().FieldByName("Tags")
		for n := range names.Len() {
			got = append(got, strings.TrimPrefix(names.Index(n).String(), "content:"))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want the content of mongo.Collections: %v", got, want)
	}
}

// Who loads content after a purge does not get what another began to read before it.
func TestPurgeDuringRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source, reads, release := New(new(mongo.Store), Options{}), 0, make(chan struct{})
		content := cacheOf(source, func(context.Context) (int, error) {
			reads++
			read := reads
			<-release
			return read, nil
		}, "items")
		var before, after int
		go func() { before, _ = content.get(t.Context()) }()
		synctest.Wait()
		source.o.Purges.Purge("content:items")
		go func() { after, _ = content.get(t.Context()) }()
		synctest.Wait()
		close(release)
		synctest.Wait()
		if before == 0 || after != 2 {
			t.Errorf("got read %d after the purge, want the second", after)
		}
	})
}
