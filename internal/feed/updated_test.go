package feed_test

import (
	"slices"
	"testing"
	"time"

	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// updatedAt of a player moves with what everyone may see, and never with presence or with what the player hides.
func TestUpdatedAt(t *testing.T) {
	store, _ := mongotest.Open(t)
	storeGame(t, store)
	const player = `{"player": "00000000-0000-4000-8000-000000000001"`
	gained := [2]string{"CharacterGained", `{"character": "00000000-0000-4000-8000-000000000101", "mobsKilled": 5}`}
	for _, c := range []struct {
		name  string
		event [2]string
		moves bool
	}{
		{"totals of one who hides them", gained, false},
		{"showing them", [2]string{"AccessRulesSet", player + `, "rules": {"mainAccess": "public"}}`}, true},
		{"a join", [2]string{"PlayerJoined", player + `}`}, false},
		{"shared totals", gained, true},
		{"leaving", [2]string{"PlayerLeft", player + `}`}, false},
		{"a rule", [2]string{"AccessRulesSet", player + `, "rules": {"onlineStatus": "private"}}`}, true},
		{"totals of one who hides presence", gained, false},
		{"a hidden join", [2]string{"PlayerJoined", player + `}`}, false},
		{"a name", [2]string{"PlayerRenamed", player + `, "username": "Salted2"}`}, true},
	} {
		before := readPlayer(t, store, 1).Updated
		for !time.Now().After(before.Add(time.Millisecond)) { // as precise as a stored time
		}
		apply(t, store, c.event)
		if after := readPlayer(t, store, 1).Updated; after.After(before) != c.moves {
			t.Errorf("%s: updatedAt was %v, is %v", c.name, before, after)
		}
	}
}

// Deleted players and guilds are remembered.
func TestDeletionsAreRemembered(t *testing.T) {
	store, _ := mongotest.Open(t)
	storeGame(t, store)
	begun := time.Now().Add(-time.Second)
	apply(t, store, [2]string{"PlayerDeleted", `{"player": "00000000-0000-4000-8000-000000000003"}`})
	apply(t, store,
		[2]string{"GuildDisbanded", `{"guild": "00000000-0000-4000-8000-000000000052", "at": "2026-03-20T12:00:00Z"}`})
	list := mongo.DeletionList{Since: begun}
	found, more, err := store.Deletions.Page(t.Context(), list, mongo.PageQuery{Limit: 10})
	if err != nil || more || len(found) != 2 {
		t.Fatalf("got %v, %v, %v", found, more, err)
	}
	if found[0].At.Equal(found[1].At) { // then they are in the order of their ids
		slices.Reverse(found)
	}
	if found[0].Type != "PLAYER" || found[0].Key != mongotest.UUID(3) || found[1].Type != "GUILD" ||
		found[1].Key != mongotest.UUID(52) {
		t.Errorf("got %+v and %+v", found[0], found[1])
	}
	list.Types = []string{"ITEM"}
	if n, err := store.Deletions.Count(t.Context(), list); err != nil || n != 0 {
		t.Errorf("got %d items, %v", n, err)
	}
}
