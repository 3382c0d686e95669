package mongo_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/mongotest"
)

// sentCommand is what a replica set gets of a command.
type sentCommand struct{ Server, Read, Concern, Write string }

// options of the URI decide where game data is read from and how it is written; without them it is read
// from the primary while there is one. Accounts, leases, and what is read to be written, are always read
// from the primary, and written with majority; so are access rules.
func TestOptionsOfTheURI(t *testing.T) {
	majority := "majority"
	atPrimary := sentCommand{Server: "a:1", Concern: majority}
	for query, want := range map[string]map[string]sentCommand{
		"": {
			"find players": {Server: "a:1", Read: "primaryPreferred", Concern: majority},
			"find items":   atPrimary,
			"insert":       {Server: "a:1", Write: majority},
		},
		"&readPreference=secondary&maxStalenessSeconds=120&readConcernLevel=local&w=1": {
			"find players": {Server: "b:1", Read: "secondary 120", Concern: "local"},
			"find items":   {Server: "a:1", Concern: "local"},
			"insert":       {Server: "a:1", Write: "1"},
		},
		"&readPreference=secondary&readConcernLevel=majority&w=2&journal=true": {
			"find players": {Server: "b:1", Read: "secondary", Concern: majority},
			"find items":   {Server: "a:1", Concern: majority},
			"insert":       {Server: "a:1", Write: "2 journal"},
		},
	} {
		t.Run(query, func(t *testing.T) {
			want["find players from the primary"] = want["find items"]
			want["find all directories"] = want["find items"]
			want["find accounts"] = atPrimary
			want["findAndModify leases"] = sentCommand{Server: "a:1", Write: majority}
			want["write access rules"] = sentCommand{Server: "a:1", Write: majority}
			if got := commandsOf(t, query); !maps.Equal(got, want) {
				t.Error(cmp.Diff(want, got))
			}
		})
	}
}

// commandsOf makes calls of a store with options in its URI, and returns the commands that they sent.
func commandsOf(t *testing.T, query string) map[string]sentCommand {
	var mu sync.Mutex
	sent := map[string]sentCommand{}
	call := "" // the calls are made one by one
	store := replicaSet(t, query, func(c mongotest.Command) {
		mu.Lock()
		defer mu.Unlock()
		if call != "" {
			sent[call] = describeCommand(c)
		}
	})
	ctx := t.Context()
	// A secondary that the driver has not found yet is not preferred.
	found := func() bool {
		mu.Lock()
		defer mu.Unlock()
		call = "find the secondary"
		return sent[call].Server == "b:1"
	}
	for deadline := time.Now().Add(10 * time.Second); strings.Contains(query, "secondary") && !found() &&
		time.Now().Before(deadline); {
		must(store.Players.ByID(ctx, []string{"x"}))(t)
	}
	delete(sent, "find the secondary")
	for name, do := range map[string]func() error{
		"find players": func() error { _, err := store.Players.ByID(ctx, []string{"x"}); return err },
		"find players from the primary": func() error {
			_, err := store.Players.ByID(mongo.FromPrimary(ctx), []string{"x"})
			return err
		},
		"find items":           func() error { _, err := mongo.Items.Read(ctx, store); return err },
		"find all directories": func() error { _, err := store.Boards.AllDirectories(ctx); return err },
		"find accounts":        func() error { _, err := store.Accounts.ByID(ctx, []string{"x"}); return err },
		"insert": func() error {
			return store.Players.Insert(ctx, []*model.Player{{UUID: mongotest.UUID(1)}})
		},
		"write access rules": func() error {
			open, closed := &model.Player{UUID: mongotest.UUID(1)}, &model.Player{UUID: mongotest.UUID(1)}
			closed.Rules[model.MainAccess] = model.Private
			return store.Apply(ctx, mongo.Save(open, closed))
		},
		"findAndModify leases": func() error {
			_, err := store.Leases.Take(ctx, "x", "x", 0)
			return err
		},
	} {
		mu.Lock()
		call = name
		mu.Unlock()
		if err := do(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		mu.Lock()
		call = ""
		mu.Unlock()
	}
	return sent
}

// replicaSet opens a store on what looks like a replica set of the primary a:1 and the secondary b:1.
func replicaSet(t *testing.T, query string, seen func(mongotest.Command)) *mongo.Store {
	t.Helper()
	_, server := mongotest.Open(t)
	if !server.Embedded() {
		t.Skip("a server elsewhere is not reached by the addresses of this replica set")
	}
	proxy, set := mongotest.NewProxy(server), mongotest.NewReplicaSet(t, "a:1", "b:1")
	proxy.Handle(func(c mongotest.Command) mongotest.Action {
		if slices.Contains([]string{"find", "insert", "bulkWrite", "findAndModify"}, c.Name) {
			seen(c)
		}
		return set.Action(c)
	})
	store, err := mongo.Open(t.Context(), mongo.Options{Options: conn.Options{
		URI: set.URI() + "&retryWrites=false" + query, Dialer: proxy,
		Timeout: 20 * time.Second, ServerSelectionTimeout: 10 * time.Second, StartTimeout: 20 * time.Second,
	}})
	check(t, err)
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	return store
}

func describeCommand(c mongotest.Command) sentCommand {
	var body struct {
		Read struct {
			Mode string `bson:"mode"`
			Age  int    `bson:"maxStalenessSeconds"`
		} `bson:"$readPreference"`
		Concern struct {
			Level string `bson:"level"`
		} `bson:"readConcern"`
		Write struct {
			W       bson.RawValue `bson:"w"`
			Journal bool          `bson:"j"`
		} `bson:"writeConcern"`
	}
	if err := bson.Unmarshal(c.Body, &body); err != nil {
		return sentCommand{Server: err.Error()}
	}
	s := sentCommand{Server: c.Address, Read: body.Read.Mode, Concern: body.Concern.Level}
	if body.Read.Age > 0 {
		s.Read += fmt.Sprint(" ", body.Read.Age)
	}
	if text, ok := body.Write.W.StringValueOK(); ok {
		s.Write = text
	} else if n, ok := body.Write.W.AsInt64OK(); ok {
		s.Write = fmt.Sprint(n)
	}
	if body.Write.Journal {
		s.Write += " journal"
	}
	return s
}
