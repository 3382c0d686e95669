package seed_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/internal/history"
	"gamedata/mongo"
)

var memberEvents = []model.EventType{
	model.EventGuildMemberJoined, model.EventGuildMemberLeft, model.EventGuildMemberRankChanged,
}

// The invented past leads to the present: histories end with the numbers of the records, never fall and have no days on
// which the player was not there; territories, members and their ranks, names and levels of characters are what the
// events say.
func TestThePastAgreesWithThePresent(t *testing.T) {
	store := seeded(t).store
	begin := now.AddDate(0, 0, -100)
	of := func(what mongo.Recorded, key string) []mongo.HistoryPoint {
		t.Helper()
		found, err := store.History.Of(t.Context(), what, mongo.HistorySpan{Key: key, From: begin, To: now})
		if err != nil {
			t.Fatal(err)
		}
		return found[0]
	}
	members, pasts, changes := map[string]int{}, 0, 0
	ranks := map[string]string{} // by guild and player
	var renamed, levelled int
	for _, person := range demoWorld() {
		p := person.Player
		names, levels := lastChanges(t, store, person)
		renamed, levelled = renamed+names, levelled+levels
		if p.Guild != nil {
			members[p.Guild.UUID]++
			ranks[p.Guild.UUID+" "+p.UUID] = *p.Guild.Rank
		}
		points := of(mongo.RecordedPlayer, p.UUID)
		if len(points) == 0 {
			continue
		}
		pasts++
		last := points[len(points)-1]
		if want := history.OfPlayer(p); !maps.Equal(last.Values, want) {
			t.Errorf("%s: the past ends with %v, the player has %v", p.Username, last.Values, want)
		}
		if points[0].At.Before(p.FirstJoinedAt.Truncate(24*time.Hour)) || last.At.After(*p.LastJoinedAt) {
			t.Errorf("%s: the past is from %s to %s", p.Username, points[0].At, last.At)
		}
		for i := 1; i < len(points); i++ {
			for metric, v := range points[i-1].Values {
				if points[i].Values[metric] < v {
					t.Errorf("%s: %s falls on %s", p.Username, metric, points[i].At)
				}
			}
		}
	}
	territories, err := store.Territories.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]int{}
	for _, territory := range territories {
		if uuid := territory.GuildUUID(); uuid != nil {
			held[*uuid]++
		}
	}
	guilds, err := store.Guilds.Recorded(t.Context(), "", 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range guilds {
		points := of(mongo.RecordedGuild, g.UUID)
		if want := history.OfGuild(g, members[g.UUID], held[g.UUID]); len(points) == 0 ||
			!maps.Equal(points[len(points)-1].Values, want) {
			t.Errorf("%s: the past has %d days and does not end with %v", g.Name, len(points), want)
		}
		for _, p := range of(mongo.RecordedActivity, g.UUID) {
			if n := p.Values[history.Online]; n < 1 || int(n) > members[g.UUID] {
				t.Errorf("%s: %v of %d members were online", g.Name, n, members[g.UUID])
			}
		}
		events, err := store.Events.About(t.Context(), memberEvents, []string{g.UUID})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, e := range events[0] { // the newest first
			changes++
			player, rank := e.NamedPlayers()[0], "" // none once they left
			switch d := e.Data.(type) {
			case *model.GuildMemberJoined:
				rank = d.Rank
			case *model.GuildMemberRankChanged:
				rank = d.To
			}
			if !seen[player] && rank != ranks[g.UUID+" "+player] {
				t.Errorf("%s in %s: the last event says %q, the rank is %q", player, g.Name, rank, ranks[g.UUID+" "+player])
			}
			seen[player] = true
		}
	}
	found, err := store.Competitions.ByID(t.Context(), []string{seed.CompetitionKey})
	if err != nil || found[0] == nil {
		t.Fatal(found, err)
	}
	c := found[0]
	different := slices.Compact(slices.Sorted(slices.Values(c.Players)))
	if n := members[*c.GuildUUID]; len(c.Players) != n || len(different) != n {
		t.Errorf("%d players compete, the guild has %d members", len(c.Players), n)
	}
	if pasts == 0 || changes == 0 || renamed == 0 || levelled == 0 {
		t.Errorf("%d players have a past, %d events are about members, %d about names, %d about levels", pasts, changes,
			renamed, levelled)
	}
}

// lastChanges counts the events about the names of a player and the levels of their characters, the last of which must
// have led to the present ones.
func lastChanges(t *testing.T, store *mongo.Store, person person) (names, levels int) {
	t.Helper()
	events, err := store.Events.About(t.Context(), []model.EventType{model.EventPlayerRenamed},
		[]string{person.UUID})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range events[0] {
		if d := e.Data.(*model.PlayerRenamed); i == 0 && (d.To != person.Username ||
			d.From != *person.LegacyName) {
			t.Errorf("%s was renamed from %s to %s", person.Username, d.From, d.To)
		}
		names++
	}
	for _, c := range person.characters {
		events, err := store.Events.About(t.Context(), []model.EventType{model.EventCharacterLevelChanged}, []string{c.UUID})
		if err != nil {
			t.Fatal(err)
		}
		next := c.Level
		for _, e := range events[0] {
			d := e.Data.(*model.CharacterLevelChanged)
			if d.To != next || d.From >= d.To {
				t.Errorf("character %s went from %d to %d, then it had %d", c.UUID, d.From, d.To, next)
			}
			next = d.From
			levels++
		}
	}
	return names, levels
}
