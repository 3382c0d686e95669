package mongo_test

import (
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A malformed guild is left out, and those after it are on the following pages, whatever is read of the guilds.
func TestGuildPageWithMalformedRecord(t *testing.T) {
	store, server := mongotest.Open(t)
	check(t, store.Guilds.Insert(t.Context(), []*model.Guild{
		{UUID: mongotest.UUID(1), Name: "Ash", Prefix: "ASH"},
		{UUID: mongotest.UUID(2), Name: "Birch", Prefix: "BRC"},
		{UUID: mongotest.UUID(4), Name: "Cedar", Prefix: "CDR"},
	}))
	must(server.Database(t).Collection(mongo.Guilds).InsertOne(t.Context(), bson.D{
		{Key: "_id", Value: mongotest.UUID(3)}, {Key: "name", Value: 5}, {Key: "nameFold", Value: "5"},
	}))(t)
	for _, brief := range []bool{true, false} {
		var names []string
		l := mongo.GuildList{Field: mongo.GuildName}
		for q := (mongo.PageQuery{Limit: 2}); ; {
			page, more, err := store.Guilds.Page(t.Context(), l, q, brief)
			check(t, err)
			for _, g := range page {
				names = append(names, g.Name)
			}
			if !more || len(page) == 0 {
				break
			}
			q.After = new(l.Position(page[len(page)-1]))
		}
		if !slices.Equal(names, []string{"Ash", "Birch", "Cedar"}) {
			t.Errorf("brief %v: the pages have %v", brief, names)
		}
	}
}
