package api

import (
	"testing"

	"gamedata/internal/app/apptest"
)

// The statistics of the demo world add up, and agree with what the endpoints list.
func TestStatisticsOfTheDemoWorld(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	type counts []struct{ Count, Characters int }
	type resources []struct{ Generation, Stored, Limit int }
	data := apptest.Query[struct {
		Statistics struct {
			Players, Characters, Guilds                              int
			CharacterLevels, GuildLevels, GuildSizes, Items, Classes counts
			Online                                                   struct {
				Players int
				Worlds  []struct {
					World   string
					Players int
				}
			}
			Territories struct {
				Total, Unclaimed int
				Resources        resources
				Guilds           []struct {
					Territories int
					Resources   resources
				}
			}
		}
		Territories, GuildTotal, ItemTotal struct{ TotalCount int }
	}](t, p.Base, `{ statistics { players characters guilds characterLevels { count } guildLevels { count }
		guildSizes { count } classes { characters } items { count } online { players worlds { world players } }
		territories { total unclaimed resources { ...R } guilds(first: 1000) { territories resources { ...R } } }
	} territories { totalCount } guildTotal: guilds { totalCount } itemTotal: items { totalCount } }
	fragment R on ResourceTotal { generation stored limit }`)
	s := data.Statistics
	sum := func(list counts) (n int) {
		for _, c := range list {
			n += c.Count + c.Characters
		}
		return n
	}
	held, stored := 0, 0
	for _, g := range s.Territories.Guilds {
		held += g.Territories
		stored += g.Resources[1].Stored
	}
	online := apptest.Decode[struct {
		Total   int
		Players map[string]string
	}](t, apptest.RequestOK(t, p.Base, "GET", "/v3/player?identifier=uuid", ""))
	for what, n := range map[string][2]int{
		"players": {s.Players, 60}, "guilds": {s.Guilds, data.GuildTotal.TotalCount},
		"characters by level": {sum(s.CharacterLevels), s.Characters}, "by class": {sum(s.Classes), s.Characters},
		"guilds by level": {sum(s.GuildLevels), s.Guilds}, "by size": {sum(s.GuildSizes), s.Guilds},
		"items": {sum(s.Items), data.ItemTotal.TotalCount}, "online": {s.Online.Players, online.Total},
		"territories":                        {s.Territories.Total, data.Territories.TotalCount},
		"territories with and without guild": {held + s.Territories.Unclaimed, s.Territories.Total},
	} {
		if n[0] != n[1] || n[0] == 0 {
			t.Errorf("%s: got %d, want %d", what, n[0], n[1])
		}
	}
	if ore := s.Territories.Resources[1]; stored == 0 || stored > ore.Stored || ore.Limit < ore.Stored ||
		ore.Generation == 0 {
		t.Errorf("got %d ore of guilds and %+v of all", stored, ore)
	}

	// Worlds count the players too who hide where they are.
	shown, onWorlds := map[string]int{}, 0
	for _, world := range online.Players {
		shown[world]++
	}
	for i, w := range s.Online.Worlds {
		onWorlds += w.Players
		if w.Players < shown[w.World] || i > 0 && w.Players > s.Online.Worlds[i-1].Players {
			t.Errorf("got %+v with %d shown players", w, shown[w.World])
		}
	}
	if onWorlds <= len(online.Players) || onWorlds > online.Total {
		t.Errorf("got %d players on worlds, want more than the %d shown of %d", onWorlds, len(online.Players), online.Total)
	}
}
