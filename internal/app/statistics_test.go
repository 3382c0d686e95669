package app_test

import (
	"encoding/json"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/conn"
)

type histogram []struct{ Min, Max, Count int }

func (h histogram) sum() (n int) {
	for _, b := range h {
		n += b.Count
	}
	return n
}

// statistics is the result of statisticsQuery.
type statistics struct {
	RefreshedAt                              *string
	Players, Characters, Guilds              int
	CharacterLevels, GuildLevels, GuildSizes histogram
	Online                                   struct {
		Players int
		Worlds  []struct {
			World   string
			Players int
		}
	}
	Classes, Gamemodes []struct {
		Class, Gamemode *string
		Characters      int
		Share           float64
	}
	Territories struct {
		Total, Unclaimed int
		Resources        []resourceTotal
		Guilds           []struct {
			GuildUUID   string
			Guild       *struct{ Name string }
			Territories int
			Resources   []resourceTotal
		}
	}
	Items []struct {
		TypeText, TierText string
		Count              int
	}
}

type resourceTotal struct {
	Resource                                  string
	Generation, BaseGeneration, Stored, Limit int
}

const statisticsQuery = `{statistics{refreshedAt players characters guilds
	characterLevels{min max count} guildLevels{min max count} guildSizes{min max count}
	online{players worlds{world players}} classes{class characters share} gamemodes{gamemode characters share}
	territories{total unclaimed resources{...R} guilds(first:1000){guildUuid guild{name} territories resources{...R}}}
	items{typeText tierText count}}}
	fragment R on ResourceTotal{resource generation baseGeneration stored limit}`

func (svc *testService) statistics(t *testing.T) (s statistics) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": statisticsQuery})
	if err != nil {
		t.Fatal(err)
	}
	res := svc.request("POST", "/graphql", string(body))
	res.expect(t, "statistics", 200, "Cache-Control", "max-age=10, public")
	var r struct {
		Data   struct{ Statistics statistics }
		Errors []any
	}
	if err := json.Unmarshal(res.body, &r); err != nil || len(r.Errors) > 0 {
		t.Fatal(err, r.Errors)
	}
	return r.Data.Statistics
}

// The statistics of the demo world add up, and agree with what the endpoints list.
func TestStatisticsOfTheDemoWorld(t *testing.T) {
	svc := newTestService(t)
	if _, err := jobs.Statistics(t.Context(), svc.store, svc.clock(), jobs.Options{}); err != nil {
		t.Fatal(err)
	}
	s := svc.statistics(t)
	get := func(path string, into any) {
		t.Helper()
		if err := json.Unmarshal(svc.request("GET", "/v3"+path, "").body, into); err != nil {
			t.Fatal(path, err)
		}
	}
	same := func(what string, got, want int) {
		t.Helper()
		if got != want || want == 0 {
			t.Errorf("%s: got %d, want %d", what, got, want)
		}
	}
	players, err := svc.store.Players.EstimateCount(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	same("players", s.Players, int(players))
	var guilds map[string]any
	get("/guild/list/guild", &guilds)
	same("guilds", s.Guilds, len(guilds))
	same("guild levels", s.GuildLevels.sum(), s.Guilds)
	same("guild sizes", s.GuildSizes.sum(), s.Guilds)
	same("character levels", s.CharacterLevels.sum(), s.Characters)
	total, share := 0, 0.0
	for _, c := range s.Classes {
		total += c.Characters
		share += c.Share
	}
	same("classes", total, s.Characters)
	same("shares of classes in per cent", int(share*100+0.5), 100)
	same("classes listed", len(s.Classes), len(model.ClassIDs))
	// One character can have several gamemodes, so their sum exceeds the number of characters.
	if len(s.Gamemodes) != 6 || s.Gamemodes[0].Gamemode != nil {
		t.Errorf("got gamemodes %+v", s.Gamemodes)
	}
	for _, m := range s.Gamemodes {
		if m.Characters == 0 || m.Characters > s.Characters {
			t.Errorf("got gamemode %+v", m)
		}
	}

	var online struct {
		Total   int
		Players map[string]string
	}
	get("/player?identifier=uuid", &online)
	same("online", s.Online.Players, online.Total)
	shown, listed, onWorlds := map[string]int{}, 0, 0
	for _, world := range online.Players {
		shown[world]++
	}
	for i, w := range s.Online.Worlds {
		onWorlds += w.Players
		listed += shown[w.World]
		if w.Players < shown[w.World] || i > 0 && w.Players > s.Online.Worlds[i-1].Players {
			t.Errorf("got %+v with %d shown players", w, shown[w.World])
		}
	}
	same("shown players on listed worlds", listed, len(online.Players))
	if onWorlds <= len(online.Players) || onWorlds > online.Total {
		t.Errorf("got %d players on worlds, want more than the %d shown of %d", onWorlds, len(online.Players), online.Total)
	}

	var territories map[string]struct {
		Guild struct{ UUID *string }
	}
	get("/guild/list/territory", &territories)
	same("territories", s.Territories.Total, len(territories))
	byGuild := map[string]int{}
	for _, territory := range territories {
		if territory.Guild.UUID != nil {
			byGuild[*territory.Guild.UUID]++
		}
	}
	same("guilds with territories", len(s.Territories.Guilds), len(byGuild))
	held, stored := 0, 0
	for _, g := range s.Territories.Guilds {
		same("territories of a guild", g.Territories, byGuild[g.GuildUUID])
		held += g.Territories
		stored += g.Resources[1].Stored
		if g.Guild == nil || guilds[g.Guild.Name] == nil || g.Resources[1].Resource != "ORE" {
			t.Errorf("got %+v", g)
		}
	}
	same("territories held", held+s.Territories.Unclaimed, len(territories))
	if ore := s.Territories.Resources[1]; stored == 0 || stored > ore.Stored || ore.Limit < ore.Stored ||
		ore.Generation == 0 {
		t.Errorf("got %d ore of guilds and %+v of all", stored, ore)
	}

	items, err := mongo.Items.Read(t.Context(), svc.store)
	if err != nil {
		t.Fatal(err)
	}
	byKind := map[string]int{}
	for _, item := range items {
		kind := item.Type + " "
		if item.Tier != nil {
			kind += *item.Tier
		}
		byKind[kind]++
	}
	counted := 0
	for _, c := range s.Items {
		counted += c.Count
		same("items of a kind", c.Count, byKind[c.TypeText+" "+c.TierText])
	}
	svc.request("POST", "/graphql", `{"query":"{statistics{territories{guilds(first:0){guildUuid}}}}"}`).
		expect(t, "no guild", 200)
	same("items", counted, len(items))
}

// Statistics of an empty store are zeros.
func TestStatisticsOfAnEmptyStore(t *testing.T) {
	svc := &testService{t: t, dir: dataDir(t), startTime: demoNow, drained: make(chan struct{})}
	svc.startStore()
	svc.serve(mongo.Options{Options: conn.Options{Timeout: time.Minute}})
	s := svc.statistics(t)
	if s.RefreshedAt != nil || s.Players+s.Characters+s.Guilds+s.Online.Players+s.Territories.Total+len(s.Items) != 0 ||
		len(s.Classes) != 5 || s.Classes[0].Share != 0 || len(s.Territories.Resources) != 5 {
		t.Errorf("got %+v", s)
	}
}
