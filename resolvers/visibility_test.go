package resolvers_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// The access rules are implemented twice: in access.go and relation.go, and here, independently. Random
// viewers read random players through every field that returns players.

// person is a player of the independent implementation.
type person struct {
	uuid, character, guild string
	friends                []string
	rules                  map[string]model.Access // by name of the rule
}

var ruleNames = []string{
	"main_access", "character_list_access", "character_data_access", "character_build_access",
	"online_status", "guild_history_access", "weekly_access",
}

// restricted reports whether a rule of a player restricts a viewer.
func restricted(v viewer.Viewer, of person, all []person, rule string) bool {
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

func TestSameVisibilityByEveryPath(t *testing.T) {
	c := newCast(t)
	rapid.Check(t, func(t *rapid.T) {
		c.draw(t)
		v := c.drawViewer(t)
		hides := func(of person) func(string) bool {
			return func(rule string) bool { return restricted(v, of, c.people, rule) }
		}
		target := rapid.SampledFrom(c.people).Draw(t, "target")
		c.byPlayer(t, v, target, hides(target))
		c.byList(t, v, hides)
		c.byGuild(t, v, hides)
		c.byBoard(t, v, hides)
		c.byOwn(t, v, hides)
	})
}

// byPlayer reads one player through the fields that take a name or uuid.
func (c *cast) byPlayer(t *rapid.T, v viewer.Viewer, of person, hides func(string) bool) {
	vars := map[string]any{"u": of.uuid, "c": of.character}
	var page struct {
		Player  seen
		Players []seen
		Search  struct{ Players []struct{ Player seen } }
	}
	for _, ask := range []string{
		`query($u:String!){player(username:$u){...P}}`,
		`query($u:String!){search(query:$u){players{player{...P}}}}`, `query($u:UUID!){players(uuids:[$u]){...P}}`,
	} {
		if code := c.see(t, v, ask, vars, &page); code != "" {
			t.Fatal(ask, code)
		}
	}
	page.Player.check(t, "player", hides)
	page.Players[0].check(t, "players", hides)
	// A search is SHARED: one response for all viewers, as a guest sees it.
	page.Search.Players[0].Player.check(t, "search",
		func(rule string) bool { return restricted(viewer.Viewer{Kind: viewer.Guest}, of, c.people, rule) })

	var one struct {
		PlayerCharacters   []struct{ Character *seenCharacter }
		Character          seenCharacter
		CharacterAbilities []struct{ Page int }
	}
	refused := map[bool]graph.Code{true: graph.Forbidden}
	if code := c.see(t, v, `query($u:String!){playerCharacters(username:$u){character{...C}}}`,
		map[string]any{"u": of.uuid}, &one); code != refused[hides("character_list_access")] {
		t.Errorf("playerCharacters: %q", code)
	}
	for _, l := range one.PlayerCharacters {
		if (l.Character != nil) == hides("character_data_access") {
			t.Errorf("playerCharacters shows the character: %v", l.Character != nil)
		}
	}
	if code := c.see(t, v, `query($u:String!,$c:String!){character(username:$u,uuid:$c){...C}}`, vars,
		&one); code != refused[hides("character_data_access")] {
		t.Errorf("character: %q", code)
	} else if code == "" {
		one.Character.check(t, "character", hides("character_build_access"))
	}
	if code := c.see(t, v, `query($u:String!,$c:String!){characterAbilities(username:$u,uuid:$c){page}}`, vars,
		&one); code != refused[hides("character_build_access")] {
		t.Errorf("characterAbilities: %q", code)
	}
}

// byList reads the online list.
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
		at := slices.IndexFunc(list.OnlinePlayers.Players,
			func(o struct{ Player seen }) bool { return o.Player.UUID == of.uuid })
		if (at < 0) != hides(of)("online_status") {
			t.Errorf("onlinePlayers lists %s: %v", of.uuid, at >= 0)
		}
		if at >= 0 {
			list.OnlinePlayers.Players[at].Player.check(t, "onlinePlayers", hides(of))
		}
	}
}

// byGuild reads the members of both guilds.
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
		if code := c.see(
			t,
			v,
			`query($g:String!){guildByUuid(uuid:$g){online members{all(sort:JOINED){uuid online server lastJoin wars playtime weekly{streak} globalData{wars}
			restrictions{mainAccess onlineStatus weeklyAccess} player{...P}}}}}`,
			map[string]any{"g": g},
			&page,
		); code != "" {
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
				if m.Online == presence || (m.Server != "") == presence || (m.LastJoin == "") != (main || presence) ||
					(m.Wars != nil) == main ||
					(m.Playtime != nil) == main || (m.GlobalData != nil) == main || (m.Weekly != nil) == weekly {
					t.Errorf("a guild shows %+v under main %v, presence %v, weekly %v", m, main, presence, weekly)
				}
				same(t, "guild", m.Restrictions, map[string]bool{
					"mainAccess": main, "onlineStatus": presence,
					"weeklyAccess": weekly,
				})
				m.Player.check(t, "guild member", hides)
			}
		}
		if page.GuildByUuid.Online != online {
			t.Errorf("%d members are online, want %d", page.GuildByUuid.Online, online)
		}
	}
}

// byBoard reads a leaderboard of players and one of characters.
func (c *cast) byBoard(t *rapid.T, v viewer.Viewer, hides func(person) func(string) bool) {
	for board, guards := range map[string]string{
		"totalGlobalLevel": "main_access",
		"combatSoloLevel":  "main_access character_list_access character_data_access",
	} {
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
					t.Errorf("%s reveals a restricted entry %+v", board, e)
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

// byOwn reads the viewer's own players.
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
	if code := c.see(
		t,
		v,
		`{playerLocations{uuid player{...P} guild{uuid player{...P}} friends{uuid player{...P}} party{uuid player{...P}}}}`,
		nil,
		&me,
	); code != refused {
		t.Errorf("playerLocations: %q, want %q", code, refused)
	}
	if len(me.Viewer.Profiles) != len(own) || len(me.Whoami) != len(own) || len(me.PlayerLocations) != len(own) {
		t.Errorf("own are %d profiles, %d identities, %d locations, want %d", len(me.Viewer.Profiles), len(me.Whoami),
			len(me.PlayerLocations), len(own))
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
			}{{"guild", of.guild != "" && of.guild == self.guild, l.Guild}, {
				"friends", slices.Contains(self.friends, of.uuid),
				l.Friends,
			}, {"party", true, l.Party}} {
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
