package mongo_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
	"gamedata/mongo/mongotest"
)

// electing is a store on a replica set whose time is simulated.
type electing struct {
	*mongo.Store
	set   *mongotest.ReplicaSet
	proxy *mongotest.Proxy
}

// withReplicaSet runs a test on a store with default timeouts on a replica set.
func withReplicaSet(t *testing.T, set func(testing.TB) *mongotest.ReplicaSet, test func(*testing.T, electing)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		server := must(embedded.Open(dir, embedded.Options{NoSync: true}))(t)
		e := electing{set: set(t), proxy: mongotest.NewProxy(server)}
		e.proxy.Handle(e.set.Action)
		o := conn.Options{URI: e.set.URI(), Dialer: e.proxy, FailFast: true}
		e.Store = must(mongo.Open(t.Context(), mongo.Options{Options: o}))(t)
		defer func() {
			if err := errors.Join(e.Close(context.Background()), server.Close()); err != nil {
				t.Error(err)
			}
		}()
		test(t, e)
	})
}

func alone(t testing.TB) *mongotest.ReplicaSet { return mongotest.NewReplicaSet(t, "a:1") }

func withSecondary(t testing.TB) *mongotest.ReplicaSet {
	return mongotest.NewReplicaSet(t, "a:1", "b:1")
}

func readPlayer(ctx context.Context, s *mongo.Store) error {
	_, err := s.Players.ByID(ctx, []string{mongotest.UUID(1)})
	return err
}

func readAccount(ctx context.Context, s *mongo.Store) error {
	_, err := s.Accounts.ByID(ctx, []string{"x"})
	return err
}

// For the ten seconds of an election, what needs the primary is unavailable, each call within its timeout, and reads go
// on from a secondary. Then everything succeeds again within 1.3 s: the circuit breaker lets a call through each
// second, and the last one before may have waited 300 ms for a primary.
func TestElection(t *testing.T) {
	const length, recovery = 10 * time.Second, 1300 * time.Millisecond
	withReplicaSet(t, withSecondary, func(t *testing.T, e electing) {
		time.Sleep(time.Second) // the driver finds the secondary
		type namedCall struct {
			name string
			call func(context.Context, *mongo.Store) error
		}
		calls := []namedCall{{"read", readPlayer}}
		for range 3 {
			calls = append(calls, namedCall{"read of the primary", readAccount}, namedCall{"write", bulkUpdate})
		}
		for _, c := range calls {
			if err := c.call(t.Context(), e.Store); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		if rejected := e.set.Rejected(); rejected != 0 {
			t.Errorf("before the election %d commands were rejected", rejected)
		}
		e.set.Interrupt()
		if err := bulkUpdate(t.Context(), e.Store); !errors.Is(err, mongo.ErrUnavailable) {
			t.Errorf("a write when the election begins: %v", err)
		}
		e.set.StepDown()
		begin := time.Now()
		for time.Since(begin) < length {
			for _, c := range calls {
				sent := time.Now()
				err := c.call(t.Context(), e.Store)
				if want := c.name != "read"; errors.Is(err, mongo.ErrUnavailable) != want || (err != nil) != want {
					t.Errorf("%s after %v: %v", c.name, time.Since(begin), err)
				}
				if took := time.Since(sent); took > 800*time.Millisecond {
					t.Errorf("%s took %v", c.name, took)
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
		e.set.Elect("b:1")
		elected := time.Now()
		for _, c := range calls {
			for c.call(t.Context(), e.Store) != nil && time.Since(elected) < time.Minute {
				time.Sleep(20 * time.Millisecond)
			}
			if took := time.Since(elected); took > recovery {
				t.Errorf("%s succeeds %v after the election", c.name, took)
			}
		}
		if got := e.Circuit(); got != "closed" {
			t.Errorf("the circuit is %s", got)
		}
	})
}

// A read that meets the beginning of an election is tried once more, and succeeds when the election is shorter than the
// 300 ms for which it waits for a primary; a longer one makes it fail within its timeout.
func TestReadDuringShortElection(t *testing.T) {
	for _, c := range []struct {
		length time.Duration
		fails  bool
	}{{200 * time.Millisecond, false}, {time.Second, true}} {
		t.Run(c.length.String(), func(t *testing.T) {
			withReplicaSet(t, alone, func(t *testing.T, e electing) {
				e.set.Interrupt()
				sent := time.Now()
				time.AfterFunc(50*time.Millisecond, e.set.StepDown)
				time.AfterFunc(c.length, func() { e.set.Elect("a:1") })
				err := readAccount(t.Context(), e.Store)
				if errors.Is(err, mongo.ErrUnavailable) != c.fails || (err != nil) != c.fails || e.set.Rejected() != 1 {
					t.Errorf("after %v, of %d rejected commands: %v", time.Since(sent), e.set.Rejected(), err)
				}
				if took := time.Since(sent); took > 800*time.Millisecond {
					t.Errorf("it took %v", took)
				}
				time.Sleep(2 * time.Second)
			})
		})
	}
}

// A write whose reply is lost is sent again by the driver, and a replica set carries it out once, whatever its kind.
// Only those of many records are not sent again.
func TestLostRepliesOfAReplicaSet(t *testing.T) {
	sessions := func(t testing.TB) *mongotest.ReplicaSet { return withSecondary(t).WithSessions() }
	withReplicaSet(t, sessions, func(t *testing.T, e electing) {
		ctx, now := t.Context(), time.Now()
		account := &model.Account{ID: "a", Name: "Salted"}
		usage := mongo.UsageBatch{Instance: "A", Number: 1, Usage: []mongo.UsageDelta{
			{Credential: "t", Last: now, Charged: map[string]int64{"PLAYER": 1}},
		}}
		for _, write := range []struct {
			kind string
			do   func() error
		}{
			{"insert", func() error { return e.Accounts.Insert(ctx, account) }},
			{"insert of many", func() error {
				players := []*model.Player{{UUID: mongotest.UUID(1)}, {UUID: mongotest.UUID(2)}}
				return e.Players.Insert(ctx, players)
			}},
			{"events", func() error {
				return e.Events.Append(ctx, mongo.NewEvent{Data: &model.SeasonStarted{Season: 4}})
			}},
			{"bulk with $inc", func() error { return e.Usage.Add(ctx, usage) }},
			{"edit", func() error {
				return e.Accounts.Edit(ctx, "a", func(a *model.Account) error { a.Password = "h"; return nil })
			}},
			{"insert of a code", func() error {
				return e.LinkCodes.Insert(ctx, &model.LinkCode{Digest: "c", Player: "p", Expires: now.Add(time.Hour)})
			}},
			{"find and delete", func() error { _, err := e.LinkCodes.Redeem(ctx, "c", now); return err }},
			{"insert of an authorization code", func() error {
				return e.Codes.Insert(ctx, &model.AuthCode{Digest: "c", Expires: now.Add(time.Hour)})
			}},
			{"find and update", func() error {
				return e.Codes.Redeem(ctx, "c", now, &model.AccessToken{Digest: "t"})
			}},
			{"delete", func() error { return e.Accounts.Delete(ctx, "a") }},
		} {
			time.Sleep(time.Second) // the driver looks for a server every 500 ms at most
			var mu sync.Mutex
			lost, sent := "", 0
			e.proxy.Handle(func(c mongotest.Command) mongotest.Action {
				action := e.set.Action(c)
				if number, ok := c.Body.Lookup("txnNumber").Int64OK(); ok {
					mu.Lock()
					defer mu.Unlock()
					key := fmt.Sprint(c.Body.Lookup("lsid"), number)
					if lost == "" {
						lost, action.HangUp, action.Forward = key, true, true
					}
					if key == lost {
						sent++
					}
				}
				return action
			})
			err := write.do()
			if err != nil {
				t.Errorf("%s: %v", write.kind, err)
			}
			if sent != 2 {
				t.Errorf("%s: the first write was sent %d times, want twice", write.kind, sent)
			}
		}
		if u, err := e.Usage.Of(ctx, []string{"t"}); err != nil || u[0].Charged["PLAYER"] != 1 {
			t.Errorf("usage: got %v, %v", u, err)
		}
		if events := mongotest.Events(t, e.Store); len(events) != 1 {
			t.Errorf("got %d events, want 1", len(events))
		}
	})
}

// A read whose reply is lost is tried once more, at the primary or where the URI says.
func TestLostRepliesOfReads(t *testing.T) {
	withReplicaSet(t, alone, func(t *testing.T, e electing) {
		for _, read := range []func(context.Context, *mongo.Store) error{readAccount, readPlayer} {
			for range 5 {
				time.Sleep(time.Second) // the driver looks for a server every 500 ms at most
				var sent atomic.Int64
				e.proxy.Handle(func(c mongotest.Command) mongotest.Action {
					action := e.set.Action(c)
					action.HangUp = c.Name == "find" && sent.Add(1) == 1
					return action
				})
				if err := read(t.Context(), e.Store); err != nil || sent.Load() != 2 {
					t.Errorf("the read was sent %d times: %v", sent.Load(), err)
				}
			}
		}
	})
}

// A holder that cannot extend its lease stops writing before another takes it, and never writes again.
func TestLeaseOfAHolderThatIsCutOff(t *testing.T) {
	withReplicaSet(t, alone, func(t *testing.T, e electing) {
		other := must(mongo.Open(t.Context(), mongo.Options{Options: conn.Options{URI: e.set.URI(), Dialer: e.proxy}}))(t)
		defer other.Close(t.Context())
		cutOff := time.AfterFunc(12*time.Second, func() { // after the first extension
			e.proxy.Handle(func(c mongotest.Command) mongotest.Action {
				action := e.set.Action(c)
				if c.Collection == mongo.Leases && c.Name == "update" {
					action.HangUp = true
				}
				return action
			})
		})
		defer cutOff.Stop()
		var stopped time.Time
		ended := make(chan error)
		begin := time.Now()
		go func() {
			ended <- e.Leases.With(t.Context(), "work", "first", func(ctx context.Context, _ *mongo.Lease) error {
				for e.SetMark(ctx, "work", 1) == nil {
					stopped = time.Now()
					time.Sleep(100 * time.Millisecond)
				}
				<-ctx.Done()
				return ctx.Err()
			})
		}()
		time.Sleep(time.Second)
		var taken *mongo.Lease
		for taken == nil && time.Since(begin) < time.Minute {
			taken = must(other.Leases.Take(t.Context(), "work", "second", time.Hour))(t)
			time.Sleep(10 * time.Millisecond)
		}
		took := time.Now()
		e.proxy.Handle(e.set.Action)
		if err := <-ended; !errors.Is(err, mongo.ErrLeaseLost) {
			t.Errorf("the first holder ended with %v", err)
		}
		if !stopped.Before(took) {
			t.Errorf("the first holder stopped after %v, the second began after %v", stopped.Sub(begin), took.Sub(begin))
		}
		if taken == nil || taken.Epoch != 2 {
			t.Errorf("the second holder has %+v", taken)
		}
	})
}
