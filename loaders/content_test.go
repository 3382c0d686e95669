package loaders

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/internal/cache"
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
		source.purges.Purge("content:items")
		go func() { after, _ = content.get(t.Context()) }()
		synctest.Wait()
		close(release)
		synctest.Wait()
		if before == 0 || after != 2 {
			t.Errorf("got read %d after the purge, want the second", after)
		}
	})
}

// The list of seasons is read once a minute, and again after a purge of everything or of seasons.
func TestPurgedSeasons(t *testing.T) {
	w := newOnlineWorld(t)
	if err := mongo.Seasons.Put(t.Context(), w.store, []*model.GuildSeason{{Number: 1}}); err != nil {
		t.Fatal(err)
	}
	db, err := w.store.Unlimited()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Client().Disconnect(t.Context()) }()
	seasons := func() []*model.GuildSeason {
		ctx := w.source.Attach(t.Context(), nil)
		found, err := From(ctx).Seasons.Load(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return found.All
	}
	for n, purge := range []string{cache.Everything, "content:seasons"} {
		before := len(seasons())
		season := bson.D{{Key: "_id", Value: n + 2}}
		if _, err := db.Collection(mongo.Seasons.Name).InsertOne(t.Context(), season); err != nil {
			t.Fatal(err)
		}
		w.purges.Purge("player:x")
		if got := len(seasons()); got != before {
			t.Errorf("before a purge: got %d seasons, want %d", got, before)
		}
		w.purges.Purge(purge)
		if got := len(seasons()); got != before+1 {
			t.Errorf("after a purge of %s: got %d seasons, want %d", purge, got, before+1)
		}
	}
}
