package feedhttp_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// An instance that dies between the first write and the commit of a transaction leaves the transaction open. Senders
// of events about its records get 503 while it is, and send again; all others go on.
func TestDeadInstance(t *testing.T) {
	t.Parallel()
	s := serve(t)
	if res, _ := s.send(newPlayers(2)); res.StatusCode != http.StatusOK {
		t.Fatal(res)
	}
	dead := s.server.Database(t)
	session, err := dead.Client().StartSession()
	if err != nil {
		t.Fatal(err)
	}
	if err := session.StartTransaction(); err != nil {
		t.Fatal(err)
	}
	ctx := driver.NewSessionContext(t.Context(), session)
	if _, err := dead.Collection(mongo.Players).UpdateByID(ctx, mongotest.UUID(0),
		bson.D{{Key: "$set", Value: bson.D{{Key: "username", Value: "Dead"}}}}); err != nil {
		t.Fatal(err)
	}
	rename := func(player, n int) string {
		return fmt.Sprintf(`{"id": "%d-%d", "event": "PlayerRenamed", "data": {"player": %q, "username": "P%[1]d_%[2]d"}}`,
			player, n, mongotest.UUID(player))
	}
	var senders sync.WaitGroup
	for n := range 3 {
		senders.Go(func() {
			res, r := s.send(rename(0, n))
			if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" || r.Applied > 0 {
				t.Errorf("the record of the dead instance: got %v", res)
			}
		})
	}
	done := make(chan struct{})
	go func() { senders.Wait(); close(done) }()
	for n, waiting := 0, true; waiting; n++ {
		select {
		case <-done:
			waiting = false
		default:
		}
		res, r := s.send(rename(1, n), "Authorization", "Bearer other")
		if res.StatusCode != http.StatusOK || r.Applied != 1 {
			t.Errorf("another record: got %v", res)
		}
	}
	if err := session.AbortTransaction(ctx); err != nil { // as the server does after 10 seconds
		t.Fatal(err)
	}
	if res, r := s.send(rename(0, 0)); res.StatusCode != http.StatusOK || r.Applied != 1 {
		t.Errorf("sent again: got %v", res)
	}
}
