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

// openCluster opens a store on a server that looks like a cluster.
func openCluster(t *testing.T, shards ...string) (*mongo.Store, *mongotest.Server, *mongotest.Cluster) {
	t.Helper()
	_, server := mongotest.Open(t, readOnly)
	fake := mongotest.NewCluster(server, shards...)
	store := mongotest.OpenOn(t, server, readOnly, func(o *mongo.Options) { o.Dialer = fake.Proxy })
	return store, server, fake
}

func newPlan(t *testing.T, store *mongo.Store, ranges int) *cluster.Plan {
	t.Helper()
	plan, err := cluster.NewPlan(t.Context(), store, ranges)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// testdata/plan.txt has the commands for an empty cluster of three shards; -update rewrites it.
func TestPlan(t *testing.T) {
	store, _, _ := openCluster(t, "shard2", "shard0", "shard1")
	var got strings.Builder
	for _, step := range newPlan(t, store, 0).Steps {
		fmt.Fprintln(&got, step)
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
	store, _, fake := openCluster(t, "a", "b")
	fake.Fail("moveChunk")
	count := func(cluster.Step) {}
	if err := newPlan(t, store, 4).Apply(t.Context(), store, count); err == nil ||
		!strings.Contains(err.Error(), "moveChunk") {
		t.Fatalf("got %v, want the command that failed", err)
	}
	fake.Fail("")
	first := len(fake.Sent())
	plan, applied := newPlan(t, store, 4), 0
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
			n := 2 * len(key.Values)
			want = map[string]int{"a": n, "b": n}
		}
		if got := fake.Spread("gamedata." + c.Name); !maps.Equal(got, want) {
			t.Errorf("%s has the ranges %v, want %v", c.Name, got, want)
		}
	}
	if left := newPlan(t, store, 4); len(left.Steps) > 0 || len(left.Problems) > 0 {
		t.Errorf("left: %v, %q", left.Steps, left.Problems)
	}
}

// More ranges of a collection that is spread already are split off; moved are those that are on another shard then. One
// that was split elsewhere is left alone: no command could move a range that has such a bound within.
func TestPlanOfOtherRanges(t *testing.T) {
	store, _, fake := openCluster(t, "a", "b")
	if err := newPlan(t, store, 0).Apply(t.Context(), store, func(cluster.Step) {}); err != nil {
		t.Fatal(err)
	}
	of := func(plan *cluster.Plan) (steps []string) {
		for _, s := range plan.Steps {
			if text := s.String(); strings.Contains(text, `"gamedata.players"`) {
				steps = append(steps, text)
			}
		}
		return steps
	}
	want := []string{
		`db.adminCommand({"split":"gamedata.players","middle":{"_id":"4"}})`,
		`db.adminCommand({"split":"gamedata.players","middle":{"_id":"c"}})`,
	}
	if got := of(newPlan(t, store, 4)); !slices.Equal(got, want) {
		t.Errorf("four ranges instead of two: got %q, want %q", got, want)
	}
	if got := newPlan(t, store, 3).Steps; len(got) > 0 {
		t.Errorf("three ranges instead of two: got %v", got)
	}
	fake.AddShard("c")
	if got := newPlan(t, store, 0).Steps; len(got) > 0 {
		t.Errorf("with another shard: got %v", got)
	}
}

// A step that another process runs first fails, and is no error.
func TestPlanAppliedTwice(t *testing.T) {
	store, _, fake := openCluster(t, "a", "b")
	ignore := func(cluster.Step) {}
	plan := newPlan(t, store, 0)
	for range 2 {
		if err := plan.Apply(t.Context(), store, ignore); err != nil {
			t.Fatal(err)
		}
	}
	if got := fake.Spread("gamedata.players"); !maps.Equal(got, map[string]int{"a": 1, "b": 1}) {
		t.Errorf("players have the ranges %v", got)
	}
}

// A service that was started before has left no record that keeps a collection in one range.
func TestPlanOfStartedStore(t *testing.T) {
	_, server := mongotest.Open(t)
	fake := mongotest.NewCluster(server, "a", "b")
	store := mongotest.OpenOn(t, server, readOnly, func(o *mongo.Options) { o.Dialer = fake.Proxy })
	plan := newPlan(t, store, 0)
	for _, c := range mongo.Collections {
		split := slices.ContainsFunc(plan.Steps, func(s cluster.Step) bool {
			return s.Command[0] == bson.E{Key: "split", Value: "gamedata." + c.Name}
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
	if err := fake.Shard("gamedata."+mongo.History, bson.D{{Key: "_id", Value: "hashed"}}); err != nil {
		t.Fatal(err)
	}
	plan := newPlan(t, store, 0)
	var got []string
	for _, step := range plan.Steps {
		if text := step.String(); strings.Contains(text, "players") || strings.Contains(text, "characters") ||
			strings.Contains(text, "history") {
			got = append(got, text)
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
	if len(plan.Problems) != 1 || !strings.Contains(plan.Problems[0], "gamedata.history is sharded by another key") ||
		!strings.Contains(plan.Problems[0], `{"reshardCollection":"gamedata.history","key":{"_id":1}}`) {
		t.Errorf("got the problems %q", plan.Problems)
	}
}

func TestPlanErrors(t *testing.T) {
	store, server := mongotest.Open(t, readOnly)
	if server.Embedded() {
		if _, err := cluster.NewPlan(t.Context(), store, 0); !errors.Is(err, cluster.ErrNotSharded) {
			t.Errorf("got %v, want ErrNotSharded", err)
		}
	}
	for ranges, fake := range map[int]*mongotest.Cluster{
		0: mongotest.NewCluster(server),
		2: mongotest.NewCluster(server, "a", "b", "c"),
	} {
		store := mongotest.OpenOn(t, server, readOnly, func(o *mongo.Options) { o.Dialer = fake.Proxy })
		if plan, err := cluster.NewPlan(t.Context(), store, ranges); err == nil {
			t.Errorf("%d ranges: got %v, want an error", ranges, plan)
		}
	}
}
