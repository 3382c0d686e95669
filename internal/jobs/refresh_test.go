package jobs_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/internal/jobs"
	"gamedata/mongo"
)

// The first refresh is full: boards and positions of everybody are what the records make. The
// next one has nothing to write.
func TestFullRefresh(t *testing.T) {
	w := newWorld(t, 1200)
	if r := w.refresh(t, jobs.Options{}); !r.Full || r.Players != 1200 || r.Rankings < 1100 {
		t.Errorf("the first refresh is %+v", r)
	}
	w.holds(t, w.all(t, mongo.RankedPlayers)...)
	w.ranked(t, mongo.RankedGuilds, w.all(t, mongo.RankedGuilds), w.expected(t))
	steps := map[string]int{}
	if r := w.refresh(t, jobs.Options{Full: true, Progress: func(step string, done,
		_ int,
	) {
		steps[step] = done
	}}); r.Rankings != 0 {
		t.Errorf("the same again writes %+v", r)
	}
	if steps["reading players"] != 1200 || steps["ranking guilds"] == 0 {
		t.Errorf("progress tells %v", steps)
	}
	if extra := w.count(t, "boardPages", bson.D{}); extra != w.named(t) {
		t.Errorf("%d pages are stored, %d are named", extra, w.named(t))
	}
}

// named counts the pages that directories name.
func (w *world) named(t *testing.T) (n int) {
	t.Helper()
	dirs, err := w.AllDirectories(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		n += len(d.Pages)
	}
	return n
}

// play changes some players and guilds the way a game does, flags those who are offline, and
// lists the players.
func (w *world) play(t testing.TB, r *rand.Rand, n int) []string {
	t.Helper()
	all := w.all(t, mongo.RankedPlayers)
	var changed []string
	for range n {
		uuid := all[r.IntN(len(all))]
		owned, err := w.CharactersByOwner(t.Context(), []string{uuid})
		if err != nil {
			t.Fatal(err)
		}
		w.set(t, "players", uuid, bson.D{{Key: "globalData.wars", Value: r.Int64N(3) * r.Int64N(50)}, {
			Key:   "flagged",
			Value: true,
		}})
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
			{
				Key:   "professionXp.mining",
				Value: r.Int64N(1000),
			},
		})
	}
	guilds := w.all(t, mongo.RankedGuilds)
	w.set(t, "guilds", guilds[r.IntN(len(guilds))], bson.D{{Key: "totalGuildRaids", Value: r.Int64N(900)}, {
		Key:   "flagged",
		Value: true,
	}})
	return changed
}

// However much changes, an incremental refresh makes what a full one would, over boards of
// several pages that are split and emptied.
func TestIncrementalRefresh(t *testing.T) {
	w := newWorld(t, 1500)
	w.refresh(t, jobs.Options{})
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{1, 0, 30, 700} {
		changed := w.play(t, r, n)
		report := w.refresh(t, jobs.Options{})
		if report.Full || n > 0 && report.Players == 0 {
			t.Errorf("after %d changes the refresh is %+v", n, report)
		}
		w.holds(t, changed...)
		if left := w.count(t, "players", bson.D{{Key: "flagged", Value: true}}); left > 0 {
			t.Errorf("%d players are still flagged", left)
		}
	}
	// Everybody shares a score, then nobody is on a board any more.
	for _, uuid := range w.all(t, mongo.RankedPlayers) {
		w.set(t, "players", uuid, bson.D{{Key: "globalData.wars", Value: int64(5)}, {Key: "flagged", Value: true}})
	}
	w.refresh(t, jobs.Options{})
	w.holds(t, w.all(t, mongo.RankedPlayers)[:50]...)
	for _, uuid := range w.all(t, mongo.RankedPlayers) {
		w.set(t, "players", uuid, bson.D{{Key: "globalData.wars", Value: int64(0)}, {Key: "flagged", Value: true}})
	}
	w.refresh(t, jobs.Options{})
	w.holds(t)
	if got := w.stored(t)["warsCompletion"]; len(got) != 0 {
		t.Errorf("%d are on the board of wars without one", len(got))
	}
}

// Who is online is looked at without a flag, a guild because of its member.
func TestOnlineIsLookedAt(t *testing.T) {
	w := newWorld(t, 60)
	w.refresh(t, jobs.Options{})
	const salted = "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c"
	players, err := w.PlayersByUUID(t.Context(), []string{salted})
	if err != nil || !players[0].Online {
		t.Fatal("Salted is not online", err)
	}
	w.set(t, "players", salted, bson.D{{Key: "globalData.wars", Value: int64(1 << 40)}})
	w.set(t, "guilds", players[0].Guild.UUID, bson.D{{Key: "totalGuildRaids", Value: int64(1 << 40)}})
	w.refresh(t, jobs.Options{})
	w.holds(t, salted)
	if got := w.stored(t); got["warsCompletion"][0].UUID() != salted ||
		got["guildTotalRaids"][0].UUID() != players[0].Guild.UUID {
		t.Error("the player or the guild is not first")
	}
}

// A flag that is set again while a refresh runs counts for the next one: it is cleared before
// the record is read.
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
		// Told after the player was read.
		w.set(t, "players", blank, bson.D{{Key: "globalData.wars", Value: int64(8)}, {Key: "flagged", Value: true}})
	}})
	w.refresh(t, jobs.Options{})
	w.holds(t, blank)
}

// A season that begins gets its board from all guilds; one that is disabled loses it, and has
// it whole when it is enabled again.
func TestSeasonsComeAndGo(t *testing.T) {
	w := newWorld(t, 400)
	w.refresh(t, jobs.Options{})
	season := &model.GuildSeason{Number: 99, Enabled: true, InitDate: now.Add(-time.Minute)}
	guilds := w.all(t, mongo.RankedGuilds)
	for i, enabled := range []bool{true, false, true} {
		season.Enabled = enabled
		if err := w.PutSeasons(t.Context(), []*model.GuildSeason{season}); err != nil {
			t.Fatal(err)
		}
		for n, uuid := range guilds {
			w.set(t, "guilds", uuid, bson.D{{Key: "seasonRanks", Value: []bson.D{{{Key: "season", Value: 99}, {
				Key:   "rating",
				Value: int64(i*10 + n%3),
			}}}}})
		}
		if r := w.refresh(t, jobs.Options{}); enabled && r.Guilds < len(guilds) {
			t.Errorf("a season began and %d of %d guilds were looked at", r.Guilds, len(guilds))
		}
		if _, there := w.stored(t)["guildSeason99"]; there != enabled {
			t.Errorf("enabled %t, its board is there: %t", enabled, there)
		}
		// The other seasons have nothing any more once their guilds were looked at.
		w.refresh(t, jobs.Options{Full: i == 1})
	}
	if got, want := w.stored(t)["guildSeason99"], w.expected(t)["guildSeason99"]; len(got) != len(want) ||
		len(got) != len(guilds) {
		t.Errorf("%d guilds are on the board, want %d", len(got), len(guilds))
	}
}
