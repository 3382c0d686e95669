package mongo_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func readOnly(o *mongo.Options) { o.ReadOnly = true }

func problems(t *testing.T, store *mongo.Store) (texts []string) {
	t.Helper()
	found := must(store.Indexes.Problems(t.Context()))(t)
	for _, p := range found {
		texts = append(texts, p.String()+": "+p.Remedy())
	}
	return texts
}

// records inserts that many empty records.
func records(t *testing.T, c *driver.Collection, n int) {
	t.Helper()
	batch := make([]bson.D, n)
	for i := range batch {
		batch[i] = bson.D{{Key: "_id", Value: mongotest.UUID(i)}}
	}
	must(c.InsertMany(t.Context(), batch))(t)
}

// Opening a store to read creates neither collections nor indexes.
func TestReadOnlyStoreCreatesNothing(t *testing.T) {
	store, server := mongotest.Open(t, readOnly)
	names, err := server.Database(t).ListCollectionNames(t.Context(), bson.D{})
	if err != nil || len(names) > 0 {
		t.Errorf("got the collections %v, %v, want none", names, err)
	}
	if found := problems(t, store); len(found) < 20 {
		t.Errorf("got %d missing indexes, want all", len(found))
	}
}

// Opening a store builds the indexes of small collections and leaves large ones to Indexes.Build,
// whose commands carry no time limit.
func TestLargeIndexesDoNotDelayTheStart(t *testing.T) {
	_, server := mongotest.Open(t, readOnly)
	records(t, server.Database(t).Collection(mongo.Players), 20_001)
	var limited atomic.Int64
	store := mongotest.OpenOn(t, server, func(o *mongo.Options) {
		o.Monitor = &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
			if e.CommandName == "createIndexes" && e.Command.Lookup("maxTimeMS").Type != 0 {
				limited.Add(1)
			}
		}}
	})
	missing := problems(t, store)
	if len(missing) != 9 || !slices.Contains(missing, "players(online, _id) is missing: gamedata migrate") {
		t.Errorf("after the start: got %q, want the indexes of the players", missing)
	}
	var begun, done []string
	built, err := store.Indexes.Build(t.Context(), false, func(b mongo.IndexBuild) {
		if b.Records != 20_001 {
			t.Errorf("got %d records", b.Records)
		}
		if b.Done {
			done = append(done, b.Index)
		} else {
			begun = append(begun, b.Index)
		}
	})
	if err != nil || built != 9 || len(begun) != 9 || !slices.Equal(begun, done) {
		t.Errorf("built %d, %v: %q, %q", built, err, begun, done)
	}
	if left := problems(t, store); len(left) > 0 {
		t.Errorf("after building: %q", left)
	}
	if n := limited.Load(); n > 0 {
		t.Errorf("%d builds carry a time limit", n)
	}
}

// An index with the right key and other options neither keeps the store from opening nor is it replaced
// unasked: the problem names it and the command that replaces it.
func TestIndexWithOtherOptions(t *testing.T) {
	_, server := mongotest.Open(t, readOnly)
	db := server.Database(t)
	for collection, model := range map[string]driver.IndexModel{
		mongo.Guilds:   {Keys: bson.D{{Key: "nameFold", Value: 1}}, Options: options.Index().SetName("byName")},
		mongo.Sessions: {Keys: bson.D{{Key: "expires", Value: 1}}},
		mongo.Usage:    {Keys: bson.D{{Key: "by", Value: 1}}, Options: options.Index().SetName("of_1")},
	} {
		must(db.Collection(collection).Indexes().CreateOne(t.Context(), model))(t)
	}
	store := mongotest.OpenOn(t, server)
	want := []string{
		`guilds(nameFold): the existing index "byName" is not unique: gamedata migrate --replace`,
		`sessions(expires): the existing index "expires_1" expires records at another time: gamedata migrate --replace`,
		`usage(of): the existing index "of_1" has the fields by: gamedata migrate --replace`,
	}
	if got := problems(t, store); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	ignore := func(mongo.IndexBuild) {}
	if _, err := store.Indexes.Build(t.Context(), false, ignore); err == nil || !strings.Contains(err.Error(), "byName") ||
		!strings.Contains(err.Error(), "gamedata migrate --replace") {
		t.Errorf("without replacing: %v", err)
	}
	if n, err := store.Indexes.Build(t.Context(), true, ignore); n != 3 || err != nil {
		t.Errorf("replacing: built %d, %v", n, err)
	}
	if left := problems(t, store); len(left) > 0 {
		t.Errorf("after replacing: %q", left)
	}
}

// A unique index over duplicates cannot be built: the error says so, and the store opens nevertheless.
func TestUniqueIndexOverDuplicates(t *testing.T) {
	_, server := mongotest.Open(t, readOnly)
	records(t, server.Database(t).Collection(mongo.Guilds), 2)
	store := mongotest.OpenOn(t, server)
	if got := problems(t, store); !slices.Equal(got, []string{"guilds(nameFold) is missing: gamedata migrate"}) {
		t.Errorf("got %q", got)
	}
	if _, err := store.Indexes.Build(t.Context(), false, func(mongo.IndexBuild) {}); !driver.IsDuplicateKeyError(err) {
		t.Errorf("got %v, want a duplicate key", err)
	}
}

// Instances that start together on an empty store all get it with all indexes.
func TestInstancesBuildIndexesTogether(t *testing.T) {
	_, server := mongotest.Open(t, readOnly)
	var opened sync.WaitGroup
	for range 4 {
		opened.Go(func() {
			store, err := mongo.Open(context.Background(), server.Options())
			if err != nil {
				t.Error(err)
				return
			}
			if left, err := store.Indexes.Problems(context.Background()); len(left) > 0 || err != nil {
				t.Errorf("%v, %v", left, err)
			}
			if err := store.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	opened.Wait()
}

// A store opens although a build does not end.
func TestStuckIndexBuild(t *testing.T) {
	t.Parallel()
	_, server := mongotest.Open(t, readOnly)
	release := make(chan struct{})
	o := server.Options()
	o.Monitor = &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		if e.CommandName == "createIndexes" {
			<-release
		}
	}}
	store := must(mongo.Open(t.Context(), o))(t)
	if err := store.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	close(release)
	if err := store.Close(context.Background()); err != nil {
		t.Error(err)
	}
}
