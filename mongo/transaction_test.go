package mongo_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/mongotest"
)

// A transaction that lost twice writes its records first: now the other one conflicts.
func TestConflictsAreFair(t *testing.T) {
	repeats := -1
	store, server := mongotest.Open(t, func(o *mongo.Options) {
		o.OnTransaction = func(n int, _ error) { repeats = n }
	})
	id := mongotest.UUID(1)
	check(t, store.Players.Insert(t.Context(), []*model.Player{{UUID: id, Username: "Salted"}}))
	players := server.Database(t).Collection(mongo.Players)
	rival := func() error {
		session, err := players.Database().Client().StartSession()
		if err != nil {
			return err
		}
		defer session.EndSession(t.Context())
		if err := session.StartTransaction(); err != nil {
			return err
		}
		ctx := driver.NewSessionContext(t.Context(), session)
		increment := bson.D{{Key: "$inc", Value: bson.D{{Key: "support", Value: 1}}}}
		if _, err := players.UpdateByID(ctx, id, increment); err != nil {
			return err
		}
		return session.CommitTransaction(ctx)
	}
	runs := 0
	err := store.Players.Edit(t.Context(), id, func(p *model.Player) error {
		runs++
		err := rival()
		if lost := runs <= 2; lost && err != nil || !lost && !conn.HasCode(err, 112) {
			t.Errorf("run %d: the other transaction got %v", runs, err)
		}
		p.Username = "Brindle"
		return nil
	})
	if err != nil || runs != 3 || repeats != 2 {
		t.Errorf("%d runs, %d repeats counted, %v", runs, repeats, err)
	}
	raw, err := players.FindOne(t.Context(), bson.D{{Key: "_id", Value: id}}).Raw()
	if err != nil || raw.Lookup("username").StringValue() != "Brindle" || raw.Lookup("touched").Type != 0 {
		t.Errorf("stored %v, %v", raw, err)
	}
}

// A write whose reply is lost purges at once, and again when the process reads its announcement: the store may have
// made the write later.
func TestLostReplyPurges(t *testing.T) {
	t.Parallel()
	edit := func(ctx context.Context, s *mongo.Store) error {
		return s.Players.Edit(ctx, mongotest.UUID(1), func(p *model.Player) error {
			p.Rules = model.AccessRules{model.MainAccess: model.Friend}
			return nil
		})
	}
	for name, c := range map[string]struct {
		write   func(context.Context, *mongo.Store) error
		command string
		tag     string
	}{
		"transaction": {edit, "commitTransaction", "player:" + mongotest.UUID(1)},
		"single write": {func(ctx context.Context, s *mongo.Store) error {
			return s.Purge(ctx, "guild:a")
		}, "insert", "guild:a"},
		"content": {func(ctx context.Context, s *mongo.Store) error {
			return mongo.Seasons.Put(ctx, s, []*model.GuildSeason{{Number: 1}})
		}, "insert", "content:seasons"},
		"items": {func(ctx context.Context, s *mongo.Store) error {
			return mongo.Items.Put(ctx, s, []*model.Item{{InternalName: "a"}})
		}, "commitTransaction", "content:items"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var proxy *mongotest.Proxy
			store, server := mongotest.Open(t, mongotest.WithProxy(&proxy))
			check(t, mongotest.OpenOn(t, server).Players.Insert(t.Context(), []*model.Player{
				{UUID: mongotest.UUID(1), Username: "Salted"},
			}))
			now := time.Now()
			reader := must(store.FollowPurges(t.Context(), now))(t)
			var here []string
			store.OnPurge(func(tags ...string) { here = append(here, tags...) })
			var forwarded atomic.Bool
			proxy.Handle(func(command mongotest.Command) mongotest.Action {
				if command.Name != c.command {
					return mongotest.Action{}
				}
				return mongotest.Action{HangUp: true, Forward: !forwarded.Swap(true)}
			})
			if err := c.write(t.Context(), store); !errors.Is(err, mongo.ErrUnavailable) {
				t.Fatalf("got %v", err)
			}
			proxy.Handle(nil)
			there, err := reader.Next(t.Context(), now)
			here, there = slices.Compact(here), slices.Compact(there)
			if want := []string{c.tag}; err != nil || !slices.Equal(here, want) || !slices.Equal(there, want) {
				t.Errorf("purged %v here, %v by the announcement, %v; want %v", here, there, err, want)
			}
		})
	}
}

// On shards an announcement may be visible before the change: it is used until the longest transaction has ended.
func TestPurgesOnShards(t *testing.T) {
	var proxy *mongotest.Proxy
	store, server := mongotest.Open(t, mongotest.WithProxy(&proxy), func(o *mongo.Options) {
		// A router is in no replica set.
		o.URI = regexp.MustCompile("replicaSet=[^&]*").ReplaceAllString(o.URI, "appName=test")
		proxy.Handle(func(c mongotest.Command) mongotest.Action {
			if c.Name != "hello" && c.Name != "isMaster" && c.Name != "ismaster" {
				return mongotest.Action{}
			}
			return mongotest.Action{Amend: func(hello bson.D) bson.D {
				hello = slices.DeleteFunc(hello, func(e bson.E) bool {
					return slices.Contains([]string{"setName", "setVersion", "hosts", "primary", "me", "secondary"}, e.Key)
				})
				return append(hello, bson.E{Key: "msg", Value: "isdbgrid"})
			}}
		})
	})
	now := time.Now()
	reader := must(store.FollowPurges(t.Context(), now))(t)
	check(t, mongotest.OpenOn(t, server).Purge(t.Context(), "guild:a"))
	for _, c := range []struct {
		after time.Duration
		want  int
	}{
		{0, 1},
		{time.Second, 1},
		{2 * time.Second, 0},
		{mongo.LongestTransaction, 0},
		{mongo.LongestTransaction + time.Second, 1},
		{mongo.LongestTransaction + 2*time.Second, 0},
	} {
		if got, err := reader.Next(t.Context(), now.Add(c.after)); err != nil || len(got) != c.want {
			t.Errorf("after %v: got %v, %v", c.after, got, err)
		}
	}
}

// Every collection exists before the first transaction: one across shards cannot create any.
func TestCollectionsExist(t *testing.T) {
	_, server := mongotest.Open(t)
	names, err := server.Database(t).ListCollectionNames(t.Context(), bson.D{})
	for _, c := range mongo.Collections {
		if err != nil || !slices.Contains(names, c.Name) {
			t.Errorf("%s is missing, %v", c.Name, err)
		}
	}
}

// Events that an election may roll back are not read, whatever the URI says.
func TestEventsAreReadByMajority(t *testing.T) {
	var proxy *mongotest.Proxy
	store, _ := mongotest.Open(t, mongotest.WithProxy(&proxy), func(o *mongo.Options) {
		o.URI += "&readConcernLevel=local"
	})
	proxy.Handle(func(c mongotest.Command) mongotest.Action {
		if level, _ := c.Body.Lookup("readConcern", "level").StringValueOK(); c.Name == "find" && level != "majority" {
			t.Errorf("read with the concern %q", level)
		}
		return mongotest.Action{}
	})
	_, first := store.Events.After(t.Context(), mongo.EventQuery{Limit: 1})
	_, second := store.Events.ByID(t.Context(), []string{"a"})
	_, third := store.Events.IDs(t.Context(), "", "")
	check(t, errors.Join(first, second, third))
}
