package mongo_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A caller who reads a list while it is replaced finds entries, never an empty list.
func TestReplacedListIsNeverEmpty(t *testing.T) {
	reader, server := mongotest.Open(t)
	titles := func() (out []string) {
		t.Helper()
		found := must(mongo.LatestNews.Read(t.Context(), reader))(t)
		for _, n := range found {
			out = append(out, n.Title)
		}
		return out
	}
	list := func(name string, n int) (out []*model.NewsEntry) {
		for i := range n {
			out = append(out, &model.NewsEntry{Title: fmt.Sprint(name, i)})
		}
		return out
	}
	check(t, mongo.LatestNews.Put(t.Context(), reader, list("old", 3)))
	commands := 0
	writer := mongotest.OpenOn(t, server, func(o *mongo.Options) {
		o.OnCommand = func(_ context.Context, _, collection string) func(time.Duration, error) {
			return func(time.Duration, error) {
				if collection == mongo.LatestNews.Name && commands >= 0 {
					commands++
					if now := titles(); len(now) == 0 {
						t.Error("the list is empty")
					}
				}
			}
		}
	})
	for _, n := range []int{3, 5, 1} {
		name := fmt.Sprint("new", n, "-")
		check(t, mongo.LatestNews.Put(t.Context(), writer, list(name, n)))
		if got := titles(); len(got) != n || got[n-1] != fmt.Sprint(name, n-1) {
			t.Errorf("got %v, want %d of %s", got, n, name)
		}
	}
	if commands == 0 {
		t.Error("no command was seen")
	}
	commands = -1 // an empty list that is stored is empty
	check(t, mongo.LatestNews.Put(t.Context(), writer, nil))
	if got := titles(); got != nil {
		t.Errorf("got %v", got)
	}
}
