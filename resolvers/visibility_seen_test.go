package resolvers_test

import (
	"encoding/json"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/mongo/mongotest"
)

// see runs a query as a viewer, which must succeed.
func (c *cast) see(t testingT, v viewer.Viewer, query string, vars map[string]any, into any) {
	r := c.exec.Run(viewer.With(t.Context(), v), c.parse(t, query), vars)
	if len(r.Errors) > 0 {
		t.Fatal(query, r.Errors)
	}
	mongotest.Must(t, json.Unmarshal(r.Data, into))
}

func (c *cast) parse(t testingT, query string) *graph.Operation {
	for _, f := range fragments {
		if strings.Contains(query, f.spread) {
			query += f.text
		}
	}
	c.queries[query] = true
	return parse(t, c.exec, query)
}

// seen is a player as returned by some field.
type seen struct {
	UUID, World, ActiveCharacterUUID, LastJoinedAt, FirstJoinedAt string
	PreviousRankingAt                                             string
	History                                                       *struct{ From string }
	Online                                                        *bool
	Playtime                                                      *float64
	Totals                                                        *struct{ Wars int }
	ActiveCharacter                                               *seenCharacter
	Ranking, PreviousRanking, RankMovement                        []struct{ Type string }
	FeaturedStats                                                 []struct{ Stat string }
	GuildHistory                                                  []struct{ GuildUUID string }
	Restrictions                                                  []restriction
	Characters                                                    struct{ Nodes []seenCharacter }
}

type restriction struct {
	Key        string
	Restricted bool
}

type seenCharacter struct {
	UUID, ClassKey string
	Playtime       *float64
	Quests         []string
	Pvp            *struct{ Kills int }
	SkillPoints    *struct{ Strength int }
	Abilities      []struct{ Page int }
	Restrictions   []restriction
	Player         struct {
		Online       *bool
		World        string
		Playtime     *float64
		Ranking      []struct{ Type string }
		Restrictions []restriction
	}
}

// fragments are what queries ask of players and characters, and what those need themselves.
var fragments = []struct{ spread, text string }{
	{
		"...P",
		` fragment P on Player{uuid online world activeCharacterUuid lastJoinedAt firstJoinedAt playtime totals{wars}
		ranking{type} previousRanking{type} previousRankingAt rankMovement{type} history(metrics:[WARS]){from}
		featuredStats{stat} guildHistory{guildUuid} activeCharacter{...C} restrictions{...R} characters{nodes{...C}}}`,
	},
	{
		"...M",
		` fragment M on GuildMember{uuid online world lastJoinedAt wars playtime weekly{streak} totals{wars}
		restrictions{...R}}`,
	},
	{
		"...C",
		` fragment C on Character{uuid classKey playtime quests pvp{kills} skillPoints{strength} abilities{page}
		restrictions{...R} player{...O}}`,
	},
	{"...D", ` fragment D on LeaderboardMetadata{xp playtime totalLevel completions gambits}`},
	// Owner of a character: P without the characters.
	{"...O", ` fragment O on Player{uuid online world playtime ranking{type} restrictions{...R}}`},
	{"...R", ` fragment R on Restriction{key restricted}`},
}

// check compares what one path showed of a player with the statement.
func (p seen) check(t testingT, path string, hides func(rule string) bool) {
	main, list, data, build := hides("main_access"), hides("character_list_access"), hides("character_data_access"),
		hides("character_build_access")
	presence, history := hides("online_status"), hides("guild_history_access")
	restrictions := map[string]bool{
		"MAIN_ACCESS": main, "CHARACTER_LIST_ACCESS": list, "CHARACTER_DATA_ACCESS": data,
		"CHARACTER_BUILD_ACCESS": build, "ONLINE_STATUS": presence, "GUILD_HISTORY_ACCESS": history,
	}
	shown := map[string][2]bool{
		"totals":              {p.Totals != nil, !main},
		"playtime":            {p.Playtime != nil, !main},
		"firstJoinedAt":       {p.FirstJoinedAt != "", !main},
		"ranking":             {len(p.Ranking) > 0, !main},
		"previousRanking":     {len(p.PreviousRanking) > 0, !main},
		"rankMovement":        {len(p.RankMovement) > 0, !main},
		"featuredStats":       {p.FeaturedStats != nil, !main},
		"lastJoinedAt":        {p.LastJoinedAt != "", !main && !presence},
		"previousRankingAt":   {p.PreviousRankingAt != "", !main && !presence},
		"history":             {p.History != nil, !main && !presence},
		"online":              {p.Online != nil, !presence},
		"world":               {p.World != "", !presence},
		"activeCharacterUuid": {p.ActiveCharacterUUID != "", !presence},
		"guildHistory":        {len(p.GuildHistory) > 0, !history},
		"characters":          {len(p.Characters.Nodes) > 0, !list},
		"activeCharacter":     {p.ActiveCharacter != nil, !presence && (!list || !data)},
	}
	for field, s := range shown {
		if s[0] != s[1] {
			t.Errorf("%s shows %s: %v, want %v", path, field, s[0], s[1])
		}
	}
	same(t, path, p.Restrictions, restrictions)
	// The position on a board that hides the player would lead to the nameless entry with the score.
	for board, guards := range boards {
		hidden := slices.ContainsFunc(guards, hides)
		for field, list := range map[string][]struct{ Type string }{
			"ranking": p.Ranking, "previousRanking": p.PreviousRanking, "rankMovement": p.RankMovement,
		} {
			listed := slices.ContainsFunc(list, func(r struct{ Type string }) bool { return r.Type == board })
			if listed == hidden {
				t.Errorf("%s, %s lists %s: %v", path, field, board, listed)
			}
		}
	}
	for _, c := range p.Characters.Nodes {
		c.check(t, path+", characters", hides)
	}
	if p.ActiveCharacter != nil {
		p.ActiveCharacter.check(t, path+", activeCharacter", hides)
	}
}

func (c seenCharacter) check(t testingT, path string, hides func(rule string) bool) {
	build, data := hides("character_build_access"), hides("character_data_access")
	if (c.SkillPoints != nil) == (build || data) || (c.Abilities != nil) == build {
		t.Errorf("%s shows the build: %v, %v, want %v", path, c.SkillPoints != nil, c.Abilities != nil, !build)
	}
	if c.ClassKey == "" || (c.Playtime != nil) == data || (c.Quests != nil) == data || (c.Pvp != nil) == data {
		t.Errorf("%s shows %+v under data %v", path, c, data)
	}
	same(t, path, c.Restrictions, map[string]bool{"CHARACTER_BUILD_ACCESS": build, "CHARACTER_DATA_ACCESS": data})
	main, presence, of := hides("main_access"), hides("online_status"), c.Player
	if (of.Online != nil) == presence || (of.World != "") == presence || (of.Playtime != nil) == main ||
		(len(of.Ranking) > 0) == main {
		t.Errorf("%s shows the owner %+v under main %v, presence %v", path, of, main, presence)
	}
	same(t, path, of.Restrictions, map[string]bool{
		"MAIN_ACCESS": main, "CHARACTER_LIST_ACCESS": hides("character_list_access"),
		"CHARACTER_DATA_ACCESS": hides("character_data_access"), "CHARACTER_BUILD_ACCESS": build,
		"ONLINE_STATUS": presence, "GUILD_HISTORY_ACCESS": hides("guild_history_access"),
	})
}

func same(t testingT, path string, got []restriction, want map[string]bool) {
	for _, r := range got {
		if r.Restricted != want[r.Key] {
			t.Errorf("%s: the restriction %s is %v", path, r.Key, r.Restricted)
		}
	}
}
