package embedded

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"pgregory.net/rapid"
)

// modelRecord is a document {_id, u, n}; u is unique. An _id that is deleted and inserted again is another record.
type modelRecord struct {
	Record int `bson:"-"`
	ID     int `bson:"_id"`
	U, N   int
}

// modelView is what one reader sees: its own copy of all records, by _id, and which records it has written.
type modelView struct {
	base, records map[int]modelRecord
	written       map[int]bool
	touched       map[string]bool // records and unique keys that it has written
}

func newModelView(base map[int]modelRecord) *modelView {
	return &modelView{base, maps.Clone(base), map[int]bool{}, map[string]bool{}}
}

var errModelDuplicate, errModelConflict = errors.New("duplicate"), errors.New("conflict")

// touch notes what a write changes of a record: both are the same for a new or deleted one.
func (v *modelView) touch(before, after modelRecord) {
	v.touched[fmt.Sprint("record ", after.Record)] = true
	if before.U != after.U || before == after {
		v.touched[fmt.Sprint("u ", before.U)], v.touched[fmt.Sprint("u ", after.U)] = true, true
	}
	if before == after {
		v.touched[fmt.Sprint("id ", after.ID)] = true
	}
}

// conflicts reports whether two transactions have written the same.
func (v *modelView) conflicts(other *modelView) bool {
	for key := range v.touched {
		if other.touched[key] {
			return true
		}
	}
	return false
}

func (v *modelView) put(r modelRecord) error {
	switch before, ok := v.records[r.ID]; {
	case !ok || before.Record != r.Record:
		v.touch(r, r)
	case before != r:
		v.touch(before, r)
	}
	for id, other := range v.records {
		if other.Record != r.Record && (id == r.ID || other.U == r.U) {
			return errModelDuplicate
		}
	}
	if v.records[r.ID] != r {
		v.records[r.ID], v.written[r.Record] = r, true
	}
	return nil
}

// commit returns the records after a commit on top of others.
func (v *modelView) commit(current map[int]modelRecord) (map[int]modelRecord, error) {
	next := newModelView(current)
	for id, r := range v.base {
		if v.written[r.Record] {
			if current[id] != r {
				return nil, errModelConflict
			}
			delete(next.records, id)
		}
	}
	for _, r := range v.records {
		if v.written[r.Record] && next.put(r) != nil {
			return nil, errModelConflict
		}
	}
	return next.records, nil
}

type modelWrite struct {
	run   func(context.Context, *driver.Collection) error
	model func(*modelView) error
}

func drawWrite(t *rapid.T, record func() int) modelWrite {
	id, u := rapid.IntRange(0, 3).Draw(t, "id"), rapid.IntRange(0, 5).Draw(t, "u")
	n, upsert := rapid.IntRange(0, 3).Draw(t, "n"), rapid.Bool().Draw(t, "upsert")
	set, inc := d("$set", d("u", u, "n", n)), d("$inc", d("n", 1))
	insert := func(v *modelView) error { return v.put(modelRecord{record(), id, u, n}) }
	update := func(v *modelView) error {
		r, ok := v.records[id]
		if !ok && upsert {
			return insert(v)
		}
		if !ok {
			return nil
		}
		return v.put(modelRecord{r.Record, id, u, n})
	}
	updateMany := func(v *modelView) {
		for _, r := range v.records {
			if r.N >= n {
				r.N++
				_ = v.put(r)
			}
		}
	}
	remove := func(v *modelView) {
		maps.DeleteFunc(v.records, func(_ int, r modelRecord) bool {
			if r.N < n {
				v.written[r.Record] = true
				v.touch(r, r)
			}
			return r.N < n
		})
	}
	noError := func(model func(*modelView)) func(*modelView) error {
		return func(v *modelView) error { model(v); return nil }
	}
	switch rapid.SampledFrom([]string{"insert", "update", "updateMany", "delete", "bulk", "modify"}).Draw(t, "write") {
	case "insert":
		return modelWrite{func(ctx context.Context, c *driver.Collection) error {
			_, err := c.InsertOne(ctx, d("_id", id, "u", u, "n", n))
			return err
		}, insert}
	case "update":
		return modelWrite{func(ctx context.Context, c *driver.Collection) error {
			_, err := c.UpdateByID(ctx, id, set, options.UpdateOne().SetUpsert(upsert))
			return err
		}, update}
	case "updateMany":
		return modelWrite{func(ctx context.Context, c *driver.Collection) error {
			_, err := c.UpdateMany(ctx, d("n", d("$gte", n)), inc)
			return err
		}, noError(updateMany)}
	case "delete":
		return modelWrite{func(ctx context.Context, c *driver.Collection) error {
			_, err := c.DeleteMany(ctx, d("n", d("$lt", n)))
			return err
		}, noError(remove)}
	case "modify":
		return modelWrite{func(ctx context.Context, c *driver.Collection) error {
			err := c.FindOneAndUpdate(ctx, d("_id", id), set, options.FindOneAndUpdate().SetUpsert(upsert)).Err()
			if errors.Is(err, driver.ErrNoDocuments) {
				return nil
			}
			return err
		}, update}
	}
	return modelWrite{func(ctx context.Context, c *driver.Collection) error {
		var writes []driver.ClientBulkWrite
		for _, m := range []driver.ClientWriteModel{
			driver.NewClientDeleteManyModel().SetFilter(d("n", d("$lt", n))),
			driver.NewClientUpdateManyModel().SetFilter(d("n", d("$gte", n))).SetUpdate(inc),
			driver.NewClientUpdateOneModel().SetFilter(d("_id", id)).SetUpdate(set).SetUpsert(upsert),
		} {
			writes = append(writes, driver.ClientBulkWrite{Database: c.Database().Name(), Collection: c.Name(), Model: m})
		}
		_, err := c.Database().Client().BulkWrite(ctx, writes)
		return err
	}, func(v *modelView) error {
		remove(v)
		updateMany(v)
		return update(v)
	}}
}

// check compares what a reader finds with the model.
func (v *modelView) check(t *rapid.T, ctx context.Context, c *driver.Collection) {
	least := rapid.IntRange(0, 3).Draw(t, "least")
	var got []modelRecord
	cursor, err := c.Find(ctx, d("n", d("$gte", least)), options.Find().SetSort(d("n", -1, "u", 1)).SetBatchSize(1))
	if err == nil {
		err = cursor.All(ctx, &got)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Collect(maps.Values(v.records))
	want = slices.DeleteFunc(want, func(r modelRecord) bool { return r.N < least })
	slices.SortFunc(want, func(a, b modelRecord) int { return (b.N-a.N)*100 + a.U - b.U })
	for i := range want {
		want[i].Record = 0
	}
	if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
		t.Fatalf("(-model +found)\n%s", diff)
	}
}

// TestTransactionsAgainstModel interleaves transactions and plain writes on few documents. What they find, which of
// them are rejected and what they leave is as in the model: snapshots, the first writer wins, all or nothing.
func TestTransactionsAgainstModel(t *testing.T) {
	s := openServer(t, Options{NoSync: true})
	db := connect(t, s)
	actions := rapid.SampledFrom([]string{"write", "write", "write", "read", "plain", "commit", "abort"})
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		c := db.Collection(fmt.Sprint("c", round))
		must(c.Indexes().CreateMany(t.Context(), []driver.IndexModel{
			{Keys: d("u", 1), Options: options.Index().SetUnique(true)}, {Keys: d("n", 1)},
		}))(rt)
		current, records := map[int]modelRecord{}, 0
		record := func() int { records++; return records }
		type open struct {
			ctx     context.Context
			session *driver.Session
			view    *modelView
			began   int // the number of commits before
		}
		transactions := map[int]*open{}
		var committed []*modelView
		conflicts := func(tx *open) bool {
			for _, other := range transactions {
				if other != tx && tx.view.conflicts(other.view) {
					return true
				}
			}
			return slices.ContainsFunc(committed[tx.began:], tx.view.conflicts)
		}
		plain := func() {
			w, v := drawWrite(rt, record), newModelView(current)
			expect(rt, w.run(t.Context(), c), w.model(v))
			current = v.records
		}
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			which := rapid.IntRange(0, 2).Draw(rt, "transaction")
			tx := transactions[which]
			action := actions.Draw(rt, "action")
			switch {
			case action == "plain":
				plain()
				newModelView(current).check(rt, t.Context(), c)
			case tx == nil:
				ctx, session := begin(t, db.Client())
				transactions[which] = &open{ctx, session, newModelView(current), len(committed)}
				transactions[which].view.check(rt, ctx, c)
			case action == "write":
				w := drawWrite(rt, record)
				err := w.model(tx.view)
				if conflicts(tx) {
					err = errModelConflict
				}
				expect(rt, w.run(tx.ctx, c), err)
				if err != nil { // the transaction is aborted
					_ = tx.session.AbortTransaction(tx.ctx)
					delete(transactions, which)
				}
			case action == "read":
				tx.view.check(rt, tx.ctx, c)
			case action == "abort":
				expect(rt, tx.session.AbortTransaction(tx.ctx), nil)
				delete(transactions, which)
			default:
				next, err := tx.view.commit(current)
				expect(rt, tx.session.CommitTransaction(tx.ctx), err)
				if err == nil {
					current, committed = next, append(committed, tx.view)
				}
				delete(transactions, which)
				newModelView(current).check(rt, t.Context(), c)
			}
		}
		for _, tx := range transactions {
			_ = tx.session.AbortTransaction(tx.ctx)
		}
		if len(s.locks.holder)+len(s.locks.open)+len(s.locks.ended) > 0 {
			rt.Fatalf("locks remain: %+v", s.locks)
		}
		checkIndexes(rt, s, "test."+c.Name())
	})
}

// expect compares the outcome of a write or commit with the model.
func expect(t *rapid.T, err, want error) {
	var exception driver.ClientBulkWriteException
	duplicate := driver.IsDuplicateKeyError(err) ||
		errors.As(err, &exception) && len(exception.WriteErrors) == 1 && isDuplicate(exception)
	switch {
	case errors.Is(want, errModelDuplicate) && !duplicate, want == nil && err != nil,
		errors.Is(want, errModelConflict) && !isTransient(err, codeWriteConflict):
		t.Fatalf("got %v, the model %v", err, want)
	}
}

func isDuplicate(exception driver.ClientBulkWriteException) bool {
	for _, e := range exception.WriteErrors {
		return e.Code == int(codeDuplicateKey)
	}
	return false
}
