package resolvers_test

import (
	"fmt"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// The positions of past days show who climbed. Who hides their profile has no past, and climbers are never restricted.
func TestLeaderboardHistory(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 300)
	const board = "warsCompletion"
	top := make([]leaderboard.Key, leaderboard.TopSize)
	for i := range top {
		top[i], _ = leaderboard.NewKey(int64(1000-i), fmt.Sprintf("f0000000-0000-4000-8000-%012d", i), "")
	}
	var uuids []string
	for _, e := range w.board(t, board, 100, nil).Entries.Nodes {
		if e.UUID != nil && len(uuids) < 2 {
			at := e.Position + 9 - 8*len(uuids) // they gained 9 places and 1
			top[at-1], _ = leaderboard.NewKey(int64(1000-at), *e.UUID, "")
			uuids = append(uuids, *e.UUID)
		}
	}
	today := time.Now().UTC().Truncate(24 * time.Hour)
	put := func(ago int) time.Time {
		t.Helper()
		at := today.Add(-time.Duration(ago) * 24 * time.Hour)
		mongotest.Must(t, w.store.Boards.PutTops(t.Context(), []mongo.BoardTop{
			{BoardDay: mongo.BoardDay{Board: board, Day: at}, Entries: leaderboard.PackTop(top)},
		}, 24*365*time.Hour))
		return at
	}
	since := put(5)
	put(2)

	var data struct {
		Leaderboard struct {
			Climbers *struct {
				ComparedAt time.Time
				Entries    []struct {
					PreviousPosition, Gained *int
					Entry                    struct{ UUID *string }
				}
			}
			History []struct {
				At              time.Time
				Position, Score int
			}
			Positions []struct {
				Entry  struct{ UUID *string }
				Points []struct{ Position int }
			}
		}
	}
	const query = `query($uuid: UUID!) { leaderboard(by: {type: "` + board + `"}) {
		climbers(days: 7, first: 3) { comparedAt entries { previousPosition gained entry { uuid } } }
		history(by: {player: $uuid}) { at position score }
		positions(first: 50) { entry { uuid } points { position } } } }`
	w.ask(t, query, map[string]any{"uuid": uuids[0]}, &data)
	c := data.Leaderboard.Climbers
	if c == nil || !c.ComparedAt.Equal(since) || len(c.Entries) != 3 || *c.Entries[0].Entry.UUID != uuids[0] ||
		*c.Entries[0].Gained != 9 || *c.Entries[1].Gained != 1 || c.Entries[2].Gained != nil ||
		c.Entries[2].PreviousPosition != nil || c.Entries[2].Entry.UUID == nil {
		t.Errorf("climbers: %+v", c)
	}
	if h := data.Leaderboard.History; len(h) != 2 || !h[0].At.Equal(since) || h[0].Score != 1000-h[0].Position {
		t.Errorf("history: %+v", h)
	}
	for _, p := range data.Leaderboard.Positions {
		switch {
		case p.Entry.UUID == nil:
			t.Errorf("positions of a restricted entry: %+v", p)
		case *p.Entry.UUID == uuids[0] && (len(p.Points) != 2 ||
			p.Points[0].Position != data.Leaderboard.History[0].Position):
			t.Errorf("positions: %+v", p)
		}
	}
	if n := len(data.Leaderboard.Positions); n < 2 || *data.Leaderboard.Positions[0].Entry.UUID != uuids[0] {
		t.Errorf("got the positions of %d entries", n)
	}
	days := mongotest.Value(w.store.Players.ByID(t.Context(), uuids[:1]))(t)
	hidden := *days[0]
	hidden.Rules[model.OnlineStatus] = model.Friend
	mongotest.Must(t, w.store.Apply(t.Context(), mongo.Save(days[0], &hidden)))
	data.Leaderboard.History, data.Leaderboard.Climbers, data.Leaderboard.Positions = nil, nil, nil
	w.ask(t, query, map[string]any{"uuid": uuids[0]}, &data)
	if data.Leaderboard.History != nil {
		t.Errorf("a player who hides when they play: %+v", data.Leaderboard.History)
	}
	for _, p := range data.Leaderboard.Positions {
		if *p.Entry.UUID == uuids[0] {
			t.Errorf("positions of a player who hides when they play: %+v", p)
		}
	}
	for _, e := range data.Leaderboard.Climbers.Entries {
		if *e.Entry.UUID == uuids[0] {
			t.Errorf("climb of a player who hides when they play: %+v", e)
		}
	}
	data.Leaderboard.History = nil
	w.ask(t, query, map[string]any{"uuid": member("Shuttered").UUID}, &data)
	if data.Leaderboard.History != nil {
		t.Errorf("a hidden player: %+v", data.Leaderboard.History)
	}
	for field, message := range map[string]string{
		`history(by: {guild: "c0000000-0000-4000-8000-000000000001"})`: "This leaderboard is of players: give player.",
		`climbers(days: 91)`:   "days must be 1 to 90.",
		`climbers(first: 101)`: "first must be 1 to 100.",
		`positions(first: 51)`: "first must be 1 to 50.",
	} {
		got := refused(t, w.exec, `{ leaderboard(by: {type: "`+board+`"}) { `+field+` { __typename } } }`)
		if got.Detail != message {
			t.Errorf("%s: got %v, want %s", field, got, message)
		}
	}
}
