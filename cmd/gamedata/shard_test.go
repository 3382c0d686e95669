package main

import (
	"encoding/json"
	"strings"
	"testing"

	"gamedata/mongo/mongotest"
)

// migrate --shard prints the commands, runs them with --apply, and then has nothing left to do.
func TestMigrateShards(t *testing.T) {
	_, server := mongotest.Open(t)
	cluster := mongotest.NewCluster(server, "a", "b")
	uri, name := cluster.Listen(t), server.Options().Database
	expect := func(text string, args ...string) string {
		t.Helper()
		code, out, errs := run(append([]string{"migrate", "--shard", "--mongo-uri", uri, "--mongo-database", name}, args...)...)
		if code != 0 || !strings.Contains(out, text) {
			t.Fatalf("got exit status %d and no %q in\n%s%s", code, text, out, errs)
		}
		return out
	}
	expect(`db.adminCommand({"split":"` + name + `.players","middle":{"_id":"8"}})`)
	var result struct {
		Shards   []string
		Commands []struct {
			Database string
			Command  map[string]any
		}
		Applied int
	}
	if err := json.Unmarshal([]byte(expect("", "--output", "json")), &result); err != nil {
		t.Fatal(err)
	}
	if len(result.Shards) != 2 || len(result.Commands) < 10 || result.Applied != 0 ||
		result.Commands[1].Command["shardCollection"] != name+".players" {
		t.Errorf("got %v", result)
	}
	if sent := cluster.Sent(); len(sent) > 0 {
		t.Errorf("printing sent %v", sent)
	}
	expect("commands run: ", "--apply")
	expect("all collections are sharded as they should be", "--apply")
	if got := cluster.Spread(name + ".characters"); got["a"] != 1 || got["b"] != 1 {
		t.Errorf("characters have the ranges %v", got)
	}
}

func TestMigrateShardsErrors(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"the embedded store has no shards", []string{"--shard", "--data-dir", t.TempDir()}},
		{"needs --shard", []string{"--apply"}},
		{"cannot be used with --shard", []string{"--shard", "--dry-run", "--mongo-uri", "mongodb://127.0.0.1"}},
		{"cannot be used with --shard", []string{"--shard", "--lookups", "--mongo-uri", "mongodb://127.0.0.1"}},
	} {
		code, _, errs := run(append([]string{"migrate"}, c.args...)...)
		if code != 2 || !strings.Contains(errs, c.want) {
			t.Errorf("%v: got exit status %d and %q, want %q", c.args, code, errs, c.want)
		}
	}
}
