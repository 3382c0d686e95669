package resolvers_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/jobs"
	"gamedata/loaders"
	"gamedata/mongo/seed"
	"gamedata/resolvers"
)

// Who sees what is stated twice: in access.go and relation.go, and here, in other words, after
// WIRE §4.8. Random viewers look at random players by every path there is.

// person is a player as the statement below knows him.
type person struct {
	uuid, character, guild string
	friends                []string
	rules                  map[string]model.Access // by the names of WIRE §5.1
}

var ruleNames = []string{"main_access", "character_list_access", "character_data_access", "character_build_access", "online_status", "guild_history_access", "weekly_access"}

// barred says whether a rule of a player bars a viewer (WIRE §4.8).
func barred(v viewer.Viewer, of person, all []person, rule string) bool {
	value, own := of.rules[rule], slices.Contains(v.Profiles, of.uuid)
	switch {
	case value == model.Public || value == "":
		return false
	case v.Kind == viewer.Guest || v.Public:
		return true
	case v.Kind == viewer.OAuth:
		return !own || rule == "weekly_access" || !slices.Contains(v.Scopes, rule)
	case own:
		return false
	}
	friend, mate := false, false
	for _, p := range all {
		if slices.Contains(v.Profiles, p.uuid) {
			friend = friend || slices.Contains(of.friends, p.uuid)
			mate = mate || p.guild != "" && p.guild == of.guild
		}
	}
	switch value {
	case model.Friend:
		return !friend
	case model.GuildOnly:
		return !mate
	case model.GuildAndFriends, model.GuildOrFriends:
		return !friend && !mate
	}
	return true
}

// cast is a store with some players who have something behind every rule.
type cast struct {
	*world
	people     []person
	players    []*model.Player
	guilds     []string
	characters []string
}

func newCast(t *testing.T) *cast {
	c := &cast{world: newWorld(t, seed.MinPlayers), guilds: []string{"", "a0000000-0000-4000-9000-000000000001", "a0000000-0000-4000-9000-000000000002"}}
	limits := graph.DefaultLimits()
	limits.Cost = 1 << 30 // everything of everybody at once is more than people may ask
	var err error
	if c.exec, err = graph.New(graph.NewExecutableSchema(graph.Config{Resolvers: resolvers.New(resolvers.Settings{PageSize: 20})}),
		graph.Options{Attach: loaders.New(c.store).Attach, Limits: limits}); err != nil {
		t.Fatal(err)
	}
	found, err := c.store.PlayersByUUID(t.Context(), []string{seed.Cast[0].UUID})
	if err != nil {
		t.Fatal(err)
	}
	own, err := c.store.CharactersByUUID(t.Context(), []string{seed.CharacterUUID(0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	for n, g := range c.guilds[1:] {
		if err := c.store.InsertGuilds(t.Context(), []*model.Guild{{UUID: g, Name: fmt.Sprint("Watched ", n), Prefix: fmt.Sprint("WA", n)}}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 6 {
		p, ch := *found[0], *own[0]
		p.UUID, p.Username = fmt.Sprintf("b0000000-0000-4000-9000-%012d", i), fmt.Sprintf("Watched%d", i)
		ch.UUID, ch.Owner = fmt.Sprintf("c0000000-0000-4000-9000-%012d", i), p.UUID
		p.ActiveCharacter, p.Address, p.Party, p.Weekly = &ch.UUID, "", "the watched", &model.WeeklyProgress{Streak: 3}
		p.Location = &model.Location{X: float64(i)}
		c.players = append(c.players, &p)
		c.people = append(c.people, person{uuid: p.UUID, character: ch.UUID})
		if err := c.store.PutCharacters(t.Context(), []*model.Character{&ch}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.store.PutPlayers(t.Context(), c.players); err != nil {
		t.Fatal(err)
	}
	if _, err := jobs.Refresh(t.Context(), c.store, time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC), jobs.Options{Holder: "test"}); err != nil {
		t.Fatal(err)
	}
	// What a refresh wrote into the records stays.
	if c.players, err = c.store.PlayersByUUID(t.Context(), c.uuids()); err != nil {
		t.Fatal(err)
	}
	for _, p := range c.players {
		p.PreviousRanking = []*model.RankPosition{{Type: "totalGlobalLevel", Position: 7}}
	}
	return c
}

func (c *cast) uuids() []string {
	var out []string
	for _, p := range c.people {
		out = append(out, p.uuid)
	}
	return out
}

// draw gives everybody rules, friends and a guild.
func (c *cast) draw(t *rapid.T) {
	value := rapid.SampledFrom([]model.Access{"", model.Public, model.Friend, model.GuildOnly, model.GuildAndFriends, model.GuildOrFriends, model.Private, "unheard of"})
	for i, p := range c.players {
		of := &c.people[i]
		of.friends = rapid.SliceOfNDistinct(rapid.SampledFrom(c.uuids()), 0, 3, rapid.ID).Draw(t, "friends")
		of.guild = rapid.SampledFrom(c.guilds).Draw(t, "guild")
		of.rules = map[string]model.Access{}
		for _, r := range ruleNames {
			of.rules[r] = value.Draw(t, r)
		}
		p.Friends, p.Guild, p.Membership = of.friends, nil, nil
		if of.guild != "" {
			rank := "CHIEF"
			p.Guild, p.Membership = &model.GuildReference{UUID: of.guild, Rank: &rank}, &model.Membership{}
		}
		p.Rules = model.AccessRules{MainAccess: of.rules["main_access"], CharacterListAccess: of.rules["character_list_access"],
			CharacterDataAccess: of.rules["character_data_access"], CharacterBuildAccess: of.rules["character_build_access"],
			OnlineStatus: of.rules["online_status"], GuildHistoryAccess: of.rules["guild_history_access"], WeeklyAccess: of.rules["weekly_access"]}
	}
	if err := c.store.PutPlayers(t.Context(), c.players); err != nil {
		t.Fatal(err)
	}
}

func (c *cast) drawViewer(t *rapid.T) viewer.Viewer {
	v := viewer.Viewer{Kind: rapid.SampledFrom([]viewer.Kind{viewer.Guest, viewer.Session, viewer.Token, viewer.OAuth}).Draw(t, "kind")}
	if v.Kind == viewer.Guest {
		return v
	}
	v.Account = "account"
	v.Public = v.Kind == viewer.Token && rapid.Bool().Draw(t, "public")
	// A token in Public Mode never has profiles; should it ever, they must not count.
	v.Profiles = rapid.SliceOfNDistinct(rapid.SampledFrom(c.uuids()), 0, 3, rapid.ID).Draw(t, "profiles")
	if v.Kind == viewer.OAuth {
		v.App, v.Scopes = "board", rapid.SliceOfDistinct(rapid.SampledFrom(append([]string{"identify"}, ruleNames...)), rapid.ID).Draw(t, "scopes")
	}
	return v
}

// see asks as a viewer and tells the code of the first error, empty when there is none.
func (c *cast) see(t *rapid.T, v viewer.Viewer, query string, vars map[string]any, into any) graph.Code {
	for _, f := range fragments {
		if strings.Contains(query, f.spread) {
			query += f.text
		}
	}
	op, errs := c.exec.Parse(query, "")
	if errs != nil {
		t.Fatal(errs)
	}
	r := c.exec.Run(viewer.With(t.Context(), v), op, vars)
	if len(r.Errors) > 0 {
		return graph.ErrorOf(r.Errors[0]).Code
	}
	if err := json.Unmarshal(r.Data, into); err != nil {
		t.Fatal(err)
	}
	return ""
}

// seen is a player as some path showed him.
type seen struct {
	UUID, Server, ActiveCharacter, LastJoin, FirstJoin string
	Online                                             bool
	Playtime                                           *float64
	GlobalData, Playing, BestCharacter                 *struct{ UUID string }
	Ranking, PreviousRanking, RankMovement             []struct{ Type string }
	FeaturedStats                                      []struct{ Stat string }
	GuildHistory                                       []struct{ UUID string }
	Restrictions                                       map[string]bool
	Characters                                         []seenCharacter
	CharacterList                                      []struct{ Character *seenCharacter }
}

type seenCharacter struct {
	UUID         string
	SkillPoints  *struct{ Strength int }
	Abilities    []struct{ Page int }
	Restrictions map[string]bool
}

// fragments are what queries ask of players and characters, and what those need themselves.
var fragments = []struct{ spread, text string }{
	{"...P", ` fragment P on Player{uuid online server activeCharacter lastJoin firstJoin playtime globalData{wars} ranking{type} previousRanking{type} rankMovement{type}
		featuredStats{stat} guildHistory{uuid} playing{uuid} bestCharacter{uuid} restrictions{...R} characters{...C} characterList{character{...C}}}`},
	{"...C", ` fragment C on Character{uuid skillPoints{strength} abilities{page} restrictions{...R}}`},
	{"...R", ` fragment R on Restrictions{mainAccess characterListAccess characterDataAccess characterBuildAccess onlineStatus guildHistoryAccess}`},
}

// check compares what one path showed of a player with the statement.
func (p seen) check(t *rapid.T, path string, hides func(rule string) bool) {
	main, list, data, build := hides("main_access"), hides("character_list_access"), hides("character_data_access"), hides("character_build_access")
	presence, history := hides("online_status"), hides("guild_history_access")
	restrictions := map[string]bool{"mainAccess": main, "characterListAccess": list, "characterDataAccess": data, "characterBuildAccess": build, "onlineStatus": presence, "guildHistoryAccess": history}
	shown := map[string][2]bool{
		"globalData": {p.GlobalData != nil, !main}, "playtime": {p.Playtime != nil, !main}, "firstJoin": {p.FirstJoin != "", !main},
		"ranking": {len(p.Ranking) > 0, !main}, "previousRanking": {len(p.PreviousRanking) > 0, !main}, "rankMovement": {len(p.RankMovement) > 0, !main},
		"featuredStats": {p.FeaturedStats != nil, !main}, "lastJoin": {p.LastJoin != "", !main && !presence},
		"online": {p.Online, !presence}, "server": {p.Server != "", !presence}, "activeCharacter": {p.ActiveCharacter != "", !presence},
		"guildHistory": {len(p.GuildHistory) > 0, !history}, "characters": {len(p.Characters) > 0, !list && !data}, "characterList": {len(p.CharacterList) > 0, !list},
		"playing": {p.Playing != nil, !presence && !data}, "bestCharacter": {p.BestCharacter != nil, !list && !data},
	}
	for field, s := range shown {
		if s[0] != s[1] {
			t.Errorf("%s shows %s: %v, want %v", path, field, s[0], s[1])
		}
	}
	same(t, path, p.Restrictions, restrictions)
	for _, c := range p.Characters {
		c.check(t, path+", characters", build)
	}
	for _, l := range p.CharacterList {
		if (l.Character != nil) == data {
			t.Errorf("%s, characterList shows the character: %v", path, data)
		}
		if l.Character != nil {
			l.Character.check(t, path+", characterList", build)
		}
	}
}

func (c seenCharacter) check(t *rapid.T, path string, build bool) {
	if (c.SkillPoints != nil) == build || (c.Abilities != nil) == build {
		t.Errorf("%s shows the build: %v, %v, want %v", path, c.SkillPoints != nil, c.Abilities != nil, !build)
	}
	same(t, path, c.Restrictions, map[string]bool{"characterBuildAccess": build})
}

func same(t *rapid.T, path string, got, want map[string]bool) {
	for rule, effect := range got {
		if effect != want[rule] {
			t.Errorf("%s: the restriction %s is %v", path, rule, effect)
		}
	}
}

func TestSameVisibilityByEveryPath(t *testing.T) {
	c := newCast(t)
	rapid.Check(t, func(t *rapid.T) {
		c.draw(t)
		v := c.drawViewer(t)
		hides := func(of person) func(string) bool {
			return func(rule string) bool { return barred(v, of, c.people, rule) }
		}
		target := rapid.SampledFrom(c.people).Draw(t, "target")
		c.byPlayer(t, v, target, hides(target))
		c.byList(t, v, hides)
		c.byGuild(t, v, hides)
		c.byBoard(t, v, hides)
		c.byOwn(t, v, hides)
	})
}

// byPlayer looks at one player by the fields that name him.
func (c *cast) byPlayer(t *rapid.T, v viewer.Viewer, of person, hides func(string) bool) {
	vars := map[string]any{"u": of.uuid, "c": of.character}
	var page struct {
		Player  seen
		Players []seen
		Search  struct{ Players []struct{ Player seen } }
	}
	for _, ask := range []string{`query($u:String!){player(username:$u){...P}}`, `query($u:String!){search(query:$u){players{player{...P}}}}`, `query($u:UUID!){players(uuids:[$u]){...P}}`} {
		if code := c.see(t, v, ask, vars, &page); code != "" {
			t.Fatal(ask, code)
		}
	}
	page.Player.check(t, "player", hides)
	page.Players[0].check(t, "players", hides)
	// A search is SHARED: one answer for everybody, as a guest sees it.
	page.Search.Players[0].Player.check(t, "search", func(rule string) bool { return barred(viewer.Viewer{Kind: viewer.Guest}, of, c.people, rule) })

	var one struct {
		PlayerCharacters   []struct{ Character *seenCharacter }
		Character          seenCharacter
		CharacterAbilities []struct{ Page int }
	}
	refused := map[bool]graph.Code{true: graph.Forbidden}
	if code := c.see(t, v, `query($u:String!){playerCharacters(username:$u){character{...C}}}`, map[string]any{"u": of.uuid}, &one); code != refused[hides("character_list_access")] {
		t.Errorf("playerCharacters: %q", code)
	}
	for _, l := range one.PlayerCharacters {
		if (l.Character != nil) == hides("character_data_access") {
			t.Errorf("playerCharacters shows the character: %v", l.Character != nil)
		}
	}
	if code := c.see(t, v, `query($u:String!,$c:String!){character(username:$u,uuid:$c){...C}}`, vars, &one); code != refused[hides("character_data_access")] {
		t.Errorf("character: %q", code)
	} else if code == "" {
		one.Character.check(t, "character", hides("character_build_access"))
	}
	if code := c.see(t, v, `query($u:String!,$c:String!){characterAbilities(username:$u,uuid:$c){page}}`, vars, &one); code != refused[hides("character_build_access")] {
		t.Errorf("characterAbilities: %q", code)
	}
}

// byList looks at everybody who is online.
func (c *cast) byList(t *rapid.T, v viewer.Viewer, hides func(person) func(string) bool) {
	var list struct {
		OnlinePlayers struct {
			Total   int
			Players []struct{ Player seen }
		}
	}
	if code := c.see(t, v, `{onlinePlayers{total players{player{...P}}}}`, nil, &list); code != "" {
		t.Fatal(code)
	}
	var all struct{ OnlinePlayers struct{ Total int } }
	c.see(t, viewer.Viewer{}, `{onlinePlayers{total}}`, nil, &all)
	if list.OnlinePlayers.Total != all.OnlinePlayers.Total {
		t.Errorf("%d are online, for a guest %d", list.OnlinePlayers.Total, all.OnlinePlayers.Total)
	}
	for _, of := range c.people {
		at := slices.IndexFunc(list.OnlinePlayers.Players, func(o struct{ Player seen }) bool { return o.Player.UUID == of.uuid })
		if (at < 0) != hides(of)("online_status") {
			t.Errorf("onlinePlayers lists %s: %v", of.uuid, at >= 0)
		}
		if at >= 0 {
			list.OnlinePlayers.Players[at].Player.check(t, "onlinePlayers", hides(of))
		}
	}
}

// byGuild looks at the members of both guilds.
func (c *cast) byGuild(t *rapid.T, v viewer.Viewer, hides func(person) func(string) bool) {
	for _, g := range c.guilds[1:] {
		var page struct {
			GuildByUuid struct {
				Online  int
				Members struct {
					All []struct {
						UUID, Server, LastJoin string
						Online                 bool
						Wars                   *int
						Playtime               *float64
						Weekly                 *struct{ Streak int }
						GlobalData             *struct{ Wars int }
						Restrictions           map[string]bool
						Player                 seen
					}
				}
			}
		}
		if code := c.see(t, v, `query($g:String!){guildByUuid(uuid:$g){online members{all(sort:JOINED){uuid online server lastJoin wars playtime weekly{streak} globalData{wars}
			restrictions{mainAccess onlineStatus weeklyAccess} player{...P}}}}}`, map[string]any{"g": g}, &page); code != "" {
			t.Fatal(code)
		}
		online := 0
		for _, of := range c.people {
			if of.guild != g {
				continue
			}
			hides := hides(of)
			main, presence, weekly := hides("main_access"), hides("online_status"), hides("weekly_access")
			if !presence {
				online++
			}
			for _, m := range page.GuildByUuid.Members.All {
				if m.UUID != of.uuid {
					continue
				}
				if m.Online == presence || (m.Server != "") == presence || (m.LastJoin == "") != (main || presence) || (m.Wars != nil) == main ||
					(m.Playtime != nil) == main || (m.GlobalData != nil) == main || (m.Weekly != nil) == weekly {
					t.Errorf("a guild shows %+v under main %v, presence %v, weekly %v", m, main, presence, weekly)
				}
				same(t, "guild", m.Restrictions, map[string]bool{"mainAccess": main, "onlineStatus": presence, "weeklyAccess": weekly})
				m.Player.check(t, "guild member", hides)
			}
		}
		if page.GuildByUuid.Online != online {
			t.Errorf("%d members are online, want %d", page.GuildByUuid.Online, online)
		}
	}
}

// byBoard looks at a board of players and at one of characters.
func (c *cast) byBoard(t *rapid.T, v viewer.Viewer, hides func(person) func(string) bool) {
	for board, guards := range map[string]string{"totalGlobalLevel": "main_access", "combatSoloLevel": "main_access character_list_access character_data_access"} {
		var page struct {
			Leaderboard struct {
				Entries []struct {
					UUID       string
					Restricted bool
					Player     *seen
					Character  *seenCharacter
				}
			}
		}
		ask := `query($b:String!){leaderboard(type:$b,first:100){entries{... on PlayerEntry{uuid restricted player{...P}} ... on CharacterEntry{uuid restricted player{...P} character{...C}}}}}`
		if code := c.see(t, v, ask, map[string]any{"b": board}, &page); code != "" {
			t.Fatal(board, code)
		}
		for _, of := range c.people {
			hides := hides(of)
			hidden := slices.ContainsFunc(strings.Fields(guards), hides)
			found := false
			for _, e := range page.Leaderboard.Entries {
				if e.Restricted && (e.UUID != "" || e.Player != nil || e.Character != nil) {
					t.Errorf("%s tells of a restricted entry %+v", board, e)
				}
				if e.UUID == of.uuid {
					found = true
					e.Player.check(t, board, hides)
					if e.Character != nil {
						e.Character.check(t, board, hides("character_build_access"))
					}
				}
			}
			if found == hidden {
				t.Errorf("%s names %s: %v", board, of.uuid, found)
			}
		}
	}
}

// byOwn looks at the viewer's own players.
func (c *cast) byOwn(t *rapid.T, v viewer.Viewer, hides func(person) func(string) bool) {
	own := v.Profiles
	if v.Public || v.Kind == viewer.Guest {
		own = nil
	}
	var me struct {
		Viewer          struct{ Profiles []seen }
		Whoami          []struct{ UUID string }
		PlayerLocations []struct {
			UUID                  string
			Player                seen
			Guild, Friends, Party []struct {
				UUID   string
				Player seen
			}
		}
	}
	if code := c.see(t, v, `{viewer{profiles{...P}}}`, nil, &me); code != "" {
		t.Fatal(code)
	}
	refused := map[bool]graph.Code{true: graph.Forbidden}[len(own) == 0]
	if code := c.see(t, v, `{whoami{uuid}}`, nil, &me); code != refused {
		t.Errorf("whoami: %q, want %q", code, refused)
	}
	if code := c.see(t, v, `{playerLocations{uuid player{...P} guild{uuid player{...P}} friends{uuid player{...P}} party{uuid player{...P}}}}`, nil, &me); code != refused {
		t.Errorf("playerLocations: %q, want %q", code, refused)
	}
	if len(me.Viewer.Profiles) != len(own) || len(me.Whoami) != len(own) || len(me.PlayerLocations) != len(own) {
		t.Errorf("own are %d profiles, %d identities, %d locations, want %d", len(me.Viewer.Profiles), len(me.Whoami), len(me.PlayerLocations), len(own))
	}
	for i, uuid := range own {
		me.Viewer.Profiles[i].check(t, "viewer", hides(c.person(uuid)))
	}
	for _, l := range me.PlayerLocations {
		self := c.person(l.UUID)
		l.Player.check(t, "playerLocations", hides(self))
		for _, of := range c.people {
			for _, near := range []struct {
				path string
				with bool
				list []struct {
					UUID   string
					Player seen
				}
			}{{"guild", of.guild != "" && of.guild == self.guild, l.Guild}, {"friends", slices.Contains(self.friends, of.uuid), l.Friends}, {"party", true, l.Party}} {
				want := near.with && of.uuid != self.uuid && !hides(of)("online_status")
				found := false
				for _, n := range near.list {
					if n.UUID == of.uuid {
						found = true
						n.Player.check(t, near.path, hides(of))
					}
				}
				if found != want {
					t.Errorf("%s of %s shows %s: %v", near.path, self.uuid, of.uuid, found)
				}
			}
		}
	}
}

func (c *cast) person(uuid string) person {
	return c.people[slices.IndexFunc(c.people, func(p person) bool { return p.uuid == uuid })]
}
