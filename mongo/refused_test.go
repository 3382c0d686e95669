package mongo_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
	"gamedata/mongo/mongotest"
)

// Writes that the store refuses for lack of space, as commands or one by one, are unavailability. They do not open the
// circuit breaker: reads go on.
func TestWritesRefused(t *testing.T) {
	var proxy *mongotest.Proxy
	store, _ := mongotest.Open(t, mongotest.WithProxy(&proxy), func(o *mongo.Options) { o.FailFast = true })
	full := bson.D{{Key: "code", Value: 14031}, {Key: "errmsg", Value: "no space left"}}
	for name, reply := range map[string]bson.D{
		"command": append(bson.D{{Key: "ok", Value: 0}}, full...),
		"write": {
			{Key: "ok", Value: 1},
			{Key: "n", Value: 0},
			{Key: "writeErrors", Value: bson.A{append(bson.D{{Key: "index", Value: 0}}, full...)}},
		},
	} {
		proxy.Handle(func(c mongotest.Command) mongotest.Action {
			if c.Name == "insert" {
				return mongotest.Action{Reply: reply}
			}
			return mongotest.Action{}
		})
		for range 8 {
			err := store.Accounts.Insert(t.Context(), &model.Account{ID: "a", Name: "A"})
			if !errors.Is(err, mongo.ErrUnavailable) || !errors.Is(err, conn.ErrWriteRefused) {
				t.Errorf("%s: got %v, want ErrUnavailable", name, err)
			}
		}
		if _, err := store.Accounts.ByID(t.Context(), []string{"a"}); err != nil || store.Circuit() != "closed" {
			t.Errorf("%s: reading: %v, circuit %s", name, err, store.Circuit())
		}
		if !store.RefusesWrites() {
			t.Errorf("%s: the store does not report it", name)
		}
	}
}

// A store that refuses the writes of a transaction at its commit reports it too.
func TestCommitRefused(t *testing.T) {
	var proxy *mongotest.Proxy
	store, _ := mongotest.Open(t, mongotest.WithProxy(&proxy))
	proxy.Handle(func(c mongotest.Command) (a mongotest.Action) {
		if c.Name == "commitTransaction" {
			a.Reply = mongotest.CommandFailure(14031)
		}
		return a
	})
	err := store.Transact(t.Context(), func(ctx context.Context) error {
		return store.Accounts.Insert(ctx, &model.Account{ID: "a", Name: "A"})
	})
	if !errors.Is(err, conn.ErrWriteRefused) || !store.RefusesWrites() {
		t.Errorf("got %v, refuses writes: %v", err, store.RefusesWrites())
	}
}

// A minute after the last refused write the store counts as one that accepts writes again. Time is simulated.
func TestRefusedWritesAreForgotten(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		server := must(embedded.Open(dir, embedded.Options{NoSync: true}))(t)
		defer server.Close()
		proxy := mongotest.NewProxy(server)
		o := conn.Options{URI: server.URI(), Dialer: proxy, Timeout: time.Minute}
		store := must(mongo.Open(t.Context(), mongo.Options{Options: o}))(t)
		defer store.Close(t.Context())
		proxy.Handle(func(c mongotest.Command) (a mongotest.Action) {
			if c.Name == "insert" {
				a.Reply = mongotest.CommandFailure(14031)
			}
			return a
		})
		if err := store.Accounts.Insert(t.Context(), &model.Account{ID: "a", Name: "A"}); err == nil {
			t.Error("the write was accepted")
		}
		for _, want := range []bool{true, false} {
			if got := store.RefusesWrites(); got != want {
				t.Errorf("refuses writes: got %v, want %v", got, want)
			}
			time.Sleep(time.Minute)
		}
	})
}
