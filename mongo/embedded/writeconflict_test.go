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

// Conflicts with a collection or index that is new: of two transactions the later writer conflicts at once, and a write
// outside of transactions makes an open one conflict when it is committed, and leave nothing. For records see
// TestTransactionsAgainstModel.
func TestWriteConflict(t *testing.T) {
	type write = func(context.Context, *driver.Collection) error
	insert := func(to string, doc bson.D) write {
		return func(ctx context.Context, c *driver.Collection) error {
			_, err := c.Database().Collection(to).InsertOne(ctx, doc)
			return err
		}
	}
	index := func(ctx context.Context, c *driver.Collection) error {
		_, err := c.Indexes().CreateOne(ctx, driver.IndexModel{Keys: d("n", 1), Options: options.Index().SetUnique(true)})
		return err
	}
	twice := func(ctx context.Context, c *driver.Collection) error {
		return errors.Join(insert("c", d("n", 7))(ctx, c), insert("c", d("n", 7))(ctx, c))
	}
	for name, test := range map[string]struct {
		first, second write
		plainOnly     bool // the first may not run in a transaction
		conflict      bool
	}{
		"a new collection":          {insert("other", d("_id", 1)), insert("other", d("_id", 2)), false, false},
		"a new collection, one _id": {insert("other", d("_id", 1)), insert("other", d("_id", 1)), false, true},
		"a new unique index":        {index, twice, true, true},
	} {
		for _, plain := range []bool{true, false} {
			if !plain && test.plainOnly {
				continue
			}
			t.Run(fmt.Sprintf("%s, plain %v", name, plain), func(t *testing.T) {
				s := openServer(t, Options{NoSync: true})
				c := connect(t, s).Collection("c")
				fill(t, c, 3)
				ctx, second := begin(t, c.Database().Client())
				check(t, errors.Join(c.FindOne(ctx, d()).Err(), insert("c", d("_id", "new"))(ctx, c), test.second(ctx, c)))
				if plain {
					check(t, test.first(t.Context(), c))
				} else {
					later, first := begin(t, c.Database().Client())
					err := test.first(later, c)
					if test.conflict != isTransient(err, codeWriteConflict) || !test.conflict && err != nil {
						t.Errorf("later writer: got %v", err)
					}
					if err == nil {
						check(t, first.CommitTransaction(later))
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
	must(c.InsertOne(t.Context(), d("_id", "counter", "n", 0)))(t)
	for i := range accounts {
		must(c.InsertOne(t.Context(), d("_id", i, "n", 100)))(t)
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
