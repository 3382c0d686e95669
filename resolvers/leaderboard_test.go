package resolvers_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/feed"
	"gamedata/mongo/mongotest"
	"gamedata/mongo/seed"
)

// newRankedWorld is the demo world with its leaderboards.
func newRankedWorld(t testing.TB, players int) *world {
	t.Helper()
	store, server := mongotest.OpenFilled(t, fmt.Sprint(players, " ranked"),
		func(ctx context.Context, store *mongo.Store) error {
			if err := seedWorld(players)(ctx, store); err != nil {
				return err
			}
			_, err := jobs.Ranks(ctx, store, now, jobs.Options{Invent: seed.PreviousRankings(1)})
			return err
		})
	return onStore(t, store, server)
}

// shownEntry is what the tests read of an entry of any kind.
type shownEntry struct {
	Kind       string `json:"__typename"`
	Position   int
	Name, UUID *string
	Restricted bool
	Score      int64
	Previous   *int
	Movement   *int
	Player     *struct{ Username string }
	Character  *struct {
		Level       int
		SkillPoints *struct{ Strength int }
	}
	Guild         *struct{ Name string }
	Territories   int
	Members       int
	Level         int
	CharacterType string
}

type shownBoard struct {
	Type, Kind  string
	RefreshedAt *string
	Count       int
	Entries     []shownEntry
}

const boardQuery = `query($type:String!,$first:Int!,$around:UUID){
	leaderboard(type:$type,first:$first,around:$around){type kind refreshedAt count entries{
	__typename position name uuid
	... on PlayerEntry{restricted score previous:previousRanking movement player{username}}
	... on CharacterEntry{restricted score previous:previousRanking movement player{username}
		character{level skillPoints{strength}} characterType}
	... on GamemodeEntry{restricted score previous:previousRanking movement player{username}
		character{level skillPoints{strength}} characterType}
	... on GuildRaidEntry{restricted score previous:previousRanking movement guild{name}}
	... on GuildSeasonEntry{score previous:previousRanking movement guild{name}}
	... on GuildRecordEntry{level territories members guild{name}}}}}`

func (w *world) board(t testing.TB, name string, first int, around *string) shownBoard {
	t.Helper()
	var data struct{ Leaderboard shownBoard }
	vars := map[string]any{"type": name, "first": first}
	if around != nil {
		vars["around"] = *around
	}
	w.ask(t, boardQuery, vars, &data)
	return data.Leaderboard
}

// Every board there is answers entries of its kind, in order, and what belongs to an entry
// fits it.
func TestEveryLeaderboard(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	kinds := map[string]string{
		"PLAYER": "PlayerEntry", "CHARACTER": "CharacterEntry", "GAMEMODE": "GamemodeEntry",
		"GUILD_RAIDS": "GuildRaidEntry", "GUILD_SEASON": "GuildSeasonEntry", "GUILD_RECORD": "GuildRecordEntry",
	}
	var types struct {
		LeaderboardTypes []struct {
			Type, Kind string
			Season     *struct{ Number int }
		}
	}
	w.ask(t, `{leaderboardTypes{type kind season{number}}}`, nil, &types)
	restricted := 0
	for _, lt := range types.LeaderboardTypes {
		b := w.board(t, lt.Type, 600, nil)
		if b.Type != lt.Type || b.Kind != lt.Kind || b.Count < len(b.Entries) || len(b.Entries) < min(b.Count, 600) {
			t.Errorf("%s answers %s of %s with %d of %d entries", lt.Type, b.Type, b.Kind, len(b.Entries), b.Count)
		}
		if len(b.Entries) == 0 && lt.Type != "guildSeason23" && lt.Type != "guildSeason24" {
			t.Errorf("%s is empty", lt.Type)
		}
		if (lt.Season != nil) != (lt.Kind == "GUILD_SEASON") || (b.RefreshedAt == nil) != (lt.Kind == "GUILD_RECORD") {
			t.Errorf("%s: season %v, refreshed %v", lt.Type, lt.Season, b.RefreshedAt)
		}
		for i, e := range b.Entries {
			if e.Kind != kinds[lt.Kind] || e.Position != i+1 || i > 0 && e.Score > b.Entries[i-1].Score {
				t.Errorf("%s: entry %d is %+v", lt.Type, i+1, e)
			}
			if (e.Name == nil) != e.Restricted || (e.UUID == nil) != e.Restricted || e.Restricted && (e.Player != nil ||
				e.Character != nil) {
				t.Errorf("%s: entry %d is half restricted: %+v", lt.Type, i+1, e)
			}
			if e.Previous != nil && *e.Movement != *e.Previous-e.Position || (e.Previous == nil) != (e.Movement == nil) {
				t.Errorf("%s: entry %d moved %v from %v", lt.Type, i+1, e.Movement, e.Previous)
			}
			if !e.Restricted && (lt.Kind == "CHARACTER" || lt.Kind == "GAMEMODE") && (e.Character == nil ||
				e.Player.Username != *e.Name) {
				t.Errorf("%s: entry %d has no character: %+v", lt.Type, i+1, e)
			}
			if e.Guild != nil && e.Guild.Name != *e.Name {
				t.Errorf("%s: entry %d is another guild", lt.Type, i+1)
			}
			if e.Restricted {
				restricted++
			}
		}
	}
	if len(types.LeaderboardTypes) < 59 || restricted < 100 {
		t.Errorf("%d boards, %d restricted entries", len(types.LeaderboardTypes), restricted)
	}
}

// Who is hidden on which kind of board: §12.4.
func TestRestrictedEntries(t *testing.T) {
	w := newRankedWorld(t, 60)
	uuid := map[string]string{}
	for _, m := range seed.Cast {
		uuid[m.Username] = m.UUID
	}
	for _, c := range []struct {
		name, board string
		hidden      bool
	}{
		{"Shuttered", "totalGlobalLevel", true},
		{"Shuttered", "combatSoloLevel", true},
		{
			"Listless", "totalGlobalLevel",
			false,
		},
		{"Listless", "combatSoloLevel", true},
		{"Sealed", "totalGlobalLevel", false},
		{"Sealed", "combatSoloLevel", true},
		{"Sealed", "hardcoreContent", true},
		{"Loomkeeper", "hardcoreContent", false},
		{
			"Quietmoss", "combatSoloLevel",
			false,
		},
		{"Veiled", "totalGlobalLevel", true},
	} {
		found := false
		for _, e := range w.board(t, c.board, 1000, nil).Entries {
			found = found || e.UUID != nil && *e.UUID == uuid[c.name]
		}
		if found == c.hidden {
			t.Errorf("%s is named on %s: %t", c.name, c.board, found)
		}
		// Nor may a query around the player reveal the position.
		query := fmt.Sprintf(`{leaderboard(type:%q,around:%q){entries{position}}}`, c.board, uuid[c.name])
		if c.hidden {
			if err := refused(t, w.exec, query); err.Code != graph.NotFound {
				t.Errorf("around %s on %s: %s", c.name, c.board, err.Code)
			}
		} else if b := w.board(t, c.board, 3, ptr(uuid[c.name])); len(b.Entries) != 3 {
			t.Errorf("around %s on %s: %+v", c.name, c.board, b)
		}
	}
	for _, e := range w.board(t, "hardcoreContent", 1000, nil).Entries {
		if e.Name != nil && *e.Name == "Loomkeeper" && e.Character.SkillPoints != nil {
			t.Error("the build of Loomkeeper's character is shown")
		}
		if e.Name != nil && e.CharacterType == "" {
			t.Errorf("entry %d has no class", e.Position)
		}
	}
}

// A player's ranking is looked up with few commands, however many boards there are, and belongs to the boards.
func TestRankingCommands(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	var data struct {
		Player struct {
			Ranking []struct {
				Type     string
				Position int
			}
			PreviousRankingAt string
			RankMovement      []struct{ Position, Previous, Movement *int }
			Characters        []struct{ Level int }
		}
	}
	const query = `{player(username:"Okapi"){ranking{type position} previousRankingAt
		rankMovement{position previous movement} characters{level}}}`
	if n := w.least(t, 5, query, nil, &data); n > 5 {
		t.Errorf("took %d commands, want 5: the player, characters, versions, standing, pages", n)
	}
	p := data.Player
	if len(p.Ranking) < 20 || len(p.Characters) == 0 || p.PreviousRankingAt != "2026-03-20T00:00:00Z" {
		t.Errorf("got %+v", p)
	}
	for _, r := range p.Ranking {
		if b := w.board(t, r.Type, 1, ptr(seed.Cast[2].UUID)); b.Entries[0].Position != r.Position {
			t.Errorf("position %d on %s, ranking says %d", b.Entries[0].Position, r.Type, r.Position)
		}
	}
	moved := 0
	for _, m := range p.RankMovement {
		if m.Position == nil || m.Previous == nil {
			continue
		}
		if moved++; *m.Movement != *m.Previous-*m.Position {
			t.Errorf("from %d to %d is a movement of %d", *m.Previous, *m.Position, *m.Movement)
		}
	}
	if moved == 0 {
		t.Error("no position has a movement")
	}
	var many struct {
		Players []struct{ Ranking []struct{ Type string } }
	}
	uuids := make([]string, len(seed.Cast))
	for i, m := range seed.Cast {
		uuids[i] = m.UUID
	}
	if n := w.least(t, 4, `query($uuids:[UUID!]!){players(uuids:$uuids){ranking{type}}}`,
		map[string]any{"uuids": uuids}, &many); n > 4 {
		t.Errorf("all of the cast took %d commands, want 4", n)
	}
}

// A ban shows at once: until the next refresh removes the entry, it keeps its position, restricted.
func TestBannedPlayersAreNotNamedOnBoards(t *testing.T) {
	w := newRankedWorld(t, 60)
	uuid := seed.Cast[0].UUID
	found, err := w.store.PlayersByUUID(t.Context(), []string{uuid})
	if err != nil {
		t.Fatal(err)
	}
	found[0].Banned = true
	before := w.board(t, "combatSoloLevel", 1000, nil)
	if err := w.store.PutPlayers(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	after := w.board(t, "combatSoloLevel", 1000, nil)
	named := 0
	for i, was := range before.Entries {
		if was.UUID == nil || *was.UUID != uuid {
			continue
		}
		named++
		if e := after.Entries[i]; !e.Restricted || e.UUID != nil || e.Score != was.Score || e.Position != was.Position {
			t.Errorf("got %+v, want %+v restricted", e, was)
		}
	}
	if named != 1 {
		t.Errorf("the board named the player %d times before the ban, want once", named)
	}
	query := fmt.Sprintf(`{leaderboard(type:"combatSoloLevel",around:%q){entries{position}}}`, uuid)
	if err := refused(t, w.exec, query); err.Code != graph.NotFound {
		t.Errorf("around a banned player: got %s, want %s", err.Code, graph.NotFound)
	}
}

func ptr[T any](v T) *T { return &v }

// The neighbourhood of every entry is that entry with as many above as below, where there are.
func TestAround(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	for _, name := range []string{
		"warsCompletion", "hardcoreContent", "guildTotalRaids", "guildLevel", "guildTerritories",
		"guildWars", "guildSeason28",
	} {
		whole := w.board(t, name, 1000, nil)
		seen := map[string]bool{}
		for i, e := range whole.Entries {
			if e.UUID == nil || seen[*e.UUID] {
				continue
			}
			seen[*e.UUID] = true // its best entry
			if i%17 != 0 && i > 5 && i < len(whole.Entries)-3 {
				continue
			}
			for _, n := range []int{1, 2, 5, 1000} {
				b := w.board(t, name, n, e.UUID)
				first := max(1, min(e.Position-(n-1)/2, whole.Count-n+1))
				if b.Count != whole.Count || len(b.Entries) != min(n, whole.Count) || b.Entries[0].Position != first ||
					*b.Entries[e.Position-first].UUID != *e.UUID {
					t.Errorf("%s: %d around %d are %d from %d of %d", name, n, e.Position, len(b.Entries), b.Entries[0].Position,
						b.Count)
				}
			}
		}
		if len(seen) < 3 {
			t.Errorf("%s: only %d were selected", name, len(seen))
		}
	}
	for query, code := range map[string]graph.Code{
		`{leaderboard(type:"warsCompletion",around:"00000000-0000-4000-8000-000000000000"){count}}`: graph.NotFound,
		`{leaderboard(type:"guildWars",around:"00000000-0000-4000-8000-000000000000"){count}}`:      graph.NotFound,
		`{leaderboard(type:"guildWars",around:"b0000000-0000-4000-8000-000000000003"){count}}`:      graph.NotFound, // wars not known
		`{leaderboard(type:"huichContent",around:"3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c"){count}}`:   graph.NotFound,
		`{leaderboard(type:"warsCompletion",first:0){count}}`:                                       graph.InvalidQueryParams,
		`{leaderboard(type:"warsCompletion",first:1001){count}}`:                                    graph.InvalidQueryParams,
		`{leaderboard(type:"guildLevel",first:-1){count}}`:                                          graph.InvalidQueryParams,
		`{leaderboard(type:"nothing"){count}}`:                                                      graph.InvalidLeaderboardType,
		`{guildSeasons{leaderboard(first:1001){count}}}`:                                            graph.InvalidQueryParams,
	} {
		if err := refused(t, w.exec, query); err.Code != code {
			t.Errorf("%s is refused with %s, want %s", query, err.Code, code)
		}
	}
}

// The boards computed on request stand in their order: the number, then level, then uuid.
func TestComputedBoards(t *testing.T) {
	w := newRankedWorld(t, 700)
	ctx := t.Context()
	wars := func(n int64) *int64 { return &n }
	guild := func(n, level int, w *int64) *model.Guild {
		return &model.Guild{
			UUID: fmt.Sprintf("90000000-0000-4000-8000-%012d", n), Name: fmt.Sprintf("Guild %d", n),
			Prefix: "GG", Level: level, Wars: w, Created: time.Unix(0, 0),
		}
	}
	if err := w.store.InsertGuilds(ctx, []*model.Guild{
		guild(4, 900, wars(1<<40)), guild(2, 900, wars(1<<40)),
		guild(3, 901, wars(1<<40)), guild(1, 900, nil),
	}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]int{"guildLevel": {3, 1, 2, 4}, "guildWars": {3, 2, 4}} {
		b := w.board(t, name, 5, nil)
		for i, n := range want {
			if *b.Entries[i].Name != fmt.Sprintf("Guild %d", n) {
				t.Errorf("%s: place %d has %s, want guild %d", name, i+1, *b.Entries[i].Name, n)
			}
		}
		if name == "guildWars" && *b.Entries[3].Name == "Guild 1" {
			t.Error("a guild without wars is on their board")
		}
	}
	b := w.board(t, "guildTerritories", 1000, nil)
	for i, e := range b.Entries {
		if i > 0 && (e.Territories > b.Entries[i-1].Territories || e.Territories == b.Entries[i-1].Territories &&
			e.Level > b.Entries[i-1].Level) || e.Territories == 0 || e.Members == 0 {
			t.Errorf("territories: entry %d is %+v after %+v", i+1, e, b.Entries[max(0, i-1)])
		}
	}
}

// A board costs a fixed number of commands, however many entries are selected.
func TestLeaderboardCommands(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	var data any
	// Of players few enough that their keys are gathered while a batch is open, race detector
	// or not.
	for _, c := range []struct {
		name string
		vars map[string]any
		want int64
	}{
		{"versions, directory, pages, players", map[string]any{"type": "warsCompletion", "first": 200}, 4},
		{"and experience", map[string]any{"type": "globalPlayerContent", "first": 200}, 5},
		{"and characters", map[string]any{"type": "combatSoloLevel", "first": 200}, 5},
		{"versions, directory, pages, guilds", map[string]any{"type": "guildTotalRaids", "first": 1000}, 4},
		{"the player, versions, viewerRelations, directory, page, pages, players", map[string]any{
			"type":  "warsCompletion",
			"first": 11, "around": seed.Cast[0].UUID,
		}, 6},
		{"versions, territories twice, count, guilds, members", map[string]any{"type": "guildLevel", "first": 1000}, 6},
	} {
		if n := w.least(t, c.want, boardQuery, c.vars, &data); n > c.want {
			t.Errorf("%v took %d commands, want %d: %s", c.vars, n, c.want, c.name)
		}
	}
	if n := w.least(
		t,
		4,
		`{guildSeasons{number leaderboard(first:3){entries{position ... on GuildSeasonEntry{guild{name}}}}}}`,
		nil,
		&data,
	); n > 4 {
		t.Errorf("the boards of all seasons took %d commands, want 4", n)
	}
}

// BenchmarkLeaderboard answers the longest part there is.
func BenchmarkLeaderboard(b *testing.B) {
	w := newRankedWorld(b, 2000)
	op, errs := w.exec.Parse(boardQuery, "")
	if errs != nil {
		b.Fatal(errs)
	}
	for _, name := range []string{"totalGlobalLevel", "combatSoloLevel", "guildLevel"} {
		for _, first := range []int{100, 1000} {
			b.Run(fmt.Sprintf("%s/first=%d", name, first), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if r := w.exec.Run(b.Context(), op, map[string]any{"type": name, "first": first}); len(r.Errors) > 0 {
						b.Fatal(r.Errors)
					}
				}
			})
		}
	}
}

// A disbanded guild keeps its entry on the boards of seasons that had ended, with its name and no guild.
func TestDisbandedGuildOnEndedSeason(t *testing.T) {
	w := newRankedWorld(t, 300)
	before := w.board(t, "guildSeason27", 3, nil)
	first := before.Entries[0]
	applied, err := feed.Apply(t.Context(), w.store, []feed.Event{&feed.GuildDisbanded{Guild: feed.GuildID(*first.UUID)}},
		feed.Options{Now: now})
	if err != nil || applied.Errors[0] != nil {
		t.Fatal(applied, err)
	}
	if _, err := jobs.Refresh(t.Context(), w.store, now.Add(time.Minute), jobs.Options{}); err != nil {
		t.Fatal(err)
	}
	after := w.board(t, "guildSeason27", 3, nil)
	if e := after.Entries[0]; e.UUID == nil || *e.UUID != *first.UUID || e.Name == nil || *e.Name != *first.Name ||
		e.Score != first.Score || e.Guild != nil || after.Count != before.Count {
		t.Errorf("got %+v, want %+v without a guild", e, first)
	}
	// Without a readable name the entry stays.
	if _, err := w.server.Database(t).Collection("formerGuilds").UpdateByID(t.Context(), *first.UUID,
		bson.M{"$set": bson.M{"prefix": 7.5}}); err != nil {
		t.Fatal(err)
	}
	malformed := w.board(t, "guildSeason27", 3, nil)
	if e := malformed.Entries[0]; e.Name != nil || e.Score != first.Score || malformed.Count != before.Count {
		t.Errorf("malformed: got %+v, want %+v without a name", e, first)
	}
}
