package embedded_test

import (
	"context"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/mongo/embedded"
	"gamedata/mongo/mongotest"
)

// The driver sends a commit again when it loses the connection before the reply. The transaction is committed once,
// whether the server got the first commit or not.
func TestLostCommit(t *testing.T) {
	for name, forward := range map[string]bool{"before the server": false, "after the server": true} {
		t.Run(name, func(t *testing.T) {
			s, err := embedded.Open(t.TempDir(), embedded.Options{NoSync: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			proxy := mongotest.NewProxy(s)
			var commits atomic.Int32
			proxy.Handle(func(c mongotest.Command) mongotest.Action {
				cut := c.Name == "commitTransaction" && commits.Add(1) == 1
				return mongotest.Action{HangUp: cut, Forward: cut && forward}
			})
			client, err := driver.Connect(options.Client().ApplyURI(s.URI()).SetDialer(proxy))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = client.Disconnect(context.Background()) })
			c := client.Database("test").Collection("c")
			session, err := client.StartSession()
			if err != nil {
				t.Fatal(err)
			}
			defer session.EndSession(t.Context())
			runs := 0
			_, err = session.WithTransaction(t.Context(), func(ctx context.Context) (any, error) {
				runs++
				return c.UpdateByID(ctx, 1, bson.D{{Key: "$inc", Value: bson.D{{Key: "n", Value: 1}}}},
					options.UpdateOne().SetUpsert(true))
			})
			if err != nil {
				t.Fatal(err)
			}
			var doc struct{ N int }
			err = c.FindOne(t.Context(), bson.D{}).Decode(&doc)
			if err != nil || doc.N != 1 || runs != 1 || commits.Load() != 2 {
				t.Errorf("n is %d after %d runs and %d commits, %v", doc.N, runs, commits.Load(), err)
			}
		})
	}
}
