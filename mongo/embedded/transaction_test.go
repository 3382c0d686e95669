package embedded

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
)

// fromPrimary is what the driver demands of a transaction whatever the server.
var fromPrimary = options.Transaction().SetReadPreference(readpref.Primary())

// begin starts a transaction; the context makes commands part of it.
func begin(t testing.TB, client *driver.Client) (context.Context, *driver.Session) {
	t.Helper()
	session, err := client.StartSession()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.EndSession(context.Background()) })
	if err := session.StartTransaction(fromPrimary); err != nil {
		t.Fatal(err)
	}
	return driver.NewSessionContext(t.Context(), session), session
}

// inTransactions runs a function in a transaction until one is committed.
func inTransactions(ctx context.Context, client *driver.Client, run func(context.Context) error) error {
	session, err := client.StartSession()
	if err != nil {
		return err
	}
	defer session.EndSession(ctx)
	_, err = session.WithTransaction(ctx, func(ctx context.Context) (any, error) { return nil, run(ctx) }, fromPrimary)
	return err
}

func d(pairs ...any) bson.D {
	out := bson.D{}
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, bson.E{Key: pairs[i].(string), Value: pairs[i+1]})
	}
	return out
}

// values returns the field n of the documents that pass a filter, in an order.
func values(t testing.TB, ctx context.Context, c *driver.Collection, filter, sort bson.D) []int {
	t.Helper()
	cursor, err := c.Find(ctx, filter, options.Find().SetSort(sort).SetBatchSize(2))
	if err != nil {
		t.Fatal(err)
	}
	var docs []struct{ N int }
	if err := cursor.All(ctx, &docs); err != nil {
		t.Fatal(err)
	}
	out := []int{}
	for _, doc := range docs {
		out = append(out, doc.N)
	}
	return out
}

func hasLabel(err error, label string) bool {
	var labelled driver.LabeledError
	return errors.As(err, &labelled) && labelled.HasErrorLabel(label)
}

// isTransient reports whether an error has a code and tells the client to run its transaction again.
func isTransient(err error, c code) bool {
	return isCode(err, c) && hasLabel(err, "TransientTransactionError")
}

// A transaction sees its own writes, in queries of all kinds, and nobody else does before it is committed.
func TestTransactionSeesItself(t *testing.T) {
	db := connect(t, openServer(t, Options{NoSync: true}))
	c := db.Collection("c")
	if _, err := c.Indexes().CreateMany(t.Context(), []driver.IndexModel{
		{Keys: d("n", 1)}, {Keys: d("name", 1), Options: options.Index().SetUnique(true).SetSparse(true)},
	}); err != nil {
		t.Fatal(err)
	}
	fill(t, c, 6)
	ctx, session := begin(t, db.Client())
	steps := []func() error{
		func() error { _, err := c.InsertOne(ctx, d("_id", 10, "n", 10)); return err },
		func() error { _, err := c.UpdateByID(ctx, 2, d("$set", d("n", 20))); return err },
		func() error { _, err := c.UpdateByID(ctx, 10, d("$inc", d("n", 1))); return err },
		func() error { _, err := c.DeleteOne(ctx, d("n", 4)); return err },
		func() error { _, err := c.InsertOne(ctx, d("_id", 11, "n", 0)); return err },
		func() error { _, err := c.DeleteOne(ctx, d("_id", 11)); return err },
		func() error {
			_, err := c.UpdateOne(ctx, d("_id", 12), d("$set", d("n", 12)), options.UpdateOne().SetUpsert(true))
			return err
		},
		func() error {
			return c.FindOneAndUpdate(ctx, d("n", d("$lt", 2)), d("$set", d("n", -1)),
				options.FindOneAndUpdate().SetSort(d("n", -1))).Err()
		},
		func() error { _, err := db.Collection("new").InsertOne(ctx, d("_id", 1, "n", 7)); return err },
	}
	for i, step := range steps {
		if err := step(); err != nil {
			t.Fatal(i, err)
		}
	}
	check := func(ctx context.Context, want string) {
		t.Helper()
		count, err := c.CountDocuments(ctx, d("n", d("$gte", 3)))
		if err != nil {
			t.Fatal(err)
		}
		var groups []struct{ N int }
		cursor, err := c.Aggregate(ctx, bson.A{d("$group", d("_id", nil, "n", d("$sum", "$n")))})
		if err == nil {
			err = cursor.All(ctx, &groups)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(values(t, ctx, c, d("n", d("$lt", 15)), d("n", 1)), values(t, ctx, c, d(), d("n", -1)),
			values(t, ctx, c, d("_id", 12), d()), count, groups, values(t, ctx, db.Collection("new"), d(), d()))
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	changed := "[-1 0 3 5 11 12] [20 12 11 5 3 0 -1] [12] 5 [{50}] [7]"
	check(ctx, changed)
	check(t.Context(), "[0 1 2 3 4 5] [5 4 3 2 1 0] [] 3 [{15}] []")
	if err := session.CommitTransaction(ctx); err != nil {
		t.Fatal(err)
	}
	check(t.Context(), changed)
}

// An aborted transaction leaves nothing, also if an error or the end of its session aborted it.
func TestAbort(t *testing.T) {
	var server *Server
	for name, abort := range map[string]func(context.Context, *driver.Session, *driver.Collection) error{
		"by the client": func(ctx context.Context, s *driver.Session, _ *driver.Collection) error {
			return s.AbortTransaction(ctx)
		},
		"by a duplicate key": func(ctx context.Context, s *driver.Session, c *driver.Collection) error {
			_, err := c.InsertOne(ctx, d("_id", 1))
			if !driver.IsDuplicateKeyError(err) {
				return fmt.Errorf("got %v, want a duplicate key", err)
			}
			if err := c.FindOne(ctx, d("_id", 1)).Err(); !isTransient(err, codeNoTransaction) {
				return fmt.Errorf("the next command: got %v", err)
			}
			if err := s.CommitTransaction(ctx); !isTransient(err, codeNoTransaction) {
				return fmt.Errorf("commit: got %v", err)
			}
			return nil
		},
		"by a command that cannot run in it": func(ctx context.Context, s *driver.Session, c *driver.Collection) error {
			if _, err := c.Indexes().CreateOne(ctx, driver.IndexModel{Keys: d("n", 1)}); !isCode(err, codeNotInTransaction) {
				return fmt.Errorf("createIndexes: got %v", err)
			}
			if err := s.CommitTransaction(ctx); !isTransient(err, codeNoTransaction) {
				return fmt.Errorf("commit: got %v", err)
			}
			return nil
		},
		"by its size": func(ctx context.Context, s *driver.Session, c *driver.Collection) error {
			server.sessions.Values()[0].open.size += maxWritten - 100
			if _, err := c.InsertOne(ctx, d("text", strings.Repeat("x", 100))); !isCode(err, codeTransactionTooLarge) {
				return fmt.Errorf("insert: got %v", err)
			}
			if err := s.CommitTransaction(ctx); !isTransient(err, codeNoTransaction) {
				return fmt.Errorf("commit: got %v", err)
			}
			return nil
		},
		"by endSessions": func(ctx context.Context, s *driver.Session, c *driver.Collection) error {
			if err := c.Database().RunCommand(t.Context(), d("endSessions", bson.A{s.ID()})).Err(); err != nil {
				return err
			}
			if _, err := c.InsertOne(ctx, d()); !isTransient(err, codeNoTransaction) {
				return fmt.Errorf("the next command: got %v", err)
			}
			// The server does not remember the session: as far as it knows, the transaction may be committed.
			if err := s.CommitTransaction(ctx); !isCode(err, codeNoTransaction) || isTransient(err, codeNoTransaction) {
				return fmt.Errorf("commit: got %v", err)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			server = openServer(t, Options{NoSync: true})
			c := connect(t, server).Collection("c")
			fill(t, c, 3)
			ctx, session := begin(t, c.Database().Client())
			if _, err := c.InsertOne(ctx, d("_id", 5, "n", 5)); err != nil {
				t.Fatal(err)
			}
			if _, err := c.UpdateByID(ctx, 2, d("$set", d("n", 7))); err != nil {
				t.Fatal(err)
			}
			if err := abort(ctx, session, c); err != nil {
				t.Error(err)
			}
			if got := values(t, t.Context(), c, d(), d()); fmt.Sprint(got) != "[0 1 2]" {
				t.Errorf("found %v", got)
			}
		})
	}
}

// The first commit wins: the second of two transactions that wrote the same records or unique keys is rejected, whether
// the first was a transaction or not, and leaves nothing.
func TestWriteConflict(t *testing.T) {
	type write = func(context.Context, *driver.Collection) error
	set := func(id int, change bson.D) write {
		return func(ctx context.Context, c *driver.Collection) error {
			_, err := c.UpdateByID(ctx, id, d("$set", change))
			return err
		}
	}
	insert := func(doc bson.D) write {
		return func(ctx context.Context, c *driver.Collection) error {
			_, err := c.InsertOne(ctx, doc)
			return err
		}
	}
	remove := func(ctx context.Context, c *driver.Collection) error {
		_, err := c.DeleteOne(ctx, d("_id", 1))
		return err
	}
	drop := func(ctx context.Context, c *driver.Collection) error { return c.Drop(context.WithoutCancel(ctx)) }
	other := func(w write) write {
		return func(ctx context.Context, c *driver.Collection) error { return w(ctx, c.Database().Collection("other")) }
	}
	index := func(ctx context.Context, c *driver.Collection) error {
		_, err := c.Indexes().CreateOne(ctx, driver.IndexModel{Keys: d("n", 1), Options: options.Index().SetUnique(true)})
		return err
	}
	both := func(writes ...write) write {
		return func(ctx context.Context, c *driver.Collection) error {
			for _, w := range writes {
				if err := w(ctx, c); err != nil {
					return err
				}
			}
			return nil
		}
	}
	swap := both(set(1, d("key", "")), set(2, d("key", "1")), set(1, d("key", "2")))
	for name, test := range map[string]struct {
		first, second write
		plainOnly     bool // the first may not run in a transaction
		conflict      bool
	}{
		"the same record":           {set(1, d("n", 5)), set(1, d("n", 6)), false, true},
		"changed and deleted":       {set(1, d("n", 5)), remove, false, true},
		"deleted and changed":       {remove, set(1, d("n", 5)), false, true},
		"the same _id":              {insert(d("_id", 9)), insert(d("_id", 9)), false, true},
		"the same unique key":       {insert(d("key", "x")), set(1, d("key", "x")), false, true},
		"keys that are swapped":     {set(0, d("n", 5)), swap, false, false},
		"a swapped key, taken":      {set(0, d("key", "x")), both(swap, set(1, d("key", "x"))), false, true},
		"different records":         {set(1, d("n", 5)), set(2, d("n", 5)), false, false},
		"a change that was undone":  {both(set(1, d("n", 5)), set(1, d("n", 1))), set(1, d("n", 6)), false, false},
		"a collection that is gone": {drop, set(1, d("n", 5)), true, true},
		"a new collection":          {other(insert(d("_id", 1))), other(insert(d("_id", 2))), false, false},
		"a new collection, one _id": {other(insert(d("_id", 1))), other(insert(d("_id", 1))), false, true},
		"a new unique index":        {index, both(insert(d("n", 7)), insert(d("n", 7))), true, true},
	} {
		for _, plain := range []bool{true, false} {
			if !plain && test.plainOnly {
				continue
			}
			t.Run(fmt.Sprintf("%s, plain %v", name, plain), func(t *testing.T) {
				s := openServer(t, Options{NoSync: true})
				c := connect(t, s).Collection("c")
				if _, err := c.Indexes().CreateOne(t.Context(), driver.IndexModel{
					Keys: d("key", 1), Options: options.Index().SetUnique(true).SetSparse(true),
				}); err != nil {
					t.Fatal(err)
				}
				for i := range 3 {
					if _, err := c.InsertOne(t.Context(), d("_id", i, "n", i, "key", fmt.Sprint(i))); err != nil {
						t.Fatal(err)
					}
				}
				ctx, second := begin(t, c.Database().Client())
				if err := errors.Join(c.FindOne(ctx, d()).Err(), insert(d("_id", "new"))(ctx, c)); err != nil {
					t.Fatal(err)
				}
				if err := test.second(ctx, c); err != nil {
					t.Fatal(err)
				}
				if plain {
					if err := test.first(t.Context(), c); err != nil {
						t.Fatal(err)
					}
				} else if err := inTransactions(t.Context(), c.Database().Client(), func(ctx context.Context) error {
					return test.first(ctx, c)
				}); err != nil {
					t.Fatal(err)
				}
				err := second.CommitTransaction(ctx)
				if test.conflict && !isTransient(err, codeWriteConflict) || !test.conflict && err != nil {
					t.Errorf("commit: got %v", err)
				}
				if n, err := c.CountDocuments(t.Context(), d("_id", "new")); err != nil || (n == 0) != test.conflict {
					t.Errorf("%d of the second transaction's documents stored, %v", n, err)
				}
				checkIndexes(t, s, "test.c")
			})
		}
	}
}

// Counters and transfers from many goroutines: no update is lost, and every transaction sees a sum that is right.
func TestConcurrentTransactions(t *testing.T) {
	s := openServer(t, Options{NoSync: true})
	db := connect(t, s)
	c := db.Collection("accounts")
	const accounts, workers, rounds = 5, 8, 15
	if _, err := c.InsertOne(t.Context(), d("_id", "counter", "n", 0)); err != nil {
		t.Fatal(err)
	}
	for i := range accounts {
		if _, err := c.InsertOne(t.Context(), d("_id", i, "n", 100)); err != nil {
			t.Fatal(err)
		}
	}
	add := func(ctx context.Context, id any, n int) error {
		var doc struct{ N int }
		if err := c.FindOne(ctx, d("_id", id)).Decode(&doc); err != nil {
			return err
		}
		_, err := c.UpdateByID(ctx, id, d("$set", d("n", doc.N+n)))
		return err
	}
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := range rounds {
				err := inTransactions(t.Context(), db.Client(), func(ctx context.Context) error {
					sum := 0
					for _, n := range values(t, ctx, c, d("_id", d("$gte", 0)), d()) {
						sum += n
					}
					if sum != 100*accounts {
						t.Errorf("a transaction sees %d", sum)
					}
					return errors.Join(add(ctx, "counter", 1), add(ctx, (w+i)%accounts, -10), add(ctx, (w*i)%accounts, 10))
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if got := values(t, t.Context(), c, d("_id", "counter"), d()); got[0] != workers*rounds {
		t.Errorf("counted %d, want %d", got[0], workers*rounds)
	}
	checkIndexes(t, s, "test.accounts")
}

// A transaction that nobody ends stops a writer that must map a larger file for a moment only, and is aborted.
func TestAbandonedTransaction(t *testing.T) {
	s := openServer(t, Options{NoSync: true, mapSize: 256 << 10})
	db := connect(t, s)
	fill(t, db.Collection("c"), 10)
	ctx, session := begin(t, db.Client())
	if _, err := db.Collection("c").InsertOne(ctx, d("_id", "never")); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if _, err := db.Collection("c").InsertOne(t.Context(), d("_id", "large", "text", strings.Repeat("x", 1<<20))); err != nil {
		t.Fatal(err)
	}
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
	s := openServer(t, Options{NoSync: true, maxIdle: time.Millisecond})
	db := connect(t, s)
	ctx, _ := begin(t, db.Client())
	if _, err := db.Collection("c").InsertOne(ctx, d()); err != nil {
		t.Fatal(err)
	}
	for s.sessions.Values()[0].running() {
		runtime.Gosched()
	}
	if err := db.Collection("c").FindOne(ctx, d()).Err(); !isTransient(err, codeNoTransaction) {
		t.Errorf("got %v", err)
	}
	s.options.maxIdle = time.Hour
	ctx, _ = begin(t, db.Client())
	if _, err := db.Collection("c").InsertOne(ctx, d()); err != nil {
		t.Fatal(err)
	}
}

// running reports whether the session has an open transaction.
func (sess *session) running() bool {
	sess.mu.Lock()
	defer sess.mu.Unlock()
	return sess.open != nil
}

// Commands with a number and no open transaction are rejected, those of a transaction that was committed too, but a
// commit can be sent again.
func TestTransactionNumbers(t *testing.T) {
	db := connect(t, openServer(t, Options{NoSync: true}))
	admin := db.Client().Database("admin")
	send := func(db *driver.Database, session byte, number int64, command bson.D, more ...any) error {
		id := bson.Binary{Subtype: 4, Data: []byte{15: session}}
		command = append(command, d("lsid", d("id", id), "txnNumber", number, "autocommit", false)...)
		return db.RunCommand(t.Context(), append(command, d(more...)...)).Err()
	}
	insert := func(id int) bson.D { return d("insert", "c", "documents", bson.A{d("_id", id)}) }
	commit, abort := d("commitTransaction", 1), d("abortTransaction", 1)
	for i, step := range []struct {
		err       error
		want      code
		transient bool
	}{
		{send(admin, 1, 1, commit), codeNoTransaction, false},
		{send(admin, 1, 1, abort), codeNoTransaction, true},
		{send(db, 1, 1, insert(1)), codeNoTransaction, true},
		{send(db, 1, 3, insert(1), "startTransaction", true), 0, false},
		{send(db, 1, 3, insert(2), "startTransaction", true), 50911, false},
		{send(db, 1, 2, insert(2), "startTransaction", true), codeTransactionTooOld, false},
		{send(db, 1, 2, insert(2)), codeTransactionTooOld, false},
		{send(db, 1, 3, insert(3)), 0, false},
		{send(admin, 1, 3, commit), 0, false},
		{send(admin, 1, 3, commit), 0, false},
		{send(db, 1, 3, insert(4)), codeTransactionCommitted, false},
		{send(admin, 1, 3, abort), codeTransactionCommitted, false},
		{send(db, 1, 4, insert(5), "startTransaction", true), 0, false},
		{send(db, 1, 5, insert(6), "startTransaction", true), 0, false}, // aborts the one before
		{send(admin, 1, 4, commit), codeTransactionTooOld, false},
		{send(admin, 1, 5, abort), 0, false},
		{send(admin, 1, 5, abort), codeNoTransaction, true},
		{send(admin, 1, 5, commit), codeNoTransaction, true},
		{send(db, 2, 1, d("listCollections", 1), "startTransaction", true), codeNotInTransaction, false},
		{send(db, 2, -1, insert(1), "startTransaction", true), codeInvalidOptions, false},
		{admin.RunCommand(t.Context(), commit).Err(), codeInvalidOptions, false},
		{db.RunCommand(t.Context(), append(insert(7), d("txnNumber", 7)...)).Err(), codeIllegalOperation, false},
	} {
		switch {
		case step.want == 0 && step.err != nil, step.want != 0 && !isCode(step.err, step.want):
			t.Errorf("step %d: got %v, want code %d", i, step.err, step.want)
		case hasLabel(step.err, "TransientTransactionError") != step.transient:
			t.Errorf("step %d: %v has the label %v", i, step.err, !step.transient)
		}
	}
	if n, err := db.Collection("c").CountDocuments(t.Context(), d()); n != 2 || err != nil {
		t.Errorf("%d documents, %v", n, err)
	}
}

// A cursor of a transaction reads what the transaction saw when it was opened, and ends with it.
func TestCursorInTransaction(t *testing.T) {
	c := connect(t, openServer(t, Options{NoSync: true})).Collection("c")
	fill(t, c, 6)
	ctx, session := begin(t, c.Database().Client())
	if _, err := c.InsertOne(ctx, d("_id", 6, "n", 6)); err != nil {
		t.Fatal(err)
	}
	cursor, err := c.Find(ctx, d(), options.Find().SetBatchSize(2))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for ; cursor.Next(ctx); seen++ {
		if _, err := c.UpdateByID(ctx, cursor.Current.Lookup("_id"), d("$inc", d("n", 100))); err != nil {
			t.Fatal(err)
		}
	}
	if seen != 7 || cursor.Err() != nil {
		t.Errorf("%d documents, %v", seen, cursor.Err())
	}
	if cursor, err = c.Find(ctx, d(), options.Find().SetBatchSize(2)); err != nil {
		t.Fatal(err)
	}
	more := d("getMore", cursor.ID(), "collection", "c")
	if err := c.Database().RunCommand(t.Context(), more).Err(); !isCode(err, codeCursorNotFound) {
		t.Errorf("getMore without the transaction: got %v", err)
	}
	if err := session.CommitTransaction(ctx); err != nil {
		t.Fatal(err)
	}
	if err := c.Database().RunCommand(t.Context(), more).Err(); !isCode(err, codeCursorNotFound) {
		t.Errorf("getMore after the transaction: got %v", err)
	}
}
