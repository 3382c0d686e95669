package mongotest

import (
	"maps"
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo"
)

// CompareLookups compares the lookups of a store with all its players: it returns the ids of those that are missing,
// which hide a player, and of unused ones. Names and values have no character that ids escape.
func CompareLookups(t testing.TB, server *Server) (missing, unused []string) {
	t.Helper()
	type player struct {
		ID       string `bson:"_id"`
		Username string
		NameFold string `bson:"nameFold"`
		Party    string
		Address  string
		Guild    struct{ UUID string }
	}
	var players []player
	var lookups []struct {
		ID string `bson:"_id"`
	}
	for collection, to := range map[string]any{mongo.Players: &players, mongo.PlayerLookups: &lookups} {
		cursor, err := server.Database(t).Collection(collection).Find(t.Context(), bson.D{})
		if err == nil {
			err = cursor.All(t.Context(), to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	needed := map[string]bool{}
	for _, p := range players {
		for kind, value := range map[string]string{
			"name\t": p.NameFold, "guild\t": p.Guild.UUID, "party\t": p.Party, "address\t": p.Address,
		} {
			if kind == "name\t" {
				value += "\t" + p.Username
			}
			if value != "" {
				needed[kind+value+"\t"+p.ID] = true
			}
		}
	}
	for _, l := range lookups {
		if !needed[l.ID] {
			unused = append(unused, l.ID)
		}
		delete(needed, l.ID)
	}
	return slices.Sorted(maps.Keys(needed)), unused
}
