package resolvers_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"

	"gamedata/graph/generated"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// The access rules are implemented twice: in access.go and relation.go, and here, independently. Random
// viewers read random players through every field that returns players.

type person struct {
	uuid, character, guild, address string
	friends                         []string
	rules                           map[string]model.Access // by name of the rule
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
	t.Parallel()
	c := newCast(t)
	rapid.Check(t, func(t *rapid.T) {
		c.draw(t)
		v := c.drawViewer(t)
		c.byEveryPath(t, v, rapid.SampledFrom(c.people).Draw(t, "target"))
	})
	c.checkCoverage(t)
}

// An application sees of its user's players what the scopes of its grant lift, and nothing else, for every seventh
// of the 64 sets of scopes. One of the two players shares nothing with anybody, the other everything.
func TestSameVisibilityForEveryScopeSet(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	private, public := &c.people[0], &c.people[1]
	for _, of := range []*person{private, public} {
		of.guild, of.rules = c.guilds[1], map[string]model.Access{}
		for _, rule := range ruleNames {
			of.rules[rule] = map[bool]model.Access{true: model.Private, false: model.Public}[of == private]
		}
	}
	private.friends, public.friends = []string{public.uuid}, []string{private.uuid}
	c.put(t)
	scopes := model.ScopeNames[1:]
	const step = 7 // odd: every scope is in some of the sets and absent in others
	for set := 0; set < 1<<len(scopes); set += step {
		granted := []string{model.IdentifyScope}
		for i, scope := range scopes {
			if set>>i&1 == 1 {
				granted = append(granted, scope)
			}
		}
		slices.Sort(granted)
		t.Run(strings.Join(granted, " "), func(t *testing.T) {
			c.byEveryPath(t, viewer.Viewer{
				Kind: viewer.OAuth, Account: "account", App: "board", Profiles: []string{private.uuid, public.uuid},
				Scopes: granted,
			}, *private)
		})
	}
}

// byEveryPath reads the players through every field that returns them.
func (c *cast) byEveryPath(t testingT, v viewer.Viewer, target person) {
	hides := func(of person) func(string) bool {
		return func(rule string) bool { return restricted(v, of, c.people, rule) }
	}
	c.byPlayer(t, v, target, hides(target))
	c.byList(t, v, hides)
	c.byFilter(t, v, hides)
	c.byGuild(t, v, hides)
	c.byBoard(t, v, hides)
	c.byGainBoard(t, v, hides)
	c.byCompetition(t, v, hides)
	c.byMemberEvents(t, v, hides)
	c.byPlayerEvents(t, v, target, hides(target))
	c.byOwn(t, v, hides)
	c.byEvents(t, v, target, hides)
}

// checkCoverage fails for a field of the schema that returns players or characters and that no query read.
func (c *cast) checkCoverage(t *testing.T) {
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	read := map[*ast.FieldDefinition]bool{}
	for query := range c.queries {
		doc, errs := gqlparser.LoadQueryWithRules(schema, query, nil)
		if errs != nil {
			t.Fatal(errs)
		}
		var visit func(ast.SelectionSet)
		visit = func(set ast.SelectionSet) {
			for _, s := range set {
				switch s := s.(type) {
				case *ast.Field:
					read[s.Definition] = true
					for _, def := range schema.Types { // the field of an interface counts for its objects
						if def.Kind != ast.Object || def != s.ObjectDefinition &&
							!slices.Contains(def.Interfaces, s.ObjectDefinition.Name) {
							continue
						}
						for _, name := range append(slices.Clone(def.Interfaces), def.Name) {
							read[schema.Types[name].Fields.ForName(s.Name)] = true
						}
					}
					visit(s.SelectionSet)
				case *ast.InlineFragment:
					visit(s.SelectionSet)
				}
			}
		}
		for _, op := range doc.Operations {
			visit(op.SelectionSet)
		}
		for _, f := range doc.Fragments {
			visit(f.SelectionSet)
		}
	}
	personal := []string{
		"Player", "OnlinePlayer", "PlayerIdentity", "PlayerConnection", "OnlinePlayerConnection", "CharacterConnection",
		"GuildMember", "LinkedProfile", "PlayerLocation",
		"CompanionLocation", "Character", "PlayerEntry", "CharacterEntry", "GamemodeEntry",
	}
	for _, def := range schema.Types {
		for _, f := range def.Fields {
			own := strings.HasSuffix(def.Name, "Payload") // of a mutation: players of the account that sends it
			if slices.Contains(personal, f.Type.Name()) && !own && !read[f] {
				t.Errorf("no query reads %s.%s", def.Name, f.Name)
			}
		}
	}
}

// byPlayer reads one player through the fields that take a name or uuid.
func (c *cast) byPlayer(t testingT, v viewer.Viewer, of person, hides func(string) bool) {
	vars := map[string]any{"u": of.uuid}
	var page struct {
		Player  seen
		Players struct{ Nodes []seen }
		Search  struct{ Players struct{ Nodes []seen } }
	}
	for _, ask := range []string{
		`query($u:String!){player(by:{reference:$u}){...P}}`,
		`query($u:String!){search(query:$u){players{nodes{...P} edges{node{uuid}}}}}`,
		`query($u:UUID!){players(filter:{uuids:[$u]}){nodes{...P} edges{node{...P}}}}`,
	} {
		c.see(t, v, ask, vars, &page)
	}
	page.Player.check(t, "player", hides)
	page.Players.Nodes[0].check(t, "players", hides)
	page.Search.Players.Nodes[0].check(t, "search", hides)

	c.byCharacter(t, v, of, hides)
}

// byCharacter reads one character of a player through the fields that take its uuid.
func (c *cast) byCharacter(t testingT, v viewer.Viewer, of person, hides func(string) bool) {
	list, data, build := hides("character_list_access"), hides("character_data_access"), hides("character_build_access")
	var page struct {
		Player struct {
			Character          *seenCharacter
			CharacterAbilities []struct{ Page int }
			Characters, Full   struct {
				Nodes      []seenCharacter
				TotalCount int
			}
		}
		Character, Node *seenCharacter
		Players         struct{ Nodes []seen }
	}
	c.see(t, v, `query($u:UUID!,$c:UUID!,$n:ID!){character(by:{uuid:$c}){...C} node(id:$n){...C}
		player(by:{uuid:$u}){character(by:{uuid:$c}){...C} characterAbilities(by:{uuid:$c}){page}
		characters(filter:{gamemodes:[HARDCORE]}){totalCount nodes{...C} edges{node{uuid}}}
		full:characters(filter:{withData:true}){nodes{...C}}}}`,
		map[string]any{"u": of.uuid, "c": of.character, "n": model.GlobalID("Character", of.character)}, &page)
	p := page.Player
	for path, s := range map[string]struct {
		got   *seenCharacter
		shown bool
	}{
		"player.character": {p.Character, !list || !data}, "character": {page.Character, !list}, "node": {page.Node, !list},
	} {
		if (s.got != nil) != s.shown {
			t.Errorf("%s shows the character: %v", path, s.got != nil)
		}
		if s.got != nil {
			s.got.check(t, path, hides)
		}
	}
	if (p.CharacterAbilities != nil) == build {
		t.Errorf("characterAbilities shows the build: %v", p.CharacterAbilities != nil)
	}
	if shown := !list; (len(p.Characters.Nodes) > 0) != shown || (p.Characters.TotalCount > 0) != shown ||
		(len(p.Full.Nodes) > 0) != (shown && !data) {
		t.Errorf("characters lists %d of %d, %d with data", len(p.Characters.Nodes), p.Characters.TotalCount,
			len(p.Full.Nodes))
	}
}

func (c *cast) byList(t testingT, v viewer.Viewer, hides func(person) func(string) bool) {
	var list struct {
		OnlinePlayers struct {
			OnlineCount int
			Nodes       []playerSeen
		}
	}
	c.see(t, v, `{onlinePlayers(filter:{world:"EU99"},first:1000){
		onlineCount nodes{player{...P}} edges{node{uuid}}}}`, nil, &list)
	var all struct{ OnlinePlayers struct{ OnlineCount int } }
	c.see(t, viewer.Viewer{}, `{onlinePlayers(filter:{world:"EU99"}){onlineCount}}`, nil, &all)
	if list.OnlinePlayers.OnlineCount != all.OnlinePlayers.OnlineCount {
		t.Errorf("%d are online, for a guest %d", list.OnlinePlayers.OnlineCount, all.OnlinePlayers.OnlineCount)
	}
	c.lists(t, "onlinePlayers", players(list.OnlinePlayers.Nodes), hides, func(of person) bool {
		return !hides(of)("online_status")
	})
}

// lists checks that a list has the people who are shown in it and no others, and what it shows of them.
func (c *cast) lists(
	t testingT, path string, list []seen, hides func(person) func(string) bool, shown func(person) bool,
) {
	for _, of := range c.people {
		at := slices.IndexFunc(list, func(p seen) bool { return p.UUID == of.uuid })
		if (at >= 0) != shown(of) {
			t.Errorf("%s lists %s: %v", path, of.uuid, at >= 0)
		}
		if at >= 0 {
			list[at].check(t, path, hides(of))
		}
	}
}

// playerSeen is an entry of a list that leads to a player.
type playerSeen struct {
	Position int
	Player   seen
}

func players(list []playerSeen) (out []seen) {
	for _, p := range list {
		out = append(out, p.Player)
	}
	return out
}

// byFilter lists players by what they can hide: who is online as in the online list, by everything else only who shares
// it with everyone; each is shown as by any other field.
func (c *cast) byFilter(t testingT, v viewer.Viewer, hides func(person) func(string) bool) {
	public := func(of person, rules ...string) bool {
		return !slices.ContainsFunc(rules, func(rule string) bool {
			return restricted(viewer.Viewer{Kind: viewer.Guest}, of, c.people, rule)
		})
	}
	uuids := c.uuids()
	everyone := func(person) bool { return true }
	online := func(of person) bool { return !hides(of)("online_status") }
	joined := func(of person) bool { return public(of, "online_status", "main_access") }
	levelled := func(of person) bool { return public(of, "main_access") }
	for arguments, listed := range map[string]func(person) bool{
		`filter:{uuids:$u}`:                                everyone,
		`filter:{uuids:$u,online:true}`:                    online,
		`filter:{uuids:$u,online:false}`:                   func(person) bool { return false },
		`filter:{world:"EU99"}`:                            online,
		`filter:{uuids:$u},orderBy:{field:LAST_JOINED_AT}`: joined,
		`filter:{lastJoinedAt:{}}`:                         joined,
		`filter:{totalLevel:{min:1}}`:                      levelled,
		`filter:{uuids:$u,totalLevel:{min:1}}`:             levelled,
		`filter:{usernamePrefix:"watched"}`:                everyone,
	} {
		var page struct {
			Players struct {
				TotalCount int
				Nodes      []seen
			}
		}
		variables := map[string]any{"u": uuids}
		query := `query($u:[UUID!]){players(` + arguments + `,first:1000){totalCount nodes{...P}}}`
		if !strings.Contains(arguments, "$u") {
			query, variables = strings.Replace(query, "($u:[UUID!])", "", 1), nil
		}
		c.see(t, v, query, variables, &page)
		if page.Players.TotalCount != len(page.Players.Nodes) {
			t.Errorf("%s counts %d and lists %d", arguments, page.Players.TotalCount, len(page.Players.Nodes))
		}
		c.lists(t, arguments, page.Players.Nodes, hides, listed)
	}
}

type memberSeen struct {
	UUID, World, LastJoinedAt string
	Online                    *bool
	Wars                      *int
	Playtime                  *float64
	Weekly                    *struct{ Streak int }
	Totals                    *struct{ Wars int }
	Restrictions              []restriction
	Player                    seen
}

// byGuild reads the members of both guilds, by rank and all together.
func (c *cast) byGuild(t testingT, v viewer.Viewer, hides func(person) func(string) bool) {
	for _, g := range c.guilds[1:] {
		var page struct {
			Guild struct {
				OnlineCount      int
				Members, Present struct{ Nodes []memberSeen }
				Ranked           struct{ Edges []struct{ Node memberSeen } }
				MemberGains      struct{ Nodes []struct{ Member memberSeen } }
			}
		}
		c.see(t, v, `query($g:UUID!,$from:DateTime!){guild(by:{uuid:$g}){
			onlineCount members(orderBy:{field:JOINED_AT},first:1000){nodes{...M player{...P}}}
			ranked:members(orderBy:{field:RANK},first:1000){edges{node{...M}}}
			present:members(filter:{online:true},first:1000){nodes{...M}}
			memberGains(metric:WARS,over:{between:{from:$from}},first:1000){nodes{member{...M}}}}}`,
			map[string]any{"g": g, "from": recorded.Add(48 * time.Hour).Format(time.RFC3339)}, &page)
		online, all, ranks := 0, page.Guild.Members.Nodes, []memberSeen{}
		for _, e := range page.Guild.Ranked.Edges {
			ranks = append(ranks, e.Node)
		}
		for _, of := range c.people {
			if of.guild != g {
				continue
			}
			hides := hides(of)
			if !hides("online_status") {
				online++
			}
			for _, list := range [][]memberSeen{all, ranks} {
				at := slices.IndexFunc(list, func(m memberSeen) bool { return m.UUID == of.uuid })
				if at < 0 {
					t.Fatalf("a guild lacks its member %s", of.uuid)
				}
				list[at].check(t, hides)
			}
			at := slices.IndexFunc(all, func(m memberSeen) bool { return m.UUID == of.uuid })
			all[at].Player.check(t, "guild member", hides)
			gains := false
			for _, n := range page.Guild.MemberGains.Nodes {
				if n.Member.UUID == of.uuid {
					gains = true
					n.Member.check(t, hides)
				}
			}
			if gains == (hides("main_access") || hides("online_status")) {
				t.Errorf("gains of %s are shown: %t", of.uuid, gains)
			}
		}
		if page.Guild.OnlineCount != online || len(page.Guild.Present.Nodes) != online {
			t.Errorf("%d members are online, %d listed, want %d", page.Guild.OnlineCount, len(page.Guild.Present.Nodes), online)
		}
	}
}

func (m memberSeen) check(t testingT, hides func(rule string) bool) {
	main, presence, weekly := hides("main_access"), hides("online_status"), hides("weekly_access")
	if (m.Online != nil) == presence || (m.World != "") == presence || (m.LastJoinedAt == "") != (main || presence) ||
		(m.Wars != nil) == main || (m.Playtime != nil) == main || (m.Totals != nil) == main ||
		(m.Weekly != nil) == weekly {
		t.Errorf("a guild shows %+v under main %v, presence %v, weekly %v", m, main, presence, weekly)
	}
	same(t, "guild", m.Restrictions, map[string]bool{
		"MAIN_ACCESS": main, "ONLINE_STATUS": presence, "WEEKLY_ACCESS": weekly,
	})
}

// boards has a board of each kind that names players, and the rules that hide them on it.
var boards = map[string][]string{
	"totalGlobalLevel": {"main_access"},
	"combatSoloLevel":  {"main_access", "character_list_access", "character_data_access"},
	"hardcoreContent":  {"main_access", "character_list_access", "character_data_access"},
}

type entrySeen struct {
	Position      int
	Name, UUID    string
	Restricted    bool
	Score         int
	Metadata      map[string]*float64
	CharacterUUID string
	ClassKey      *string
	Player        *seen
	Character     *seenCharacter
}

// shown reports whether a restricted entry shows more than position and score.
func (e entrySeen) shown() bool {
	for _, value := range e.Metadata {
		if value != nil {
			return true
		}
	}
	return e.Name != "" || e.UUID != "" || e.CharacterUUID != "" || e.Player != nil || e.Character != nil
}

func (c *cast) board(t testingT, v viewer.Viewer, name string, first int) []entrySeen {
	var page struct {
		Leaderboard struct{ Entries struct{ Nodes []entrySeen } }
	}
	c.see(t, v, `query($b:String!,$n:Int!){leaderboard(by:{type:$b}){entries(first:$n){nodes{position name uuid
		restricted score metadata{...D} ... on PlayerLeaderboardEntry{player{...P}}
		... on CharacterLeaderboardEntry{characterUuid classKey character{...C}}}}}}`,
		map[string]any{"b": name, "n": first}, &page)
	return page.Leaderboard.Entries.Nodes
}

// byGainBoard reads who gained most wars this week.
func (c *cast) byGainBoard(t testingT, v viewer.Viewer, hides func(person) func(string) bool) {
	var page struct {
		GainBoard struct {
			Entries struct{ Nodes []playerSeen }
		}
	}
	c.see(t, v, `{gainBoard(kind:PLAYER,metric:WARS){entries(first:1000){nodes{player{...P}}}}}`, nil, &page)
	c.lists(t, "gain board", players(page.GainBoard.Entries.Nodes), hides, func(of person) bool {
		return !hides(of)("main_access") && !hides(of)("online_status")
	})
}

// byCompetition reads a competition of everybody since the first point of their history.
func (c *cast) byCompetition(t testingT, v viewer.Viewer, hides func(person) func(string) bool) {
	var page struct {
		Competition struct {
			PlayerCount int
			Standings   struct {
				TotalCount int
				Nodes      []playerSeen
			}
		}
	}
	c.see(t, v, `{competition(by:{key:"cast"}){playerCount standings{totalCount nodes{position player{...P}}}}}`,
		nil, &page)
	standings := page.Competition.Standings
	c.lists(t, "competition", players(standings.Nodes), hides, func(of person) bool {
		return !hides(of)("main_access") && !hides(of)("online_status")
	})
	for i, s := range standings.Nodes {
		if s.Position > i+1 {
			t.Errorf("position %d of %d reveals a hidden player", s.Position, i+1)
		}
	}
	if page.Competition.PlayerCount != len(c.people) || standings.TotalCount != len(standings.Nodes) {
		t.Errorf("got %d players, %d in all standings, %d shown", page.Competition.PlayerCount, standings.TotalCount,
			len(standings.Nodes))
	}
}

// byMemberEvents reads who joined and left a guild.
func (c *cast) byMemberEvents(t testingT, v viewer.Viewer, hides func(person) func(string) bool) {
	var page struct {
		Guild struct {
			MemberEvents []struct {
				Typename string `json:"__typename"`
				Player   seen
			}
		}
	}
	c.see(t, v, `query($g:UUID!){guild(by:{uuid:$g}){memberEvents(first:100){__typename
		... on GuildMemberJoined{player{...P}} ... on GuildMemberLeft{player{...P}}}}}`,
		map[string]any{"g": c.guilds[1]}, &page)
	for _, of := range c.people {
		history, shown := hides(of)("guild_history_access"), map[string]bool{}
		for _, e := range page.Guild.MemberEvents {
			if e.Player.UUID == of.uuid {
				shown[e.Typename] = true
				e.Player.check(t, "member event", hides(of))
			}
		}
		if former := of.guild != c.guilds[1] && history; shown["GuildMemberLeft"] == history ||
			shown["GuildMemberJoined"] == former {
			t.Errorf("events of %s: got %v, hidden: %v, former member: %v", of.uuid, shown, history, former)
		}
	}
}

// byPlayerEvents reads what happened to a player and to their character.
func (c *cast) byPlayerEvents(t testingT, v viewer.Viewer, of person, hides func(string) bool) {
	type event struct {
		Typename  string `json:"__typename"`
		Player    *seen
		Character *seenCharacter
	}
	var page struct {
		Player struct {
			Events    []event
			Character *struct{ Events []event }
		}
	}
	c.see(t, v, `query($p:UUID!,$c:UUID!){player(by:{uuid:$p}){
		events{__typename ... on PlayerRenamed{player{...P}} ... on CharacterLevelChanged{player{...P} character{...C}}
			... on GuildMemberJoined{player{...P}} ... on GuildMemberLeft{player{...P}}}
		character(by:{uuid:$c}){events{__typename ... on CharacterLevelChanged{player{...P} character{...C}}}}}}`,
		map[string]any{"p": of.uuid, "c": of.character}, &page)
	check := func(list []event) (types []string) {
		for _, e := range list {
			types = append(types, e.Typename)
			e.Player.check(t, "event of a player", hides)
			if e.Character != nil {
				e.Character.check(t, "event of a player", hides)
			}
		}
		slices.Sort(types)
		return types
	}
	history := hides("guild_history_access")
	character := slices.ContainsFunc([]string{"online_status", "character_list_access", "character_data_access"}, hides)
	want := []string{"PlayerRenamed"}
	for name, shown := range map[string]bool{
		"CharacterLevelChanged": !character, "GuildMemberLeft": !history,
		"GuildMemberJoined": !history || of.guild == c.guilds[1],
	} {
		if shown {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	if got := check(page.Player.Events); !slices.Equal(got, want) {
		t.Errorf("events of %s: got %v, want %v", of.uuid, got, want)
	}
	if one := page.Player.Character; one != nil && len(check(one.Events)) == 1 == character {
		t.Errorf("events of the character of %s are hidden: %v", of.uuid, !character)
	}
}

// byBoard reads a leaderboard of each kind.
func (c *cast) byBoard(t testingT, v viewer.Viewer, hides func(person) func(string) bool) {
	for board, guards := range boards {
		entries := c.board(t, v, board, slices.Max(c.positions[board]))
		for i, of := range c.people {
			at := slices.IndexFunc(entries, func(e entrySeen) bool { return e.Position == c.positions[board][i] })
			if at < 0 {
				t.Fatalf("%s has no position %d", board, c.positions[board][i])
			}
			e, hides := entries[at], hides(of)
			if hidden := slices.ContainsFunc(guards, hides); hidden != e.Restricted {
				t.Errorf("%s restricts %s: %v", board, of.uuid, e.Restricted)
			}
			if class := hides("character_list_access") || hides("character_data_access"); len(guards) > 1 &&
				class == (e.ClassKey != nil) {
				t.Errorf("%s shows the class: %v", board, e.ClassKey != nil)
			}
			if e.Restricted {
				if e.shown() || e.Score == 0 {
					t.Errorf("%s reveals a restricted entry %+v", board, e)
				}
				continue
			}
			if e.UUID != of.uuid {
				t.Fatalf("%s has %s at the position of %s", board, e.UUID, of.uuid)
			}
			e.Player.check(t, board, hides)
			if e.Character != nil {
				e.Character.check(t, board, hides)
			}
		}
	}
}

// byOwn reads the viewer's own players: linked ones, and players who are online from the viewer's address.
func (c *cast) byOwn(t testingT, v viewer.Viewer, hides func(person) func(string) bool) {
	linked := v.Profiles
	if v.Public || v.Kind == viewer.Guest {
		linked = nil
	}
	// The linked players of an application are its own presence only if the user granted that.
	var online []string
	if v.Kind != viewer.OAuth || slices.Contains(v.Scopes, "online_status") {
		online = slices.Clone(linked)
	}
	for _, of := range c.people {
		if of.address == v.Address.String() && !slices.Contains(online, of.uuid) {
			online = append(online, of.uuid)
		}
	}
	slices.Sort(online)
	var me struct {
		Viewer struct{ Profiles []seen }
		Whoami []struct {
			UUID   string
			Online bool
		}
		PlayerLocations []struct {
			UUID, CharacterUUID, World string
			Position                   struct{ X *float64 }
			Character                  *seenCharacter
			Player                     seen
			Guild, Friends, Party      []companionSeen
		}
		OauthMe struct{ Profiles []struct{ UUID string } }
	}
	c.see(t, v, `{viewer{profiles{...P}}}`, nil, &me)
	c.see(t, v, `{whoami{uuid online}}`, nil, &me)
	c.see(t, v, `{playerLocations{uuid characterUuid world position{x} character{...C} player{...P}
		guild{uuid player{...P}} friends{uuid character{...C} player{...P}} party{uuid player{...P}}}}`, nil, &me)
	var granted []string // the players of an application's user
	if v.Kind == viewer.OAuth {
		granted = linked
	}
	c.see(t, v, `{oauthMe{profiles{uuid accessRules{key}}}}`, nil, &me)
	if len(me.OauthMe.Profiles) != len(granted) {
		t.Errorf("oauthMe: %d profiles, want %d", len(me.OauthMe.Profiles), len(granted))
	}
	var owned struct {
		Viewer struct{ LinkedProfiles []any }
	}
	var own []string // the players of a session's user
	if v.Kind == viewer.Session {
		own = linked
	}
	c.see(t, v, `{viewer{linkedProfiles{uuid}}}`, nil, &owned)
	if len(owned.Viewer.LinkedProfiles) != len(own) {
		t.Errorf("linked profiles: %v, want %v", owned.Viewer.LinkedProfiles, own)
	}
	if len(me.Viewer.Profiles) != len(linked) {
		t.Fatalf("viewer: %d profiles, want %d", len(me.Viewer.Profiles), len(linked))
	}
	for i, uuid := range linked {
		me.Viewer.Profiles[i].check(t, "viewer", hides(c.person(uuid)))
	}
	var identities, places []string
	for _, id := range me.Whoami {
		identities = append(identities, id.UUID)
	}
	for _, l := range me.PlayerLocations {
		places = append(places, l.UUID)
		self := c.person(l.UUID)
		l.Player.check(t, "playerLocations", hides(self))
		if l.Character != nil {
			l.Character.check(t, "playerLocations", hides(self))
		}
		for path, near := range map[string]struct {
			with func(person) bool
			list []companionSeen
		}{
			"guild":   {func(of person) bool { return of.guild != "" && of.guild == self.guild }, l.Guild},
			"friends": {func(of person) bool { return slices.Contains(self.friends, of.uuid) }, l.Friends},
			"party":   {func(person) bool { return true }, l.Party},
		} {
			for _, of := range c.people {
				want := near.with(of) && of.uuid != self.uuid && !hides(of)("online_status")
				found := false
				for _, n := range near.list {
					if n.UUID == of.uuid {
						found = true
						n.Player.check(t, path, hides(of))
						if n.Character != nil {
							n.Character.check(t, path, hides(of))
						}
					}
				}
				if found != want {
					t.Errorf("%s of %s shows %s: %v", path, self.uuid, of.uuid, found)
				}
			}
		}
	}
	slices.Sort(identities)
	slices.Sort(places)
	if !slices.Equal(identities, online) || !slices.Equal(places, online) {
		t.Errorf("own players online are %v; whoami returns %v, playerLocations %v", online, identities, places)
	}
}

// companionSeen is a player near one of the viewer's own.
type companionSeen struct {
	UUID      string
	Player    seen
	Character *seenCharacter
}
