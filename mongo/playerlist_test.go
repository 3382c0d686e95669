package mongo_test

import (
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Counting players who share something looks at each: a list that is too long is not counted.
func TestLongListsAreNotCounted(t *testing.T) {
	store, server := mongotest.Open(t)
	players := make([]any, mongo.MaxRecordCount)
	for i := range players {
		players[i] = bson.M{"_id": mongotest.UUID(i), "globalData": bson.M{"totalLevel": int64(i % 100)}}
	}
	collection := server.Database(t).Collection(mongo.Players)
	must(collection.InsertMany(t.Context(), players))(t)
	list := mongo.PlayerList{Order: mongo.Order{Field: mongo.ByTotalLevel}}
	if n, err := store.Players.Count(t.Context(), list); err != nil || n == nil || *n != mongo.MaxRecordCount {
		t.Errorf("got %v, %v", n, err)
	}
	one := bson.M{"_id": mongotest.UUID(len(players)), "globalData": bson.M{"totalLevel": int64(5)}}
	must(collection.InsertOne(t.Context(), one))(t)
	if n, err := store.Players.Count(t.Context(), list); err != nil || n != nil {
		t.Errorf("got %v, %v of one more", n, err)
	}
	list.Min = new(int64(50))
	if n, err := store.Players.Count(t.Context(), list); err != nil || n == nil || *n != mongo.MaxRecordCount/2 {
		t.Errorf("got %v, %v of a part", n, err)
	}
}
