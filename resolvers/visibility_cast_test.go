package resolvers_test

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/demo/seed"
	"gamedata/internal/history"
	"gamedata/internal/jobs"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/resolvers"
)

type testingT interface {
	rapid.TB
	Context() context.Context
}

// cast is a store with some players who have something behind every rule.
type cast struct {
	*world
	people  []person
	players []*model.Player
	guilds  []string
	// positions of the people by board.
	positions map[string][]int
	queries   map[string]bool // that were run
	loaders   *loaders.Source
}

// recorded is a day with a point in the history of everybody.
var recorded = time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -100)

func newCast(t *testing.T) *cast {
	c := &cast{
		world: newWorld(t, seed.MinPlayers), queries: map[string]bool{}, positions: map[string][]int{},
		guilds: []string{"", "a0000000-0000-4000-9000-000000000001", "a0000000-0000-4000-9000-000000000002"},
	}
	limits := graph.DefaultLimits()
	limits.Cost, limits.Fields = 1<<30, 5000 // everything of everybody at once is more than a caller may request
	c.loaders = loaders.New(c.store, loaders.Options{})
	c.exec = newExecutor(t, resolvers.Settings{}, graph.Options{Loaders: c.loaders, Limits: limits})
	found := mongotest.Value(c.store.Players.ByID(t.Context(), []string{seed.Cast[0].UUID}))(t)
	own := mongotest.Value(c.store.Characters.ByID(t.Context(), []string{seed.CharacterUUID(0, 1)}))(t)
	// Drawing the map of a whole tree for each character would take most of the time.
	trees := mongotest.Value(mongo.AbilityTrees.Read(t.Context(), c.store))(t)
	for _, tree := range trees {
		tree.Pages = []*model.AbilityPage{{Page: 1}}
	}
	mongotest.Must(t, mongo.AbilityTrees.Put(t.Context(), c.store, trees))
	for n, g := range c.guilds[1:] {
		mongotest.Must(t, c.store.Guilds.Insert(t.Context(), []*model.Guild{{
			UUID: g, Name: fmt.Sprint("Watched ", n),
			Prefix: fmt.Sprint("WA", n),
		}}))
	}
	for i := range 6 {
		p, ch := *found[0], *own[0]
		p.UUID, p.Username = fmt.Sprintf("b0000000-0000-4000-9000-%012d", i), fmt.Sprintf("Watched%d", i)
		ch.UUID, ch.Owner = fmt.Sprintf("c0000000-0000-4000-9000-%012d", i), p.UUID
		ch.Gamemodes = []string{"hardcore"}
		p.ActiveCharacter, p.Address = &ch.UUID, fmt.Sprintf("2001:db8::%d", i+1)
		p.World, p.Party, p.Weekly = new("EU99"), "the watched", &model.WeeklyProgress{Streak: 3}
		p.Location = &model.Position{X: float64(i)}
		c.players = append(c.players, &p)
		mongotest.Must(t, c.store.History.Put(t.Context(), mongo.RecordedPlayer, map[string][]mongo.HistoryPoint{
			p.UUID: {{At: recorded, Values: map[string]float64{history.Wars: 1}}},
		}, 10_000*time.Hour))
		c.people = append(c.people, person{uuid: p.UUID, character: ch.UUID, address: p.Address})
		mongotest.Must(t, c.store.Characters.Put(t.Context(), []*model.Character{&ch}))
	}
	mongotest.Must(t, c.store.Players.Put(t.Context(), c.players))
	mongotest.Value(jobs.Refresh(t.Context(), c.store, time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC),
		jobs.Options{Holder: "test"}))(t)
	mongotest.Value(jobs.History(t.Context(), c.store, time.Now(), jobs.Options{Holder: "test"}))(t)
	mongotest.Must(t, c.store.Competitions.Insert(t.Context(), &model.Competition{
		Key: "cast", Account: "cast", Metric: model.HistoryMetricWars, StartsAt: recorded.AddDate(0, 0, 1),
		EndsAt: recorded.AddDate(0, 0, 200), Players: c.uuids(),
	}))
	for i, p := range c.players {
		mongotest.Must(t, c.store.Events.Append(t.Context(),
			mongo.NewEvent{Data: &model.PlayerRenamed{Player: p.UUID, From: "Former", To: p.Username}},
			mongo.NewEvent{Data: &model.CharacterLevelChanged{
				Player: p.UUID, Character: c.people[i].character, From: 1, To: 2,
			}},
			mongo.NewEvent{Data: &model.GuildMemberJoined{Guild: c.guilds[1], Player: p.UUID, Rank: "RECRUIT"}},
			mongo.NewEvent{Data: &model.GuildMemberLeft{Guild: c.guilds[1], Player: p.UUID}},
		))
	}
	// What a refresh wrote into the records stays.
	c.players = mongotest.Value(c.store.Players.ByID(t.Context(), c.uuids()))(t)
	for _, p := range c.players {
		p.PreviousRanking, p.PreviousRankingAt = nil, new(time.Now())
		for board := range boards {
			p.PreviousRanking = append(p.PreviousRanking, &model.RankPosition{Type: board, Position: 7})
		}
	}
	c.findPositions(t)
	return c
}

// findPositions reads the boards while no player hides anything.
func (c *cast) findPositions(t *testing.T) {
	c.put(t)
	for board := range boards {
		entries := c.board(t, viewer.Viewer{}, board, 100)
		for _, of := range c.people {
			at := slices.IndexFunc(entries, func(e entrySeen) bool { return e.UUID == of.uuid })
			if at < 0 {
				t.Fatalf("%s lacks %s", board, of.uuid)
			}
			c.positions[board] = append(c.positions[board], entries[at].Position)
		}
	}
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
	value := rapid.SampledFrom([]model.Access{
		"", model.Public, model.Friend, model.GuildOnly, model.GuildAndFriends,
		model.GuildOrFriends, model.Private, "unheard of",
	})
	for i := range c.people {
		of := &c.people[i]
		of.friends = rapid.SliceOfNDistinct(rapid.SampledFrom(c.uuids()), 0, 3, rapid.ID).Draw(t, "friends")
		of.guild = rapid.SampledFrom(c.guilds).Draw(t, "guild")
		of.rules = map[string]model.Access{}
		for _, r := range ruleNames {
			of.rules[r] = value.Draw(t, r)
		}
	}
	c.put(t)
}

func (c *cast) put(t testingT) {
	for i, p := range c.players {
		of := c.people[i]
		p.Friends, p.Guild, p.Membership = of.friends, nil, nil
		if of.guild != "" {
			rank := mongo.GuildRanks[i%len(mongo.GuildRanks)]
			p.Guild, p.Membership = &model.GuildReference{UUID: of.guild, Rank: &rank}, &model.Membership{}
		}
		for rule, name := range ruleNames {
			p.Rules[rule] = of.rules[name]
		}
	}
	mongotest.Must(t, c.store.Players.Put(t.Context(), c.players))
}

func (c *cast) drawViewer(t *rapid.T) viewer.Viewer {
	v := viewer.Viewer{Kind: rapid.SampledFrom([]viewer.Kind{
		viewer.Guest, viewer.Session, viewer.Token, viewer.OAuth,
	}).Draw(t, "kind")}
	if rapid.Bool().Draw(t, "same address") {
		v.Address = netip.MustParseAddr(rapid.SampledFrom(c.people).Draw(t, "address").address)
	}
	if v.Kind == viewer.Guest {
		return v
	}
	v.Account = "account"
	v.Public = v.Kind == viewer.Token && rapid.Bool().Draw(t, "public")
	// A token in Public Mode never has profiles; should it ever, they must not count.
	v.Profiles = rapid.SliceOfNDistinct(rapid.SampledFrom(c.uuids()), 0, 3, rapid.ID).Draw(t, "profiles")
	if v.Kind == viewer.OAuth {
		v.App, v.Scopes = "board", rapid.SliceOfDistinct(rapid.SampledFrom(append([]string{"identify"}, ruleNames...)),
			rapid.ID).Draw(t, "scopes")
	}
	return v
}

func (c *cast) person(uuid string) person {
	return c.people[slices.IndexFunc(c.people, func(p person) bool { return p.uuid == uuid })]
}
