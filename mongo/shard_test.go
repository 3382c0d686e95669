package mongo_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// of returns the full name of a collection of a server.
func of(server *mongotest.Server, collection string) string {
	return server.Options().Database + "." + collection
}

// openCluster opens a store on a server that looks like a cluster.
func openCluster(t *testing.T, shards ...string) (*mongo.Store, *mongotest.Server, *mongotest.Cluster) {
	t.Helper()
	_, server := mongotest.Open(t, readOnly)
	cluster := mongotest.NewCluster(server, shards...)
	store := mongotest.OpenOn(t, server, readOnly, func(o *mongo.Options) { o.Dialer = cluster.Proxy })
	return store, server, cluster
}

func shardPlan(t *testing.T, store *mongo.Store) *mongo.ShardPlan {
	t.Helper()
	plan, err := store.ShardPlan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// testdata/shard.txt has the commands for an empty cluster of three shards; -update rewrites it.
func TestShardPlan(t *testing.T) {
	store, server, _ := openCluster(t, "shard2", "shard0", "shard1")
	var got strings.Builder
	for _, step := range shardPlan(t, store).Steps {
		fmt.Fprintln(&got, strings.ReplaceAll(step.String(), server.Options().Database, "gamedata"))
	}
	const path = "testdata/shard.txt"
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || got.String() != string(want) {
		t.Errorf("%v; got\n%s", err, got.String())
	}
}

// Applying a plan spreads every sharded collection; then there is nothing left to do. After an interruption the steps
// left are in the next plan.
func TestApplyShardPlan(t *testing.T) {
	store, server, cluster := openCluster(t, "a", "b")
	cluster.Fail("moveChunk")
	count := func(mongo.ShardStep) {}
	if err := store.ApplyShardPlan(t.Context(), shardPlan(t, store), count); err == nil ||
		!strings.Contains(err.Error(), "moveChunk") {
		t.Fatalf("got %v, want the command that failed", err)
	}
	cluster.Fail("")
	first := len(cluster.Sent())
	plan, applied := shardPlan(t, store), 0
	if err := store.ApplyShardPlan(t.Context(), plan, func(mongo.ShardStep) { applied++ }); err != nil {
		t.Fatal(err)
	}
	if first == 0 || applied != len(plan.Steps) {
		t.Errorf("ran %d commands before the failure, then %d of %d", first, applied, len(plan.Steps))
	}
	for _, c := range mongo.Collections {
		want := map[string]int{}
		switch key := c.ShardKey; {
		case key.Hashed: // spread by MongoDB
			want["a"] = 1
		case key.Fields != nil:
			n := max(1, len(key.Values))
			want = map[string]int{"a": n, "b": n}
		}
		if got := cluster.Spread(of(server, c.Name)); !maps.Equal(got, want) {
			t.Errorf("%s has the ranges %v, want %v", c.Name, got, want)
		}
	}
	if left := shardPlan(t, store); len(left.Steps) > 0 || len(left.Problems) > 0 {
		t.Errorf("left: %v, %q", left.Steps, left.Problems)
	}
}

// Empty collections that are spread already are split further when the shards double, and the new ranges go to the new
// shards. Otherwise a collection that was split at other bounds is left to the balancer: no command could move a range
// that has such a bound within.
func TestShardPlanOfMoreShards(t *testing.T) {
	store, server, cluster := openCluster(t, "a", "b")
	if err := store.ApplyShardPlan(t.Context(), shardPlan(t, store), func(mongo.ShardStep) {}); err != nil {
		t.Fatal(err)
	}
	cluster.AddShard("c")
	if got := shardPlan(t, store).Steps; len(got) > 0 {
		t.Errorf("three shards instead of two: got %v", got)
	}
	cluster.AddShard("d")
	players := of(server, mongo.Players)
	var got []string
	for _, s := range shardPlan(t, store).Steps {
		if text := s.String(); strings.Contains(text, `"`+players+`"`) {
			got = append(got, strings.ReplaceAll(text, players, "players"))
		}
	}
	want := []string{
		`db.adminCommand({"split":"players","middle":{"_id":"4"}})`,
		`db.adminCommand({"split":"players","middle":{"_id":"c"}})`,
		`db.adminCommand({"moveChunk":"players","bounds":[{"_id":"4"},{"_id":"8"}],"to":"b"})`,
		`db.adminCommand({"moveChunk":"players","bounds":[{"_id":"8"},{"_id":"c"}],"to":"c"})`,
		`db.adminCommand({"moveChunk":"players","bounds":[{"_id":"c"},{"_id":MaxKey()}],"to":"d"})`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("four shards instead of two: got\n%s", strings.Join(got, "\n"))
	}
}

// A step that another process runs first fails, and is no error.
func TestShardPlanAppliedTwice(t *testing.T) {
	store, server, cluster := openCluster(t, "a", "b")
	ignore := func(mongo.ShardStep) {}
	plan := shardPlan(t, store)
	for range 2 {
		if err := store.ApplyShardPlan(t.Context(), plan, ignore); err != nil {
			t.Fatal(err)
		}
	}
	if got := cluster.Spread(of(server, mongo.Players)); !maps.Equal(got, map[string]int{"a": 1, "b": 1}) {
		t.Errorf("players have the ranges %v", got)
	}
}

// A service that was started before has left no record that keeps a collection in one range.
func TestShardPlanOfStartedStore(t *testing.T) {
	_, server := mongotest.Open(t)
	cluster := mongotest.NewCluster(server, "a", "b")
	store := mongotest.OpenOn(t, server, readOnly, func(o *mongo.Options) { o.Dialer = cluster.Proxy })
	plan := shardPlan(t, store)
	for _, c := range mongo.Collections {
		split := slices.ContainsFunc(plan.Steps, func(s mongo.ShardStep) bool {
			return s.Command[0] == bson.E{Key: "split", Value: of(server, c.Name)}
		})
		if want := c.ShardKey.Fields != nil && !c.ShardKey.Hashed; split != want {
			t.Errorf("%s is split: %t, want %t", c.Name, split, want)
		}
	}
}

// Collections with records are sharded, and left to the balancer; one with another key is named and left alone.
func TestShardPlanOfUsedStore(t *testing.T) {
	store, server, cluster := openCluster(t, "a", "b")
	db := server.Database(t)
	records(t, db.Collection(mongo.Players), 1)
	records(t, db.Collection(mongo.Characters), 1)
	if err := cluster.Shard(of(server, mongo.History), bson.D{{Key: "_id", Value: "hashed"}}); err != nil {
		t.Fatal(err)
	}
	plan := shardPlan(t, store)
	var got []string
	for _, step := range plan.Steps {
		if text := step.String(); strings.Contains(text, "players") || strings.Contains(text, "characters") ||
			strings.Contains(text, "history") {
			got = append(got, strings.ReplaceAll(text, server.Options().Database, "gamedata"))
		}
	}
	want := []string{
		`db.adminCommand({"shardCollection":"gamedata.players","key":{"_id":1}})`,
		`db.getSiblingDB("gamedata").runCommand({"createIndexes":"characters","indexes":` +
			`[{"key":{"owner":1,"_id":1},"name":"owner_1__id_1"}]})`,
		`db.adminCommand({"shardCollection":"gamedata.characters","key":{"owner":1,"_id":1}})`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	history := of(server, mongo.History)
	if len(plan.Problems) != 1 || !strings.Contains(plan.Problems[0], history+" is sharded by another key") ||
		!strings.Contains(plan.Problems[0], `{"reshardCollection":"`+history+`","key":{"_id":1}}`) {
		t.Errorf("got the problems %q", plan.Problems)
	}
}

func TestShardPlanErrors(t *testing.T) {
	store, server := mongotest.Open(t, readOnly)
	if server.Embedded() {
		if _, err := store.ShardPlan(t.Context()); !errors.Is(err, mongo.ErrNotSharded) {
			t.Errorf("got %v, want ErrNotSharded", err)
		}
	}
	store = mongotest.OpenOn(t, server, readOnly, func(o *mongo.Options) { o.Dialer = mongotest.NewCluster(server).Proxy })
	if plan, err := store.ShardPlan(t.Context()); err == nil {
		t.Errorf("without shards: got %v, want an error", plan)
	}
}

// An index that one shard lacks is found by comparing all shards, from MongoDB 7.0 on: listIndexes shows those of one.
func TestIndexThatOneShardLacks(t *testing.T) {
	_, server := mongotest.Open(t)
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
	cluster.LoseIndex(of(server, mongo.Characters), "owner_1__id_1", "b")
	cluster.LoseIndex(of(server, mongo.Characters), "of_an_administrator", "b")
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
