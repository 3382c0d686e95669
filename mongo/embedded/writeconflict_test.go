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
		"keys that are swapped":     {set(0, d("n", 5)), swap, false, false},
		"a swapped key, taken":      {set(0, d("key", "x")), both(swap, set(1, d("key", "x"))), false, true},
		"a change that was undone":  {both(set(1, d("n", 5)), set(1, d("n", 1))), set(1, d("n", 6)), false, false},
		"a dropped collection":      {drop, set(1, d("n", 5)), true, true},
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
