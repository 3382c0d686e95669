package feed_test

import (
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/internal/feed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// An event that needs a malformed record is rejected; the others of its batch are applied.
func TestEventsAboutMalformedRecords(t *testing.T) {
	store, server := mongotest.Open(t)
	g := storeGame(t, store)
	for collection, id := range map[string]string{mongo.Players: g.salted.UUID, mongo.Guilds: g.moss.UUID} {
		if _, err := server.Database(t).Collection(collection).UpdateByID(t.Context(), id,
			bson.D{{Key: "$set", Value: bson.D{{Key: "online", Value: "yes"}, {Key: "level", Value: "high"}}}}); err != nil {
			t.Fatal(err)
		}
	}
	salted, moss := `{"player": "`+g.salted.UUID+`"}`, `{"guild": "`+g.moss.UUID+`"`
	for _, c := range []struct{ name, fields, field string }{
		{"PlayerLeft", salted, "player"},
		{"PlayerDeleted", salted, "player"},
		{"CharacterGained", `{"character": "` + g.dusk.UUID + `"}`, "character"},
		{"GuildProgressed", moss + `, "level": 2, "xpPercent": 0}`, "guild"},
		{"GuildAdded", `{"guild": "00000000-0000-4000-8000-000000000059", "name": "MossBound", "prefix": "M"}`, "name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			outcomes := try(t, store,
				decode(t, c.name, c.fields), decode(t, "PartyLeft", `{"player": "00000000-0000-4000-8000-000000000003"}`))
			if outcomes[1].Err != nil {
				t.Fatal(outcomes)
			}
			if e := outcomes[0].Err; e == nil || e.Code != feed.Conflict || e.Field != c.field {
				t.Errorf("got %+v, want a conflict of %q", e, c.field)
			}
		})
	}
}
