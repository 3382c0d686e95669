package mongo_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// faultShapes are the ways in which a server reports an error: calls of the store with the command that
// they send and what the proxy makes of it.
var faultShapes = []struct {
	name, command string
	call          func(context.Context, *mongo.Store) error
	action        func(code int, labels ...string) mongotest.Action
}{
	{"read", "find", func(ctx context.Context, s *mongo.Store) error {
		_, err := s.Players.ByID(ctx, []string{mongotest.UUID(1)})
		return err
	}, commandFailure},
	{"count", "aggregate", func(ctx context.Context, s *mongo.Store) error {
		_, err := s.Guilds.CountMembers(ctx, []string{mongotest.UUID(1)})
		return err
	}, commandFailure},
	{"write", "update", setFlags, commandFailure},
	{"write error", "update", setFlags, writeFailure},
	{"write concern error", "update", setFlags, writeConcernFailure},
	{"insertion", "insert", insertPlayer, commandFailure},
	{"error of an insertion", "insert", insertPlayer, writeFailure},
	{"write concern error of an insertion", "insert", insertPlayer, writeConcernFailure},
	{"bulk", "update", bulkUpdate, commandFailure},
	{"error of a bulk", "update", bulkUpdate, writeFailure},
	{"write concern error of a bulk", "update", bulkUpdate, writeConcernFailure},
	{"find and modify", "findAndModify", takeLease, commandFailure},
	{"write concern error of find and modify", "findAndModify", takeLease, writeConcernFailure},
}

func commandFailure(code int, labels ...string) mongotest.Action {
	return mongotest.Action{Reply: mongotest.CommandFailure(code, labels...)}
}

func writeFailure(code int, labels ...string) mongotest.Action {
	return mongotest.Action{Reply: mongotest.WriteFailure(code, labels...)}
}

func writeConcernFailure(code int, labels ...string) mongotest.Action {
	return mongotest.Action{Amend: mongotest.WriteConcernFailure(code, labels...)}
}

func setFlags(ctx context.Context, s *mongo.Store) error {
	return s.Scores.Flag(ctx, mongo.RankedPlayers, []string{mongotest.UUID(1)})
}

func insertPlayer(ctx context.Context, s *mongo.Store) error {
	return s.Players.Insert(ctx, []*model.Player{{UUID: mongotest.UUID(int(time.Now().UnixNano()))}})
}

func bulkUpdate(ctx context.Context, s *mongo.Store) error {
	return s.Standings.PutPreviousRankings(ctx, mongo.RankedPlayers, []mongo.PreviousRanking{{UUID: mongotest.UUID(1)}})
}

func takeLease(ctx context.Context, s *mongo.Store) error {
	_, err := s.Leases.Take(ctx, "test", "holder", 0)
	return err
}

// After errors by which a server says that it cannot answer now, in whatever form it reports them, calls go on while
// the server responds to pings. Time is simulated: after some of the errors the driver waits before it tries the server
// again.
func TestServerErrors(t *testing.T) {
	codes := []struct {
		code        int
		label       string
		unavailable bool
	}{
		{6, "", true},
		{50, "", true},
		{91, "", true},
		{365, "", true},
		{10107, "", true},
		{11600, "", true},
		{8000, "RetryableWriteError", true},
		{8000, "RetryableReadError", true},
		{8000, "RetryableError", true},
		{8000, "SystemOverloadedError", true},
		{8000, "TransientTransactionError", true},
		{13, "", false},
		{8000, "", false},
		{8000, "NoWritesPerformed", false},
	}
	for _, c := range codes {
		t.Run(fmt.Sprint(c.code, c.label), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { checkServerError(t, c.code, c.label, c.unavailable) })
		})
	}
}

func checkServerError(t *testing.T, code int, label string, unavailable bool) {
	var proxy *mongotest.Proxy
	store, _ := mongotest.Open(t, mongotest.WithProxy(&proxy), func(o *mongo.Options) { o.FailFast = true })
	mage := &model.Character{UUID: mongotest.UUID(1), ClassKey: "MAGE"}
	check(t, store.Characters.Insert(t.Context(), []*model.Character{mage}))
	var labels []string
	if label != "" {
		labels = []string{label}
	}
	for _, shape := range faultShapes {
		action := shape.action(code, labels...)
		if label != "" && shape.command != "find" && action.Reply != nil && action.Reply[0].Value == 1.0 {
			continue // a server labels commands and write concern errors
		}
		var reached atomic.Int64
		proxy.Handle(func(c mongotest.Command) (a mongotest.Action) {
			if c.Name == shape.command {
				reached.Add(1)
				return action
			}
			return a
		})
		for n := range 6 {
			before := reached.Load()
			err := shape.call(t.Context(), store)
			if got := errors.Is(err, mongo.ErrUnavailable); err == nil || got != unavailable {
				t.Errorf("%s: got %v, want unavailable: %t", shape.name, err, unavailable)
			}
			if rejected := reached.Load() == before; rejected {
				t.Errorf("%s: call %d was rejected", shape.name, n+1)
			}
		}
		if got := store.Circuit(); got != "closed" {
			t.Errorf("%s: the circuit is %s though the server responds", shape.name, got)
		}
		proxy.Handle(nil)
		time.Sleep(2 * time.Second) // the breaker lets a call through
		if err := shape.call(t.Context(), store); err != nil {
			t.Errorf("%s: afterwards: %v", shape.name, err)
		}
	}
}

// A call that its caller cancels is no sign that the store is unavailable, whatever the server says.
func TestCancelledCallsAreNoFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var proxy *mongotest.Proxy
		store, _ := mongotest.Open(t, mongotest.WithProxy(&proxy), func(o *mongo.Options) { o.FailFast = true })
		for _, shape := range faultShapes {
			for range 10 {
				ctx, leave := context.WithCancel(t.Context())
				proxy.Handle(func(c mongotest.Command) (a mongotest.Action) {
					if c.Name == shape.command {
						leave()
						return shape.action(6)
					}
					return a
				})
				if err := shape.call(ctx, store); !errors.Is(err, context.Canceled) || errors.Is(err, mongo.ErrUnavailable) {
					t.Errorf("%s: got %v, want context.Canceled alone", shape.name, err)
				}
			}
			if got := store.Circuit(); got != "closed" {
				t.Errorf("%s: the circuit is %s", shape.name, got)
			}
		}
	})
}
