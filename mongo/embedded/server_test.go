package embedded

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
	"go.uber.org/goleak"
)

// openServer starts a server in a new directory.
func openServer(tb testing.TB, o Options) *Server {
	tb.Helper()
	s, err := Open(tb.TempDir(), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// connect opens the driver as the service does.
func connect(tb testing.TB, s *Server) *driver.Database {
	tb.Helper()
	client, err := driver.Connect(options.Client().ApplyURI(s.URI()).SetDialer(s).SetTimeout(time.Minute).
		SetReadPreference(readpref.PrimaryPreferred()).SetWriteConcern(writeconcern.Majority()))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = client.Disconnect(context.Background()) })
	return client.Database("test")
}

func TestEndToEnd(t *testing.T) {
	ctx := t.Context()
	s := openServer(t, Options{NoSync: true})
	db := connect(t, s)
	if err := db.Client().Ping(ctx, nil); err != nil {
		t.Fatal(err)
	}
	players := db.Collection("players")
	if _, err := players.Indexes().CreateMany(ctx, []driver.IndexModel{
		{Keys: bson.D{{Key: "name", Value: 1}}, Options: options.Index().SetUnique(true)},
		{Keys: bson.D{{Key: "guild", Value: 1}, {Key: "level", Value: -1}}},
	}); err != nil {
		t.Fatal(err)
	}
	var docs []any
	for i := range 1000 {
		docs = append(docs, bson.D{
			{Key: "_id", Value: i},
			{Key: "name", Value: fmt.Sprintf("p%04d", i)},
			{Key: "guild", Value: i % 10},
			{Key: "level", Value: i},
		})
	}
	if _, err := players.InsertMany(ctx, docs); err != nil {
		t.Fatal(err)
	}
	before := s.Stats()
	cursor, err := players.Find(ctx, bson.D{{Key: "guild", Value: 3}}, options.Find().SetSort(bson.D{{
		Key:   "level",
		Value: 1,
	}}).SetSkip(10).SetLimit(20).SetBatchSize(7))
	if err != nil {
		t.Fatal(err)
	}
	var found []struct{ Level int }
	if err := cursor.All(ctx, &found); err != nil {
		t.Fatal(err)
	}
	if len(found) != 20 || found[0].Level != 103 || found[19].Level != 293 {
		t.Errorf("found %v", found)
	}
	after := s.Stats()
	if n := after.KeysExamined - before.KeysExamined; n != 30 {
		t.Errorf("%d keys examined, want 30", n)
	}
	if after.Commands["getMore"] == 0 || after.CollectionScans != 0 {
		t.Errorf("stats %+v", after)
	}
	var one bson.D
	if err := players.FindOne(ctx, bson.D{{Key: "_id", Value: 77}}).Decode(&one); err != nil || one[1].Value != "p0077" {
		t.Errorf("got %v, %v", one, err)
	}
	_, err = players.InsertOne(ctx, bson.D{{Key: "name", Value: "p0001"}})
	if !driver.IsDuplicateKeyError(err) {
		t.Errorf("got %v, want a duplicate key", err)
	}
}

func TestInUse(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); !errors.Is(err, ErrInUse) {
		t.Errorf("got %v, want ErrInUse", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(dir, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	s, err := Open(t.TempDir(), Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	client, err := driver.Connect(options.Client().ApplyURI(s.URI()).SetDialer(s))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Database("d").Collection("c").InsertOne(t.Context(), bson.D{}); err != nil {
		t.Fatal(err)
	}
	if err := client.Disconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.DialContext(t.Context(), "tcp", "embedded:27017"); err == nil {
		t.Error("a closed server accepted a connection")
	}
	goleak.VerifyNone(t, ignore)
}
