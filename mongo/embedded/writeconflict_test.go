package embedded

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Of two transactions that write the same records or unique keys the later writer conflicts at once. A write outside of
// transactions makes an open one that wrote the same conflict when it is committed, and leave nothing.
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
		conflict      bool // when the second is committed
		atOnce        bool // when the first is a transaction too
	}{
		"the same record":           {set(1, d("n", 5)), set(1, d("n", 6)), false, true, true},
		"keys that are swapped":     {set(0, d("n", 5)), swap, false, false, false},
		"a swapped key, taken":      {set(0, d("key", "x")), both(swap, set(1, d("key", "x"))), false, true, true},
		"a change that was undone":  {both(set(1, d("n", 5)), set(1, d("n", 1))), set(1, d("n", 6)), false, false, true},
		"a new collection":          {other(insert(d("_id", 1))), other(insert(d("_id", 2))), false, false, false},
		"a new collection, one _id": {other(insert(d("_id", 1))), other(insert(d("_id", 1))), false, true, true},
		"a new unique index":        {index, both(insert(d("n", 7)), insert(d("n", 7))), true, true, true},
	} {
		for _, plain := range []bool{true, false} {
			if !plain && test.plainOnly {
				continue
			}
			t.Run(fmt.Sprintf("%s, plain %v", name, plain), func(t *testing.T) {
				s := openServer(t, Options{NoSync: true})
				c := connect(t, s).Collection("c")
				if _, err := c.Indexes().CreateOne(t.Context(), driver.IndexModel{
					Keys: d("key", 1), Options: options.Index().SetUnique(true).
						SetPartialFilterExpression(d("key", d("$exists", true))),
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
				} else {
					later, first := begin(t, c.Database().Client())
					err := test.first(later, c)
					if test.atOnce && !isTransient(err, codeWriteConflict) || !test.atOnce && err != nil {
						t.Errorf("later writer: got %v", err)
					}
					if err == nil {
						err = first.CommitTransaction(later)
					}
					if err != nil && !test.atOnce {
						t.Error(err)
					}
				}
				conflict := plain && test.conflict
				err := second.CommitTransaction(ctx)
				if conflict && !isTransient(err, codeWriteConflict) || !conflict && err != nil {
					t.Errorf("commit: got %v", err)
				}
				if n, err := c.CountDocuments(t.Context(), d("_id", "new")); err != nil || (n == 0) != conflict {
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
