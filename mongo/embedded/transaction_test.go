package embedded

import (
	"context"
	"errors"
	"testing"

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
	session := must(client.StartSession())(t)
	t.Cleanup(func() { session.EndSession(context.Background()) })
	check(t, session.StartTransaction(fromPrimary))
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
	cursor := must(c.Find(ctx, filter, options.Find().SetSort(sort).SetBatchSize(2)))(t)
	var docs []struct{ N int }
	check(t, cursor.All(ctx, &docs))
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

// isTransient reports whether an error has a code and lets the client run its transaction again.
func isTransient(err error, c code) bool {
	return isCode(err, c) && hasLabel(err, "TransientTransactionError")
}

// Commands with a number are rejected when no transaction is open or it was committed, but a commit can be sent again.
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
	must(c.InsertOne(ctx, d("_id", 6, "n", 6)))(t)
	cursor := must(c.Find(ctx, d(), options.Find().SetBatchSize(2)))(t)
	seen := 0
	for ; cursor.Next(ctx); seen++ {
		must(c.UpdateByID(ctx, cursor.Current.Lookup("_id"), d("$inc", d("n", 100))))(t)
	}
	if seen != 7 || cursor.Err() != nil {
		t.Errorf("%d documents, %v", seen, cursor.Err())
	}
	cursor = must(c.Find(ctx, d(), options.Find().SetBatchSize(2)))(t)
	more := d("getMore", cursor.ID(), "collection", "c")
	if err := c.Database().RunCommand(t.Context(), more).Err(); !isCode(err, codeCursorNotFound) {
		t.Errorf("getMore without the transaction: got %v", err)
	}
	check(t, session.CommitTransaction(ctx))
	if err := c.Database().RunCommand(t.Context(), more).Err(); !isCode(err, codeCursorNotFound) {
		t.Errorf("getMore after the transaction: got %v", err)
	}
}
