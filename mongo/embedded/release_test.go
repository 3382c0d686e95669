package embedded

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// What is stored is found while the memory it was read into is given back.
func TestRelease(t *testing.T) {
	server, err := Open(t.TempDir(), Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	client, err := driver.Connect(options.Client().ApplyURI(server.URI()).SetDialer(server))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Disconnect(t.Context()) }()
	c := client.Database("d").Collection("c")
	end := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		for {
			select {
			case <-end:
				return
			default:
				if err := server.Release(); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	text := strings.Repeat("moss ", 2000)
	for n := range 200 {
		if _, err := c.InsertOne(t.Context(), bson.D{{Key: "_id", Value: n}, {Key: "text", Value: fmt.Sprint(text,
			n)}}); err != nil {
			t.Error(err)
			break
		}
		var found struct{ Text string }
		if err := c.FindOne(t.Context(), bson.D{{Key: "_id", Value: n / 2}}).Decode(&found); err != nil ||
			found.Text != fmt.Sprint(text, n/2) {
			t.Errorf("%d: %v, %d bytes", n/2, err, len(found.Text))
			break
		}
	}
	close(end)
	all.Wait()
}
