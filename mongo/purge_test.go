package mongo_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Writes purge tags in their process and announce them to others; many tags of a kind become a wildcard.
func TestPurgesAreAnnounced(t *testing.T) {
	store, server := mongotest.Open(t)
	other := mongotest.OpenOn(t, server)
	var here []string
	store.OnPurge(func(tags ...string) { here = append(here, tags...) })
	now := time.Now()
	purges := must(other.FollowPurges(t.Context(), now))(t)
	var many []*model.Player
	for n := range 101 {
		many = append(many, &model.Player{UUID: mongotest.UUID(1000 + n), Username: fmt.Sprint("P", n)})
	}
	for name, c := range map[string]struct {
		write func() error
		tags  []string
	}{
		"players": {func() error { return store.Players.Put(t.Context(), many[:2]) }, []string{
			"player:" + mongotest.UUID(1000),
			"player:" + mongotest.UUID(1001),
		}},
		"many players": {func() error { return store.Players.Put(t.Context(), many) }, []string{"player:*"}},
		"no players":   {func() error { return store.Players.Put(t.Context(), nil) }, nil},
		"friends and guild, which access rules depend on": {func() error {
			friend, member := *many[0], *many[1]
			friend.Friends, member.Guild = []string{mongotest.UUID(2)}, &model.GuildReference{UUID: mongotest.UUID(4)}
			return store.Apply(t.Context(), mongo.Save(many[0], &friend), mongo.Save(many[1], &member))
		}, []string{"player:" + mongotest.UUID(1000), "player:" + mongotest.UUID(1001)}},
		"characters": {func() error {
			return store.Characters.Put(t.Context(), []*model.Character{
				{UUID: mongotest.UUID(1), Owner: mongotest.UUID(2), ClassKey: "MAGE"},
				{UUID: mongotest.UUID(3), Owner: mongotest.UUID(2), ClassKey: "MAGE"},
			})
		}, []string{"player:" + mongotest.UUID(2)}},
		"guilds": {
			func() error {
				return store.Guilds.Put(t.Context(), []*model.Guild{{UUID: mongotest.UUID(4), Name: "Moss"}})
			},
			[]string{"guild:" + mongotest.UUID(4)},
		},
		"content": {
			func() error { return mongo.Seasons.Put(t.Context(), store, []*model.GuildSeason{{Number: 1}}) },
			[]string{"content:seasons"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			here = nil
			check(t, c.write())
			before := server.Stats()
			there := must(purges.Next(t.Context(), now))(t)
			if !slices.Equal(here, c.tags) || !slices.Equal(there, c.tags) {
				t.Errorf("got %v here and %v in the other process, want %v", here, there, c.tags)
			}
			if after := server.Stats(); after.CollectionScans != before.CollectionScans {
				t.Error("the announcements were read without an index")
			}
		})
	}
}

// A poll reads what was announced shortly before the last one, not everything of the last minutes. Announcements of a
// process whose clock is behind are read within a minute.
func TestPurgesAreReadFromTheLastOn(t *testing.T) {
	store, server := mongotest.Open(t)
	now := time.Now()
	purges := server.Database(t).Collection(mongo.Purges)
	announce := func(tag string, at time.Time) {
		t.Helper()
		must(purges.InsertOne(t.Context(), bson.D{
			{Key: "_id", Value: bson.NewObjectID()},
			{Key: "by", Value: "another"},
			{Key: "tags", Value: bson.A{tag}},
			{Key: "expires", Value: at.Add(10 * time.Minute)},
		}))(t)
	}
	for n := range 500 {
		announce(fmt.Sprint("player:", n), now.Add(-time.Duration(n)*time.Second))
	}
	reader := must(store.FollowPurges(t.Context(), now))(t)
	poll := func(after time.Duration, want ...string) {
		t.Helper()
		got, err := reader.Next(t.Context(), now.Add(after))
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("after %s: got %v, %v, want %v", after, got, err, want)
		}
	}
	before := server.Stats().DocumentsExamined
	poll(2 * time.Second)
	if read := server.Stats().DocumentsExamined - before; read > 20 {
		t.Errorf("a poll read %d announcements, want the announcements of the last seconds", read)
	}
	announce("player:new", now.Add(3*time.Second))
	announce("player:slow", now.Add(-6*time.Second)) // by a clock that is 10 seconds behind
	announce("player:wrong", now.Add(-2*time.Minute))
	poll(4*time.Second, "player:new", "player:slow")
	poll(6 * time.Second)
	poll(time.Minute, "player:wrong")
	announce("guild:a", now.Add(61*time.Second))
	poll(62*time.Second, "guild:a")
	poll(64 * time.Second)
}
