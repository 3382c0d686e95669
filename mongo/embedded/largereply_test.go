package embedded

import (
	"strings"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Clients that read large replies at once share a buffer, but no bytes.
func TestLargeReplies(t *testing.T) {
	db := connect(t, openServer(t, Options{NoSync: true}))
	names := []string{"a", "b", "c"}
	const records, size = 300, 10_000
	for _, name := range names {
		list := make([]any, records)
		for i := range list {
			list[i] = d("_id", i, "text", strings.Repeat(name, size))
		}
		must(db.Collection(name).InsertMany(t.Context(), list))(t)
	}
	var clients sync.WaitGroup
	for _, name := range names {
		clients.Go(func() {
			for range 5 {
				cursor, err := db.Collection(name).Find(t.Context(), d(), options.Find().SetBatchSize(records))
				if err != nil {
					t.Error(err)
					return
				}
				var found []struct{ Text string }
				if err := cursor.All(t.Context(), &found); err != nil || len(found) != records {
					t.Error(len(found), err)
				}
				for _, f := range found {
					if strings.Count(f.Text, name) != size {
						t.Errorf("%s: got a text with %q", name, strings.Trim(f.Text, name))
						return
					}
				}
			}
		})
	}
	clients.Wait()
}
