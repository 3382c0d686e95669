package mongo_test

import (
	"slices"
	"testing"

	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// An index that one shard lacks is found by comparing all shards, from MongoDB 7.0 on: listIndexes shows those of one.
func TestIndexThatOneShardLacks(t *testing.T) {
	_, server := mongotest.Open(t)
	characters := server.Options().Database + "." + mongo.Characters
	cluster := mongotest.NewCluster(server, "a", "b")
	store := mongotest.OpenOn(t, server, func(o *mongo.Options) { o.Dialer = cluster.Proxy })
	find := func() (texts []string) {
		t.Helper()
		found, err := store.Indexes.ProblemsOfShards(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found {
			texts = append(texts, p.String()+": "+p.Remedy())
		}
		return texts
	}
	if got := find(); len(got) > 0 {
		t.Errorf("a cluster that cannot compare indexes: got %q", got)
	}
	cluster.LoseIndex(characters, "owner_1__id_1", "b")
	cluster.LoseIndex(characters, "of_an_administrator", "b")
	cluster.LoseIndex("other."+mongo.Characters, "owner_1__id_1", "b")
	want := []string{"characters(owner, _id) is missing on the shards b: gamedata migrate"}
	if got := find(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	built := 0
	if _, err := store.Indexes.Build(t.Context(), false, func(b mongo.IndexBuild) {
		if b.Done && b.Index == "characters(owner, _id)" {
			built++
		}
	}); err != nil || built != 1 {
		t.Errorf("the index was built %d times: %v", built, err)
	}
}
