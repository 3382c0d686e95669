package cluster_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo"
	"gamedata/mongo/cluster"
	"gamedata/mongo/mongotest"
)

var update = flag.Bool("update", false, "rewrite testdata")

func readOnly(o *mongo.Options) { o.ReadOnly = true }

// of returns the full name of a collection of a server.
func of(server *mongotest.Server, collection string) string {
	return server.Options().Database + "." + collection
}

// openCluster opens a store on a server that looks like a cluster.
func openCluster(t *testing.T, shards ...string) (*mongo.Store, *mongotest.Server, *mongotest.Cluster) {
	t.Helper()
	_, server := mongotest.Open(t, readOnly)
	fake := mongotest.NewCluster(server, shards...)
	store := mongotest.OpenOn(t, server, readOnly, func(o *mongo.Options) { o.Dialer = fake.Proxy })
	return store, server, fake
}

func newPlan(t *testing.T, store *mongo.Store) *cluster.Plan {
	t.Helper()
	plan, err := cluster.NewPlan(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// testdata/plan.txt has the commands for an empty cluster of three shards; -update rewrites it.
func TestPlan(t *testing.T) {
	store, server, _ := openCluster(t, "shard2", "shard0", "shard1")
	var got strings.Builder
	for _, step := range newPlan(t, store).Steps {
		fmt.Fprintln(&got, strings.ReplaceAll(step.String(), server.Options().Database, "gamedata"))
	}
	const path = "testdata/plan.txt"
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
func TestApply(t *testing.T) {
	store, server, fake := openCluster(t, "a", "b")
	fake.Fail("moveChunk")
	count := func(cluster.Step) {}
	if err := newPlan(t, store).Apply(t.Context(), store, count); err == nil ||
		!strings.Contains(err.Error(), "moveChunk") {
		t.Fatalf("got %v, want the command that failed", err)
	}
	fake.Fail("")
	first := len(fake.Sent())
	plan, applied := newPlan(t, store), 0
	if err := plan.Apply(t.Context(), store, func(cluster.Step) { applied++ }); err != nil {
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
			n := len(key.Values)
			want = map[string]int{"a": n, "b": n}
		}
		if got := fake.Spread(of(server, c.Name)); !maps.Equal(got, want) {
			t.Errorf("%s has the ranges %v, want %v", c.Name, got, want)
		}
	}
	if left := newPlan(t, store); len(left.Steps) > 0 || len(left.Problems) > 0 {
		t.Errorf("left: %v, %q", left.Steps, left.Problems)
	}
}

// Empty collections that are spread already are split further when the shards double, and the new ranges go to the new
// shards. Otherwise a collection that was split at other bounds is left to the balancer: no command could move a range
// that has such a bound within.
func TestPlanOfMoreShards(t *testing.T) {
	store, server, fake := openCluster(t, "a", "b")
	if err := newPlan(t, store).Apply(t.Context(), store, func(cluster.Step) {}); err != nil {
		t.Fatal(err)
	}
	fake.AddShard("c")
	if got := newPlan(t, store).Steps; len(got) > 0 {
		t.Errorf("three shards instead of two: got %v", got)
	}
	fake.AddShard("d")
	players := of(server, mongo.Players)
	var got []string
	for _, s := range newPlan(t, store).Steps {
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
func TestPlanAppliedTwice(t *testing.T) {
	store, server, fake := openCluster(t, "a", "b")
	ignore := func(cluster.Step) {}
	plan := newPlan(t, store)
	for range 2 {
		if err := plan.Apply(t.Context(), store, ignore); err != nil {
			t.Fatal(err)
		}
	}
	if got := fake.Spread(of(server, mongo.Players)); !maps.Equal(got, map[string]int{"a": 1, "b": 1}) {
		t.Errorf("players have the ranges %v", got)
	}
}

// A service that was started before has left no record that keeps a collection in one range.
func TestPlanOfStartedStore(t *testing.T) {
	_, server := mongotest.Open(t)
	fake := mongotest.NewCluster(server, "a", "b")
	store := mongotest.OpenOn(t, server, readOnly, func(o *mongo.Options) { o.Dialer = fake.Proxy })
	plan := newPlan(t, store)
	for _, c := range mongo.Collections {
		split := slices.ContainsFunc(plan.Steps, func(s cluster.Step) bool {
			return s.Command[0] == bson.E{Key: "split", Value: of(server, c.Name)}
		})
		if want := c.ShardKey.Fields != nil && !c.ShardKey.Hashed; split != want {
			t.Errorf("%s is split: %t, want %t", c.Name, split, want)
		}
	}
}

// Collections with records are sharded, and left to the balancer; one with another key is named and left alone.
func TestPlanOfUsedStore(t *testing.T) {
	store, server, fake := openCluster(t, "a", "b")
	db := server.Database(t)
	for _, name := range []string{mongo.Players, mongo.Characters} {
		if _, err := db.Collection(name).InsertOne(t.Context(), bson.D{{Key: "_id", Value: "x"}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := fake.Shard(of(server, mongo.History), bson.D{{Key: "_id", Value: "hashed"}}); err != nil {
		t.Fatal(err)
	}
	plan := newPlan(t, store)
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

func TestPlanErrors(t *testing.T) {
	store, server := mongotest.Open(t, readOnly)
	if server.Embedded() {
		if _, err := cluster.NewPlan(t.Context(), store); !errors.Is(err, cluster.ErrNotSharded) {
			t.Errorf("got %v, want ErrNotSharded", err)
		}
	}
	store = mongotest.OpenOn(t, server, readOnly, func(o *mongo.Options) { o.Dialer = mongotest.NewCluster(server).Proxy })
	if plan, err := cluster.NewPlan(t.Context(), store); err == nil {
		t.Errorf("without shards: got %v, want an error", plan)
	}
}
