package jobs_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// The first refresh is full: all boards and rankings match the records. The next one has nothing to write.
func TestFullRefresh(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 600)
	if r := w.refresh(t, jobs.Options{}); !r.Full || r.Players != 600 {
		t.Errorf("got first refresh %+v", r)
	}
	w.checkBoards(t, w.all(t, mongo.RankedPlayers)...)
	w.checkRankings(t, mongo.RankedGuilds, w.all(t, mongo.RankedGuilds), w.expected(t))
	steps := map[string]int{}
	w.refresh(t, jobs.Options{Full: true, Progress: func(step string, done, _ int) { steps[step] = done }})
	if steps["reading players"] != 600 || steps["reading guilds"] == 0 {
		t.Errorf("got progress %v", steps)
	}
	w.checkPages(t)
}

// checkPages checks that the stored pages are those that directories name.
func (w *world) checkPages(t *testing.T) {
	t.Helper()
	named := 0
	for _, d := range mongotest.Value(w.Boards.AllDirectories(t.Context()))(t) {
		named += len(d.Pages)
	}
	if stored := w.count(t, "boardPages", bson.D{}); stored != named {
		t.Errorf("got %d pages, directories name %d", stored, named)
	}
}

// play changes and flags some players and guilds, and returns the players.
func (w *world) play(t testing.TB, r *rand.Rand, n int) []string {
	t.Helper()
	all := w.all(t, mongo.RankedPlayers)
	var changed []string
	for range n {
		uuid := all[r.IntN(len(all))]
		owned := mongotest.Value(w.Characters.ByOwner(t.Context(), []string{uuid}))(t)
		w.set(t, "players", uuid, bson.D{
			{Key: "globalData.wars", Value: r.Int64N(3) * r.Int64N(50)}, {Key: "flagged", Value: true},
		})
		changed = append(changed, uuid)
		if len(owned[0]) == 0 {
			continue
		}
		c := owned[0][r.IntN(len(owned[0]))]
		if r.IntN(8) == 0 && len(owned[0]) > 1 {
			w.remove(t, "characters", c.UUID)
			continue
		}
		w.set(t, "characters", c.UUID, bson.D{
			{Key: "level", Value: 1 + r.IntN(106)},
			{Key: "xp", Value: r.Int64N(1 << 40)},
			{Key: "gamemode", Value: []string{"hardcore", "ironman"}[:r.IntN(3)]},
			{Key: "professionXp.mining", Value: r.Int64N(1000)},
		})
	}
	guilds := w.all(t, mongo.RankedGuilds)
	w.set(t, "guilds", guilds[r.IntN(len(guilds))], bson.D{
		{Key: "totalGuildRaids", Value: r.Int64N(900)}, {Key: "flagged", Value: true},
	})
	return changed
}

// After few or many changes an incremental refresh gives the result of a full one, on boards whose pages are
// split and emptied: also for the players and guilds who did nothing and were overtaken.
func TestIncrementalRefresh(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 600)
	w.refresh(t, jobs.Options{})
	r := rand.New(rand.NewPCG(7, 7))
	players, guilds := w.all(t, mongo.RankedPlayers), w.all(t, mongo.RankedGuilds)
	for _, n := range []int{1, 0, 30, 300} {
		w.play(t, r, n)
		report := w.refresh(t, jobs.Options{})
		if report.Full || n > 0 && report.Players == 0 {
			t.Errorf("after %d changes: got refresh %+v", n, report)
		}
		w.checkBoards(t, players...)
		w.checkRankings(t, mongo.RankedGuilds, guilds, w.expected(t))
		if left := w.count(t, "players", bson.D{{Key: "flagged", Value: true}}); left > 0 {
			t.Errorf("%d players are still flagged", left)
		}
	}
	// All have the same score, then none has one.
	w.setAll(t, "players", bson.D{{Key: "globalData.wars", Value: int64(5)}, {Key: "flagged", Value: true}})
	w.refresh(t, jobs.Options{})
	w.checkBoards(t, w.all(t, mongo.RankedPlayers)[:50]...)
	w.setAll(t, "players", bson.D{{Key: "globalData.wars", Value: int64(0)}, {Key: "flagged", Value: true}})
	w.refresh(t, jobs.Options{})
	w.checkBoards(t)
	if got := w.stored(t)["warsCompletion"]; len(got) != 0 {
		t.Errorf("got %d entries on the board of wars, want none", len(got))
	}
}

// A refresh looks at online players without a flag, and at their guilds.
func TestOnlinePlayersAreRefreshed(t *testing.T) {
	w := newWorld(t, 60)
	w.refresh(t, jobs.Options{})
	const salted = "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c"
	players, err := w.Players.ByID(t.Context(), []string{salted})
	if err != nil || !players[0].Online {
		t.Fatal("Salted is not online:", err)
	}
	w.set(t, "players", salted, bson.D{{Key: "globalData.wars", Value: int64(1 << 40)}})
	w.set(t, "guilds", players[0].Guild.UUID, bson.D{{Key: "totalGuildRaids", Value: int64(1 << 40)}})
	w.refresh(t, jobs.Options{})
	w.checkBoards(t, salted)
	if got := w.stored(t); got["warsCompletion"][0].UUID() != salted ||
		got["guildTotalRaids"][0].UUID() != players[0].Guild.UUID {
		t.Error("the player or the guild is not first")
	}
}

// A flag that is set during a refresh counts for the next one, because a refresh clears it before it reads the
// record.
func TestFlagSetAgain(t *testing.T) {
	w := newWorld(t, 60)
	w.refresh(t, jobs.Options{})
	blank := w.all(t, mongo.RankedPlayers)[5]
	w.set(t, "players", blank, bson.D{
		{Key: "globalData.wars", Value: int64(3)},
		{Key: "flagged", Value: true},
		{Key: "online", Value: false},
	})
	w.refresh(t, jobs.Options{Progress: func(string, int, int) {
		// Progress is reported after the player was read.
		w.set(t, "players", blank, bson.D{{Key: "globalData.wars", Value: int64(8)}, {Key: "flagged", Value: true}})
	}})
	w.refresh(t, jobs.Options{})
	w.checkBoards(t, blank)
}

// A new season gets a board of all guilds. A disabled one loses its board and gets it back when it is enabled.
func TestSeasonBoards(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 400)
	w.refresh(t, jobs.Options{})
	season := &model.GuildSeason{Number: 99, Enabled: true, StartsAt: now.Add(-time.Minute)}
	guilds := w.all(t, mongo.RankedGuilds)
	for i, enabled := range []bool{true, false, true} {
		season.Enabled = enabled
		mongotest.Must(t, mongo.Seasons.Put(t.Context(), w.Store, []*model.GuildSeason{season}))
		for n, uuid := range guilds {
			rank := bson.D{{Key: "season", Value: 99}, {Key: "rating", Value: int64(i*10 + n%3)}}
			w.set(t, "guilds", uuid, bson.D{{Key: "seasonRanks", Value: []bson.D{rank}}})
		}
		if r := w.refresh(t, jobs.Options{}); enabled && r.Guilds < len(guilds) {
			t.Errorf("new season: refreshed %d of %d guilds", r.Guilds, len(guilds))
		}
		if _, there := w.stored(t)["guildSeason99"]; there != enabled {
			t.Errorf("board exists: %t, want %t", there, enabled)
		}
		// The ranks of other seasons were removed from the guilds, so their boards become empty.
		w.refresh(t, jobs.Options{Full: i == 1})
	}
	if got, want := w.stored(t)["guildSeason99"], w.expected(t)["guildSeason99"]; len(got) != len(want) ||
		len(got) != len(guilds) {
		t.Errorf("got %d guilds on the board, want %d", len(got), len(guilds))
	}
}

// A banned player is on no board and has no positions from the next refresh on. When the ban ends, the entries
// are there again.
func TestBannedPlayersAreOnNoBoard(t *testing.T) {
	w := newWorld(t, 300)
	w.refresh(t, jobs.Options{})
	uuid := seed.Cast[0].UUID
	for _, c := range []struct {
		banned, full bool
	}{{banned: true}, {banned: false}, {banned: true, full: true}, {banned: false, full: true}} {
		w.set(t, "players", uuid, bson.D{{Key: "banned", Value: c.banned}, {Key: "flagged", Value: true}})
		w.refresh(t, jobs.Options{Full: c.full})
		n := 0
		for _, keys := range w.stored(t) {
			for _, k := range keys {
				if k.UUID() == uuid {
					n++
				}
			}
		}
		if n > 0 == c.banned {
			t.Errorf("banned %t, full %t: got %d entries", c.banned, c.full, n)
		}
		w.checkBoards(t, uuid)
	}
}
