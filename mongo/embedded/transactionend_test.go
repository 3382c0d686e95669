package embedded

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// An aborted transaction leaves nothing, also if an error or the end of its session aborted it.
func TestAbort(t *testing.T) {
	var server *Server
	for name, abort := range map[string]func(context.Context, *driver.Session, *driver.Collection) error{
		"by a command that cannot run in it": func(ctx context.Context, s *driver.Session, c *driver.Collection) error {
			if _, err := c.Indexes().CreateOne(ctx, driver.IndexModel{Keys: d("n", 1)}); !isCode(err, codeNotInTransaction) {
				return fmt.Errorf("createIndexes: got %w", err)
			}
			if err := s.CommitTransaction(ctx); !isTransient(err, codeNoTransaction) {
				return fmt.Errorf("commit: got %w", err)
			}
			return nil
		},
		"by its size": func(ctx context.Context, s *driver.Session, c *driver.Collection) error {
			server.sessions.Values()[0].open.size += maxWritten - 100
			if _, err := c.InsertOne(ctx, d("text", strings.Repeat("x", 100))); !isCode(err, codeTransactionTooLarge) {
				return fmt.Errorf("insert: got %w", err)
			}
			if err := s.CommitTransaction(ctx); !isTransient(err, codeNoTransaction) {
				return fmt.Errorf("commit: got %w", err)
			}
			return nil
		},
		"by endSessions": func(ctx context.Context, s *driver.Session, c *driver.Collection) error {
			if err := c.Database().RunCommand(t.Context(), d("endSessions", bson.A{s.ID()})).Err(); err != nil {
				return err
			}
			if _, err := c.InsertOne(ctx, d()); !isTransient(err, codeNoTransaction) {
				return fmt.Errorf("the next command: got %w", err)
			}
			// The server does not remember the session: as far as it knows, the transaction may be committed.
			if err := s.CommitTransaction(ctx); !isCode(err, codeNoTransaction) || isTransient(err, codeNoTransaction) {
				return fmt.Errorf("commit: got %w", err)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			server = openServer(t, Options{NoSync: true})
			c := connect(t, server).Collection("c")
			fill(t, c, 3)
			ctx, session := begin(t, c.Database().Client())
			must(c.InsertOne(ctx, d("_id", 5, "n", 5)))(t)
			must(c.UpdateByID(ctx, 2, d("$set", d("n", 7))))(t)
			if err := abort(ctx, session, c); err != nil {
				t.Error(err)
			}
			if got := values(t, t.Context(), c, d(), d()); fmt.Sprint(got) != "[0 1 2]" {
				t.Errorf("found %v", got)
			}
		})
	}
}

// A transaction that no one ends stops a writer that must map a larger file for a moment only, and is aborted.
func TestAbandonedTransaction(t *testing.T) {
	s := openServer(t, Options{NoSync: true, mapSize: 256 << 10})
	db := connect(t, s)
	fill(t, db.Collection("c"), 10)
	ctx, session := begin(t, db.Client())
	must(db.Collection("c").InsertOne(ctx, d("_id", "never")))(t)
	start := time.Now()
	large := d("_id", "large", "text", strings.Repeat("x", 1<<20))
	must(db.Collection("c").InsertOne(t.Context(), large))(t)
	took := time.Since(start)
	t.Logf("the write took %v", took)
	if took < commitPatience || took > 5*time.Second { // the file is mapped once, so the open transaction was in the way
		t.Errorf("the write took %v", took)
	}
	if err := db.Collection("c").FindOne(ctx, d()).Err(); !isTransient(err, codeNoTransaction) {
		t.Errorf("find: got %v", err)
	}
	if err := session.CommitTransaction(ctx); !isTransient(err, codeNoTransaction) {
		t.Errorf("commit: got %v", err)
	}
	if n, err := db.Collection("c").CountDocuments(t.Context(), d()); n != 11 || err != nil {
		t.Errorf("%d documents, %v", n, err)
	}
}

// A transaction ends when its client sends nothing for a while, and the server can be closed while one is open.
func TestIdleTransaction(t *testing.T) {
	s := openServer(t, Options{NoSync: true, MaxIdle: time.Millisecond})
	db := connect(t, s)
	ctx, _ := begin(t, db.Client())
	must(db.Collection("c").InsertOne(ctx, d()))(t)
	for s.sessions.Values()[0].running() {
		runtime.Gosched()
	}
	if err := db.Collection("c").FindOne(ctx, d()).Err(); !isTransient(err, codeNoTransaction) {
		t.Errorf("got %v", err)
	}
	s.options.MaxIdle = time.Hour
	ctx, _ = begin(t, db.Client())
	must(db.Collection("c").InsertOne(ctx, d()))(t)
}

// The transaction of a client that died ends with its connection: others need not wait. Time is simulated.
func TestTransactionOfADeadClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openServer(t, Options{NoSync: true, MaxIdle: time.Hour})
		db := connect(t, s)
		ctx, _ := begin(t, db.Client())
		must(db.Collection("c").InsertOne(ctx, d("_id", 1)))(t)
		s.mu.Lock()
		for conn := range s.conns {
			_ = conn.Close()
		}
		s.mu.Unlock()
		time.Sleep(maxAbandoned + time.Millisecond)
		synctest.Wait()
		if s.sessions.Values()[0].running() {
			t.Error("the transaction is open")
		}
	})
}

// running reports whether the session has an open transaction.
func (sess *session) running() bool {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	return sess.open != nil
}
