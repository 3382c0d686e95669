package resolvers_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/internal/feed"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func newRankedWorld(t testing.TB, players int) *world {
	t.Helper()
	store, server := mongotest.OpenFilled(t, fmt.Sprint(players, " ranked"),
		func(ctx context.Context, store *mongo.Store) error {
			if err := seedWorld(players)(ctx, store); err != nil {
				return err
			}
			_, err := jobs.Ranks(ctx, store, now, jobs.Options{})
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
	Prefix     *string
	Movement   *int
	Player     *struct{ Username string }
	Character  *struct {
		Level       int
		SkillPoints *struct{ Strength int }
	}
	Guild       *struct{ Name string }
	Territories int
	Members     int
	Level       int
	ClassKey    string
	// CharacterUUID is on boards of characters only.
	CharacterUUID *string
}

type shownBoard struct {
	Type, Kind  string
	RefreshedAt *string
	EntryCount  int
	Entries     shownEntries
}

type shownEntries struct {
	Nodes      []shownEntry
	TotalCount *int
	PageInfo   shownPage
}

type shownPage struct {
	HasNextPage, HasPreviousPage bool
	StartCursor, EndCursor       *string
}

const boardQuery = `query($type:String!,$first:Int,$after:String,$last:Int,$before:String,$around:UUID,
	$filter:LeaderboardEntryFilter){leaderboard(by:{type:$type}){type kind refreshedAt entryCount
	entries(first:$first,after:$after,last:$last,before:$before,around:$around,filter:$filter){nodes{
	__typename position name uuid restricted score previous:previousPosition movement
	... on PlayerLeaderboardEntry{player{username}}
	... on CharacterLeaderboardEntry{characterUuid character{level skillPoints{strength}} classKey}
	... on GuildLeaderboardEntry{guild{name} prefix}
	... on GuildRecordEntry{level territories members}} totalCount
	pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}}`

func (w *world) board(t testing.TB, name string, first int, around *string) shownBoard {
	t.Helper()
	vars := map[string]any{"first": first}
	if around != nil {
		vars["around"] = *around
	}
	return w.boardPage(t, name, vars)
}

// boardPage reads a page of a board by arguments of entries.
func (w *world) boardPage(t testing.TB, name string, vars map[string]any) shownBoard {
	t.Helper()
	var data struct{ Leaderboard shownBoard }
	vars = maps.Clone(vars)
	vars["type"] = name
	w.ask(t, boardQuery, vars, &data)
	return data.Leaderboard
}

// walk reads the positions of a board in pages of a size, forward or backward.
func (w *world) walk(t testing.TB, name string, filter map[string]any, size string, n int) (walked []int) {
	t.Helper()
	vars := map[string]any{size: n}
	if filter != nil {
		vars["filter"] = filter
	}
	for {
		p := w.boardPage(t, name, vars).Entries
		more, passed, next, cursor := p.PageInfo.HasNextPage, p.PageInfo.HasPreviousPage, p.PageInfo.EndCursor, "after"
		if size == "last" {
			more, passed, next, cursor = passed, more, p.PageInfo.StartCursor, "before"
			walked = append(positions(p.Nodes), walked...)
		} else {
			walked = append(walked, positions(p.Nodes)...)
		}
		if passed != (vars[cursor] != nil) {
			t.Errorf("%s %v: the page after %d entries has %+v", name, vars, len(walked)-len(p.Nodes), p.PageInfo)
		}
		if !more {
			return walked
		}
		vars[cursor] = *next
	}
}

func positions(entries []shownEntry) []int {
	out := make([]int, len(entries))
	for i, e := range entries {
		out[i] = e.Position
	}
	return out
}

// Every board lists entries of its kind, in order, and the fields of an entry agree.
func TestEveryLeaderboard(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	kinds := map[string]string{
		"PLAYER": "PlayerEntry", "CHARACTER": "CharacterEntry", "GAMEMODE": "GamemodeEntry",
		"GUILD_RAIDS": "GuildRaidEntry", "GUILD_SEASON": "GuildSeasonEntry", "GUILD_RECORD": "GuildRecordEntry",
	}
	var types struct {
		Leaderboards struct {
			Nodes []struct {
				Type, Kind string
				Season     *struct{ Number int }
			}
		}
	}
	w.ask(t, `{leaderboards(first:100){nodes{type kind season{number}}}}`, nil, &types)
	restricted := 0
	for _, lt := range types.Leaderboards.Nodes {
		t.Run(lt.Type, func(t *testing.T) {
			b := w.board(t, lt.Type, 600, nil)
			entries := b.Entries.Nodes
			if *b.Entries.TotalCount != b.EntryCount || b.Type != lt.Type || b.Kind != lt.Kind ||
				b.EntryCount < len(entries) || len(entries) < min(b.EntryCount, 600) {
				t.Errorf("got %s of %s with %d of %d entries", b.Type, b.Kind, len(entries), b.EntryCount)
			}
			if len(entries) == 0 && lt.Type != "guildSeason23" && lt.Type != "guildSeason24" {
				t.Error("no entries")
			}
			if (lt.Season != nil) != (lt.Kind == "GUILD_SEASON") || (b.RefreshedAt == nil) != (lt.Kind == "GUILD_RECORD") {
				t.Errorf("season %v, refreshed %v", lt.Season, b.RefreshedAt)
			}
			for i, e := range entries {
				if e.Kind != kinds[lt.Kind] || e.Position != i+1 || i > 0 && e.Score > entries[i-1].Score {
					t.Errorf("entry %d is %+v", i+1, e)
				}
				e.check(t, lt.Kind == "CHARACTER" || lt.Kind == "GAMEMODE")
				if e.Restricted {
					restricted++
				}
			}
		})
	}
	if len(types.Leaderboards.Nodes) < 59 || restricted < 100 {
		t.Errorf("%d boards, %d restricted entries", len(types.Leaderboards.Nodes), restricted)
	}
}

func (e shownEntry) check(t *testing.T, ofCharacter bool) {
	t.Helper()
	switch {
	case (e.Name == nil) != e.Restricted, (e.UUID == nil) != e.Restricted,
		e.Restricted && (e.Player != nil || e.Character != nil):
		t.Errorf("half restricted: %+v", e)
	case e.Previous != nil && *e.Movement != *e.Previous-e.Position, (e.Previous == nil) != (e.Movement == nil):
		t.Errorf("entry %d moved %v from %v", e.Position, e.Movement, e.Previous)
	case !e.Restricted && ofCharacter && (e.Character == nil || e.Player.Username != *e.Name):
		t.Errorf("no character: %+v", e)
	case e.Guild != nil && e.Guild.Name != *e.Name:
		t.Errorf("another guild: %+v", e)
	}
}

// A ban shows at once: until the next refresh removes the entry, it keeps its position, restricted.
func TestBannedPlayersAreNotNamedOnBoards(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 60)
	uuid := seed.Cast[0].UUID
	found := mongotest.Value(w.store.Players.ByID(t.Context(), []string{uuid}))(t)
	found[0].Banned = true
	before := w.board(t, "combatSoloLevel", 1000, nil).Entries.Nodes
	at := slices.IndexFunc(before, func(e shownEntry) bool { return e.UUID != nil && *e.UUID == uuid })
	if at < 0 {
		t.Fatal("the player was not on the board before the ban")
	}
	mongotest.Must(t, w.store.Players.Put(t.Context(), found))
	after := w.board(t, "combatSoloLevel", 1000, nil).Entries.Nodes
	e, was := after[at], before[at]
	if !e.Restricted || e.UUID != nil || e.Score != was.Score || e.Position != was.Position {
		t.Errorf("got %+v, want %+v restricted", e, was)
	}
	if b := w.board(t, "combatSoloLevel", 3, &uuid); len(b.Entries.Nodes) != 0 {
		t.Errorf("around a banned player: got %+v", b)
	}
}

// A page around an entry has as many entries above it as below, where the board has them.
func TestAround(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	for _, name := range []string{"warsCompletion", "hardcoreContent", "guildSeason28", "guildTerritories", "guildWars"} {
		whole := w.board(t, name, 1000, nil).Entries.Nodes
		seen := map[string]bool{"": true}
		for i, e := range whole {
			uuid := ""
			if e.UUID != nil {
				uuid = *e.UUID
			}
			if seen[uuid] || i%17 != 0 && i > 5 && i < len(whole)-3 {
				continue
			}
			seen[uuid] = true // its best entry
			for _, n := range []int{1, 2, 5, 1000} {
				first := max(0, min(i-(n-1)/2, len(whole)-n))
				want := positions(whole[first:min(first+n, len(whole))])
				if got := positions(w.board(t, name, n, e.UUID).Entries.Nodes); !slices.Equal(got, want) {
					t.Errorf("%s: %d around %d are %v, want %v", name, n, e.Position, got, want)
				}
			}
		}
		if len(seen) < 4 {
			t.Errorf("%s: only %d were selected", name, len(seen)-1)
		}
	}
	for board, uuid := range map[string]string{
		"warsCompletion": "00000000-0000-4000-8000-000000000000", "guildWars": "b0000000-0000-4000-8000-000000000003",
		"guildLevel": "00000000-0000-4000-8000-000000000000", "huichContent": "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c",
	} {
		b := w.board(t, board, 5, &uuid)
		if len(b.Entries.Nodes) != 0 || b.EntryCount == 0 || b.Entries.PageInfo.HasNextPage {
			t.Errorf("%s around who is not on it: got %+v", board, b)
		}
	}
}

func TestArgumentsOfEntries(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 60)
	for _, arguments := range []string{
		`first:-1`, `first:1001`, `first:1,last:1`, `first:1,before:"MTox"`,
		`last:1,around:"00000000-0000-4000-8000-000000000000"`,
		`after:"MTox"`, `after:"MToxOjE6MQ",around:"00000000-0000-4000-8000-000000000000"`, `after:"x"`, `after:"LTE6MTox"`,
		`filter:{guilds:[]}`,
	} {
		query := `{leaderboard(by:{type:"warsCompletion"}){entries(` + arguments + `){totalCount}}}`
		if err := refused(t, w.exec, query); err.Code != graph.InvalidQueryParams {
			t.Errorf("%s: got %s", arguments, err.Code)
		}
	}
	if err := refused(t, w.exec, `{leaderboard(by:{type:"nothing"}){entryCount}}`); err.Code != graph.NotFound {
		t.Errorf("an unknown board: got %s", err.Code)
	}
}

// The boards computed on request stand in their order: the number, then level, then uuid.
func TestComputedBoards(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	guild := func(n, level int, wars *int64) *model.Guild {
		return &model.Guild{
			UUID: fmt.Sprintf("90000000-0000-4000-8000-%012d", n), Name: fmt.Sprintf("Guild %d", n),
			Prefix: "GG", Level: level, Wars: wars, CreatedAt: time.Unix(0, 0),
		}
	}
	most := new(int64(1 << 40))
	mongotest.Must(t, w.store.Guilds.Insert(t.Context(), []*model.Guild{
		guild(4, 900, most), guild(2, 900, most), guild(3, 901, most), guild(1, 900, nil),
	}))
	for name, want := range map[string][]int{"guildLevel": {3, 1, 2, 4}, "guildWars": {3, 2, 4}} {
		b := w.board(t, name, 5, nil)
		for i, n := range want {
			if *b.Entries.Nodes[i].Name != fmt.Sprintf("Guild %d", n) {
				t.Errorf("%s: place %d has %s, want guild %d", name, i+1, *b.Entries.Nodes[i].Name, n)
			}
		}
		if name == "guildWars" && *b.Entries.Nodes[3].Name == "Guild 1" {
			t.Error("a guild without wars is on their board")
		}
	}
	b := w.board(t, "guildTerritories", 1000, nil)
	for i, e := range b.Entries.Nodes {
		if i > 0 && (e.Territories > b.Entries.Nodes[i-1].Territories || e.Territories == b.Entries.Nodes[i-1].Territories &&
			e.Level > b.Entries.Nodes[i-1].Level) || e.Territories == 0 || e.Members == 0 {
			t.Errorf("territories: entry %d is %+v after %+v", i+1, e, b.Entries.Nodes[max(0, i-1)])
		}
	}
}

// A disbanded guild keeps its entry on the boards of seasons that had ended, with its name and no guild.
func TestDisbandedGuildOnEndedSeason(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 300)
	before := w.board(t, "guildSeason27", 3, nil)
	first := before.Entries.Nodes[0]
	w.feed(t, now, &feed.GuildDisbanded{Guild: feed.GuildID(*first.UUID)})
	mongotest.Value(jobs.Refresh(t.Context(), w.store, now.Add(time.Minute), jobs.Options{}))(t)
	after := w.board(t, "guildSeason27", 3, nil)
	if e := after.Entries.Nodes[0]; e.UUID == nil || *e.UUID != *first.UUID || e.Name == nil || *e.Name != *first.Name ||
		e.Score != first.Score || e.Guild != nil || after.EntryCount != before.EntryCount {
		t.Errorf("got %+v, want %+v without a guild", e, first)
	}
	// Without a readable name the entry stays.
	mongotest.Value(w.server.Database(t).Collection("formerGuilds").UpdateByID(t.Context(), *first.UUID,
		bson.M{"$set": bson.M{"prefix": 7.5}}))(t)
	malformed := w.board(t, "guildSeason27", 3, nil)
	e := malformed.Entries.Nodes[0]
	if e.Name != nil || e.Score != first.Score || malformed.EntryCount != before.EntryCount {
		t.Errorf("malformed: got %+v, want %+v without a name", e, first)
	}
}

// A board is walked to its end in both directions, page by page.
func TestWalkLeaderboards(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	for _, name := range []string{
		"totalGlobalLevel", "hardcoreContent", "guildSeason28", "guildLevel", "guildTerritories",
	} {
		whole := w.board(t, name, 1000, nil)
		for size, n := range map[string]int{"first": 37, "last": 41} {
			walked := w.walk(t, name, nil, size, n)
			if !slices.Equal(walked, positions(whole.Entries.Nodes)) || len(walked) != whole.EntryCount {
				t.Errorf("%s, %s: got %v", name, size, walked)
			}
		}
	}
}

// After a refresh, the next page goes on behind the entry of the cursor, wherever it is now, although others were
// inserted before it.
func TestLeaderboardCursorsSurviveRefreshes(t *testing.T) {
	w := newRankedWorld(t, 700)
	const board = "totalGlobalLevel"
	before := w.boardPage(t, board, map[string]any{"first": 40}).Entries
	last := before.Nodes[39]
	next := w.boardPage(t, board, map[string]any{"first": 5, "after": *before.PageInfo.EndCursor}).Entries.Nodes
	hidden := slices.IndexFunc(before.Nodes, func(e shownEntry) bool { return e.UUID == nil })
	ofHidden := w.boardPage(t, board, map[string]any{"first": hidden + 1}).Entries.PageInfo.EndCursor
	var players []*model.Player
	var characters []*model.Character
	for n := range 3 {
		uuid := fmt.Sprintf("90000000-0000-4000-8000-%012d", n)
		players = append(players, &model.Player{UUID: uuid, Username: fmt.Sprint("New", n), Rank: "Player", Flagged: true})
		characters = append(characters, &model.Character{
			UUID: fmt.Sprintf("91000000-0000-4000-8000-%012d", n), Owner: uuid, ClassKey: "MAGE", TotalLevel: 1_000_000,
		})
	}
	mongotest.Must(t, w.store.Players.Insert(t.Context(), players), w.store.Characters.Insert(t.Context(), characters))
	mongotest.Value(jobs.Refresh(t.Context(), w.store, now.Add(time.Hour), jobs.Options{Full: true}))(t)
	after := w.boardPage(t, board, map[string]any{"first": 5, "after": *before.PageInfo.EndCursor}).Entries.Nodes
	if after[0].Position != last.Position+4 {
		t.Errorf("the page begins at position %d, want %d", after[0].Position, last.Position+4)
	}
	for i := range next {
		if after[i].Score != next[i].Score || (after[i].UUID == nil) != (next[i].UUID == nil) {
			t.Errorf("entry %d after the refresh is %+v, want %+v", i, after[i], next[i])
		}
	}
	behind := w.boardPage(t, board, map[string]any{"first": 1, "after": *ofHidden}).Entries.Nodes[0]
	if want := before.Nodes[hidden+1]; behind.Score != want.Score || behind.Position != want.Position+3 {
		t.Errorf("behind a restricted entry is %+v, want %+v", behind, want)
	}
	back := w.boardPage(t, board, map[string]any{"last": 3, "before": *before.PageInfo.EndCursor}).Entries.Nodes
	if n := len(back); n != 3 || back[2].Position != last.Position+2 {
		t.Errorf("the page before is %+v", back)
	}
}

// Neither cursors nor ids of restricted entries name the player, and ids lead back to their entries.
func TestEntriesAsNodes(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 60)
	const query = `query($type:String!){leaderboard(by:{type:$type}){id
		entries(first:50){edges{cursor node{id position score metaScore restricted uuid}}}}}`
	const scale = 100_000_000_000 // of the score in the metaScore of levels
	restricted := 0
	for _, name := range []string{
		"totalGlobalLevel", "combatSoloLevel", "hardcoreContent", "guildTotalRaids", "guildLevel",
	} {
		var data struct {
			Leaderboard struct {
				ID      string
				Entries struct {
					Edges []struct {
						Cursor string
						Node   struct {
							ID               string
							Position         int
							Score, MetaScore int64
							Restricted       bool
							UUID             *string
						}
					}
				}
			}
		}
		w.ask(t, query, map[string]any{"type": name}, &data)
		ids := []string{data.Leaderboard.ID}
		for _, e := range data.Leaderboard.Entries.Edges {
			ids = append(ids, e.Node.ID)
			key, _ := model.DecodeCursor(e.Node.ID)
			cursor, _ := model.DecodeCursor(e.Cursor)
			if e.Node.Restricted {
				restricted++
				if want := fmt.Sprintf("LeaderboardEntry:%s/%d", name, e.Node.Position); key != want ||
					bson.Raw(cursor).Lookup("i").StringValue() != "" {
					t.Errorf("a restricted entry has the id %s and the cursor %s", key, cursor)
				}
				// Experience would find the same player on a board that names them.
				want := e.Node.Score
				if strings.HasSuffix(name, "Level") {
					want *= scale
				}
				if e.Node.MetaScore != want || bson.Raw(cursor).Lookup("b", "metascore").AsInt64() != want {
					t.Errorf("the score %d has the metaScore %d and the cursor %s", e.Node.Score, e.Node.MetaScore, cursor)
				}
			} else if !strings.Contains(key, *e.Node.UUID) {
				t.Errorf("entry %d has the id %s", e.Node.Position, key)
			}
		}
		var nodes struct {
			Nodes []struct {
				ID       string
				Position int
			}
		}
		w.ask(t, `query($ids:[ID!]!){nodes(ids:$ids){id ... on LeaderboardEntry{position}}}`,
			map[string]any{"ids": ids}, &nodes)
		for i, n := range nodes.Nodes {
			if n.ID != ids[i] || i > 0 && n.Position != data.Leaderboard.Entries.Edges[i-1].Node.Position {
				t.Errorf("%s: node %d is %+v", name, i, n)
			}
		}
	}
	if restricted == 0 {
		t.Error("no entry was restricted")
	}
	var hidden struct{ Node *struct{ ID string } }
	id := model.GlobalID("LeaderboardEntry", "totalGlobalLevel/"+member("Shuttered").UUID)
	w.ask(t, `query($id:ID!){node(id:$id){id}}`, map[string]any{"id": id}, &hidden)
	if hidden.Node != nil {
		t.Error("an id that names a hidden player has an entry")
	}
}

// The filter of guilds lists the entries of their members who show themselves, with the positions of the whole board.
func TestEntriesOfGuilds(t *testing.T) {
	t.Parallel()
	w := newRankedWorld(t, 700)
	const moss = "5e0f9a7b-2c3d-4e1f-8a6b-9c0d1e2f3a4b"
	members := mongotest.Value(w.store.Players.ByGuild(t.Context(), []string{moss}))(t)
	for _, name := range []string{"totalGlobalLevel", "combatSoloLevel"} {
		var want []int
		for _, e := range w.board(t, name, 1000, nil).Entries.Nodes {
			if e.UUID != nil && slices.ContainsFunc(members[0], func(p *model.Player) bool { return p.UUID == *e.UUID }) {
				want = append(want, e.Position)
			}
		}
		filter := map[string]any{"guilds": []string{moss}}
		whole := w.boardPage(t, name, map[string]any{"filter": filter, "first": 1000}).Entries
		if got := positions(whole.Nodes); !slices.Equal(got, want) || *whole.TotalCount != len(want) || len(want) < 3 {
			t.Errorf("%s: got %v of %d, want %v", name, got, *whole.TotalCount, want)
		}
		if got := w.walk(t, name, filter, "first", 2); !slices.Equal(got, want) {
			t.Errorf("%s by pages: got %v, want %v", name, got, want)
		}
	}
	if one := w.boardPage(t, "guildTotalRaids", map[string]any{"filter": map[string]any{"guilds": []string{moss}}}).
		Entries.Nodes; len(one) != 1 || *one[0].UUID != moss {
		t.Errorf("guildTotalRaids: got %+v", one)
	}
	query := `{leaderboard(by:{type:"guildLevel"}){entries(filter:{guilds:["` + moss + `"]}){totalCount}}}`
	if err := refused(t, w.exec, query); err.Code != graph.InvalidQueryParams {
		t.Errorf("guildLevel: got %s", err.Code)
	}
}

// A character of an unknown class, or of none, is left out of the boards that have it; the others are shown.
func TestBoardsWithoutMalformedCharacters(t *testing.T) {
	w := newRankedWorld(t, 60)
	const board = "hardcoreContent"
	before := w.board(t, board, 1000, nil).Entries.Nodes
	at := slices.IndexFunc(before, func(e shownEntry) bool { return e.UUID != nil })
	characters := w.server.Database(t).Collection(mongo.Characters)
	for _, class := range []any{"BARD", "", nil} {
		mongotest.Value(characters.UpdateByID(t.Context(), *before[at].CharacterUUID,
			bson.M{"$set": bson.M{"type": class}}))(t)
		after := w.board(t, board, 1000, nil).Entries.Nodes
		if want := slices.Delete(slices.Clone(before), at, at+1); !cmp.Equal(want, after) {
			t.Errorf("type %v: got %d entries, want %d: %s", class, len(after), len(want), cmp.Diff(want, after))
		}
	}
}
