package bench

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
	"gamedata/internal/demo/content"
	"gamedata/mongo"
)

func milliseconds(seconds float64) string { return fmt.Sprintf("%.2f ms", seconds*1e3) }

// hundredPage requests a guild's page: its hundred members, each member's player and that player's best character.
const hundredPage = `query($name:UUID!){guild(by:{uuid:$name}){
  name prefix level xpPercent wars onlineCount
  members(first:100){totalCount nodes{
    username uuid rank contributed contributionRank joinedAt online world weekly{completed streak}
    player{
      username uuid rank{key} supportRank{key} lastJoinedAt playtime
      totals{wars totalLevel mobsKilled raids{total list{name count}}}
      bestCharacter:characters(first:1,orderBy:{field:TOTAL_LEVEL,direction:DESC}){nodes{
        uuid classKey nickname level totalLevel xp playtime dungeons{total list{name count}}
        professions{key level xpPercent}
      }}
    }
  }}
}}`

// coldRequest is an uncached request, measured beside a handler that reads the records and uses encoding/json directly.
type coldRequest struct {
	name, row   string
	path, query string // a query is sent by POST
	want        string // in the body
	read        func(reader)
	prepare     func() // before each request; expires the caches if nil
	goal        target
	commands    float64 // of the store, at most; not counted if 0
}

// BenchmarkCold sends uncached requests, in turns with the handlers.
func BenchmarkCold(b *testing.B) {
	w := newBenchWorld(b)
	for _, c := range []coldRequest{
		{
			name: "player", row: "player, 15 characters, cold", path: "/v3/player/" + fifteenCharacters + "?fullResult",
			want: `"username":"Fifteen"`, goal: atMost(1.2), commands: 3,
			read: func(r reader) {
				ps := find[model.Player](r, "players", "nameFold", "fifteen", 1)
				find[model.Character](r, "characters", "owner", ps[0].UUID, 15)
			},
		},
		{
			name: "guild", row: "guild page, 100 members, cold", path: "/graphql", query: hundredPage, want: `"Member99"`,
			goal: atMost(1.2), commands: 5,
			read: func(r reader) {
				find[model.Guild](r, "guilds", "_id", hundredGuild, 1)
				ps := find[model.Player](r, "players", "guild.uuid", hundredGuild, 100)
				find[model.Character](r, "characters", "owner", in(uuidsOf(ps)), 500)
			},
		},
		{
			name: "guild-150", row: "guild of 150 members, cold", path: "/v3/guild/A%20Hundred%20and%20Fifty",
			want: `"Member149"`, goal: atMost(1.2),
			read: func(r reader) {
				gs := find[model.Guild](r, "guilds", "nameFold", mongo.Fold(largeGuildName), 1)
				find[model.Player](r, "players", "guild.uuid", gs[0].UUID, 150)
			},
		},
		{
			name: "items", row: "5,500 items, cold", path: "/v3/item/database?fullResult", want: "5499", read: readItems,
			prepare: w.changeItems, goal: atMost(1.2),
		},
		{
			name: "items-cached", row: "5,500 items, response cold, items cached", path: "/v3/item/database?fullResult",
			want: "5499", read: readItems, goal: target{none: true},
		},
	} {
		b.Run(c.name, func(b *testing.B) { w.measureCold(b, c) })
	}
	b.Run("players", w.coldPlayers)
	b.Run("front-page", func(b *testing.B) { coldPage[model.NewsEntry](w, b, "/", "latestNews") })
	b.Run("map-page", func(b *testing.B) { coldPage[model.MapMarker](w, b, "/map", "mapMarkers") })
}

func (w *world) measureCold(b *testing.B, c coldRequest) {
	method, prepare := http.MethodGet, c.prepare
	if c.query != "" {
		method = http.MethodPost
	}
	if prepare == nil {
		prepare = w.expireCaches
	}
	text, sent := rawRequest(b, method, c.path, c.query, "identity", hundredGuild)
	w.expectBody(b, method, c.path, sent, c.want)
	w.expireCaches()
	before := w.CommandCount()
	body := w.expectBody(b, method, c.path, sent, c.want)
	commands := float64(w.CommandCount() - before)
	w.benchCold(b, c.row, text, w.baselineHandler(c.read, asTypes(b, body)), prepare, c.goal)
	if c.commands > 0 {
		addFigure(b, c.row+", store commands", commands, atMost(c.commands))
	}
}

// readItems reads the whole item database, which the process caches until items are written.
func readItems(r reader) { find[model.Item](r, "items", "", nil, manyItems) }

// coldPlayers measures a list in GraphQL: a hundred players with their guilds and characters.
func (w *world) coldPlayers(b *testing.B) {
	const query = `{players(first:100){nodes{username uuid rank{key} guild{name prefix level}
  characters(first:20){nodes{uuid classKey level totalLevel xp playtime}}}}}`
	_, sent := rawRequest(b, "POST", "/graphql", query, "identity", "")
	var uuids []string
	for _, m := range regexp.MustCompile(`"username":"[^"]*","uuid":"([^"]*)"`).
		FindAllSubmatch(w.expectBody(b, "POST", "/graphql", sent, `"classKey"`), -1) {
		uuids = append(uuids, string(m[1]))
	}
	w.measureCold(b, coldRequest{
		row: "100 players with guild and characters, cold", path: "/graphql", query: query, want: `"classKey"`,
		goal: atMost(1.2),
		read: func(r reader) {
			var guilds []string
			for _, p := range find[model.Player](r, "players", "_id", in(uuids), 100) {
				if p.Guild != nil {
					guilds = append(guilds, p.Guild.UUID)
				}
			}
			find[model.Guild](r, "guilds", "_id", in(guilds), 0)
			find[model.Character](r, "characters", "owner", in(uuids), 0)
		},
	})
}

// coldPage measures a page beside a handler that has it, and reads the territories and another collection.
func coldPage[T any](w *world, b *testing.B, path, collection string) {
	text, _ := rawRequest(b, "GET", path, "", "identity", "")
	page := apptest.Get(b, w.URL+path, "Accept-Encoding", "identity")
	page.Expect(b, path, http.StatusOK)
	read := func(r reader) {
		find[model.Territory](r, "territories", "", nil, 0)
		find[T](r, collection, "", nil, 0)
	}
	w.benchCold(b, "page "+path+", cold", text, w.baselineHandler(read, string(page.Body)), w.expireCaches, atMost(1.5))
}

// changeItems expires the caches and makes the process read the items again.
func (w *world) changeItems() {
	if err := mongo.Items.Put(context.Background(), w.Store, content.Read[model.Item]("items")[:1]); err != nil {
		w.T.Fatal(err)
	}
	w.expireCaches()
}
