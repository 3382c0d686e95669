package seed_test

import (
	"slices"
	"testing"

	"gamedata/internal/demo/seed"
)

// Every guild is generated once, is older than the memberships, and has the raid runs of all present and
// former members.
func TestGuildsAgreeWithTheirPlayers(t *testing.T) {
	t.Parallel()
	o, tallies := seed.Options{Players: 1200, Seed: 1<<63 + 5, Now: now}, seed.Tallies{}
	world := people(o)
	for _, p := range world {
		tallies.Add(p.Player)
	}
	guilds := seed.Guilds(o, tallies, seed.Territories(o))
	if len(guilds) != 4+7+4 {
		t.Fatalf("got %d guilds, want 15", len(guilds))
	}
	var uuids []string
	for _, g := range guilds {
		uuids = append(uuids, g.UUID)
	}
	completions, most, members := map[string]int64{}, map[string]int64{}, map[string]int{}
	for _, p := range world {
		for _, h := range p.GuildHistory {
			completions[h.UUID] += h.GuildRaids.Total
			most[h.UUID] = max(most[h.UUID], h.GuildRaids.Total)
		}
		if p.Guild == nil {
			if p.Membership != nil {
				t.Errorf("%s has a membership but no guild", p.Username)
			}
			continue
		}
		members[p.Guild.UUID]++
		g := guilds[slices.Index(uuids, p.Guild.UUID)]
		switch m := p.Membership; {
		case m.JoinedAt.Before(g.CreatedAt), m.JoinedAt.After(now), m.JoinedAt.Before(*p.FirstJoinedAt),
			m.JoinedAt.Nanosecond()%1e6 != 0,
			m.Contributed < 0:
			t.Errorf("%s joined %s, founded %v, on %v with %d", p.Username, g.Name, g.CreatedAt, m.JoinedAt, m.Contributed)
		case *p.Guild.Rank == "OWNER" && !m.JoinedAt.Equal(g.CreatedAt):
			t.Errorf("%s founded %s on %v, which is from %v", p.Username, g.Name, m.JoinedAt, g.CreatedAt)
		case g.Name != p.Guild.Name || g.Prefix != p.Guild.Prefix || p.Weekly == nil:
			t.Errorf("%s is in %+v, %+v", p.Username, p.Guild, p.Weekly)
		}
	}
	var without struct{ banner, wars, seasons, rankings int }
	for _, g := range guilds {
		var tallied int64
		for _, r := range g.RaidTallies {
			tallied += r.Completions
		}
		// A run is completed by one to four players.
		if n := completions[g.UUID]; tallied != g.TotalGuildRaids || n < tallied || n > 4*tallied || most[g.UUID] > tallied {
			t.Errorf("%s: got %d raids, tallies of %d, its players completed %d, one of them %d", g.Name, g.TotalGuildRaids,
				tallied, n, most[g.UUID])
		}
		if members[g.UUID] == 0 || g.SeasonResults == nil || g.Ranking == nil || g.Level < 1 || g.CreatedAt.After(now) {
			t.Errorf("%s: %d members, %+v", g.Name, members[g.UUID], g)
		}
		for missing, n := range map[*int]bool{
			&without.banner: g.Banner == nil, &without.wars: g.Wars == nil,
			&without.seasons: len(g.SeasonResults) == 0,
		} {
			if n {
				*missing++
			}
		}
	}
	if without.banner == 0 || without.wars == 0 || without.seasons == 0 {
		t.Errorf("missing cases: %+v", without)
	}
}
