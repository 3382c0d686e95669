package loaders

import (
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/internal/cache"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// What the process caches by age is read again at once after a purge of everything or of its tag, and not after others.
func TestPurgedValues(t *testing.T) {
	w := newOnlineWorld(t)
	guild, n := "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c", 10
	for name, c := range map[string]struct {
		tags []string
		add  func() error // something that the store does not purge
		read func(*Set) (int, error)
	}{
		"territories": {
			[]string{cache.Everything, "content:territories", "content:*"},
			func() error {
				return w.store.Territories.Put(t.Context(), []*model.Territory{heldBy(guild, mongotest.UUID(n), false, 1)})
			},
			func(set *Set) (int, error) {
				all, err := set.Territories(t.Context())
				if err != nil {
					return 0, err
				}
				return len(all.All), nil
			},
		},
		"seasons": {
			[]string{cache.Everything, "content:seasons"},
			func() error {
				seasons := w.server.Database(t).Collection(mongo.Seasons.Name)
				_, err := seasons.InsertOne(t.Context(), bson.D{{Key: "_id", Value: n}})
				return err
			},
			func(set *Set) (int, error) {
				seasons, err := set.Seasons.get(t.Context())
				if err != nil {
					return 0, err
				}
				return len(seasons.All), nil
			},
		},
		"members": {
			[]string{cache.Everything},
			func() error {
				return w.store.Players.Put(t.Context(), []*model.Player{{
					UUID: mongotest.UUID(n), Guild: &model.GuildReference{UUID: guild},
				}})
			},
			func(set *Set) (int, error) {
				counts, err := set.MemberCounts(t.Context())
				return counts[guild], err
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			read := func() int {
				return mongotest.Value(c.read(From(w.source.Attach(t.Context(), nil))))(t)
			}
			for _, tag := range c.tags {
				n++
				before := read()
				mongotest.Must(t, c.add())
				w.purges.Purge("player:x", "guild:x", "content:items")
				if got := read(); got != before {
					t.Errorf("before a purge: got %d, want %d", got, before)
				}
				w.purges.Purge(tag)
				if got := read(); got == before {
					t.Errorf("after a purge of %s: got %d as before", tag, got)
				}
			}
		})
	}
}

// An import may use the id of a cached page again, and purges everything.
func TestPurgedPages(t *testing.T) {
	w := newOnlineWorld(t)
	w.source.pages.Add(1, cachedPage{[]byte("old"), w.purges.Generation()})
	for _, want := range []string{"old", ""} {
		pages, err := w.source.boardPages(t.Context(), []int64{1})
		if err != nil || string(pages[0]) != want {
			t.Errorf("got %q, %v, want %q", pages[0], err, want)
		}
		w.purges.Purge(cache.Everything)
	}
}
