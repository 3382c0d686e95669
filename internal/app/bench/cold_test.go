package bench

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

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

// BenchmarkCold sends uncached requests, in turns with handlers that read the records and use encoding/json directly.
func BenchmarkCold(b *testing.B) {
	w := newBenchWorld(b)
	b.Run("player", func(b *testing.B) { w.coldPlayer(b, "player, 15 characters, cold", atMost(1.2)) })
	b.Run("guild", w.coldGuildPage)
	b.Run("guild-150", w.coldGuild)
	b.Run("items", func(b *testing.B) {
		w.coldItems(b, "5,500 items, cold", w.changeItems, atMost(1.2))
	})
	b.Run("players", w.coldPlayers)
	b.Run("front-page", func(b *testing.B) { coldPage[model.NewsEntry](w, b, "/", "latestNews") })
	b.Run("map-page", func(b *testing.B) { coldPage[model.MapMarker](w, b, "/map", "mapMarkers") })
	b.Run("items-cached", func(b *testing.B) {
		w.coldItems(b, "5,500 items, response cold, items cached", w.expireCaches, target{none: true})
	})
}

func (w *world) coldPlayer(b *testing.B, row string, goal target) {
	path := "/v3/player/" + fifteenCharacters + "?fullResult"
	text, _ := rawRequest(b, "GET", path, "", "identity", "")
	w.expectBody(b, "GET", path, "", `"username":"Fifteen"`)
	w.expireCaches()
	before := w.CommandCount()
	body := w.expectBody(b, "GET", path, "", `"username":"Fifteen"`)
	commands := float64(w.CommandCount() - before)
	read := func(ctx context.Context) error {
		ps, err := findAll[model.Player](ctx, w.db.Collection("players"), bson.D{{Key: "nameFold", Value: "fifteen"}})
		if err != nil {
			return err
		}
		cs, err := findAll[model.Character](ctx, w.db.Collection("characters"), bson.D{{Key: "owner", Value: ps[0].UUID}})
		if err == nil && len(cs) != 15 {
			err = fmt.Errorf("%d characters", len(cs))
		}
		return err
	}
	w.benchCold(b, row, text, baselineHandler(read, asTypes(b, body)), w.expireCaches, goal)
	addFigure(b, row+", store commands", commands, atMost(3))
}

func (w *world) coldGuildPage(b *testing.B) {
	text, sent := rawRequest(b, "POST", "/graphql", hundredPage, "identity", hundredGuild)
	before := w.CommandCount()
	body := w.expectBody(b, "POST", "/graphql", sent, `"Member99"`)
	commands := float64(w.CommandCount() - before)
	read := func(ctx context.Context) error {
		if _, err := findAll[model.Guild](ctx, w.db.Collection("guilds"),
			bson.D{{Key: "_id", Value: hundredGuild}}); err != nil {
			return err
		}
		ps, err := findAll[model.Player](ctx, w.db.Collection("players"), bson.D{{Key: "guild.uuid", Value: hundredGuild}})
		if err != nil {
			return err
		}
		uuids := make([]string, len(ps))
		for i, p := range ps {
			uuids[i] = p.UUID
		}
		cs, err := findAll[model.Character](ctx, w.db.Collection("characters"),
			bson.D{{Key: "owner", Value: bson.D{{Key: "$in", Value: uuids}}}})
		if err == nil && len(cs) != 500 {
			err = fmt.Errorf("%d characters", len(cs))
		}
		return err
	}
	w.benchCold(b, "guild page, 100 members, cold", text, baselineHandler(read, asTypes(b, body)), w.expireCaches,
		atMost(1.2))
	addFigure(b, "guild page, store commands", commands, atMost(5))
}

// coldPlayers measures a list in GraphQL: a hundred players with their guilds and characters.
func (w *world) coldPlayers(b *testing.B) {
	const query = `{players(first:100){nodes{username uuid rank{key} guild{name prefix level}
  characters(first:20){nodes{uuid classKey level totalLevel xp playtime}}}}}`
	text, sent := rawRequest(b, "POST", "/graphql", query, "identity", "")
	body := w.expectBody(b, "POST", "/graphql", sent, `"classKey"`)
	var uuids []string
	for _, m := range regexp.MustCompile(`"username":"[^"]*","uuid":"([^"]*)"`).FindAllSubmatch(body, -1) {
		uuids = append(uuids, string(m[1]))
	}
	if len(uuids) != 100 {
		b.Fatalf("%d players", len(uuids))
	}
	read := func(ctx context.Context) error {
		ps, err := findAll[model.Player](ctx, w.db.Collection("players"),
			bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: uuids}}}})
		if err != nil {
			return err
		}
		var guilds []string
		for _, p := range ps {
			if p.Guild != nil {
				guilds = append(guilds, p.Guild.UUID)
			}
		}
		if _, err := findAll[model.Guild](ctx, w.db.Collection("guilds"),
			bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: guilds}}}}); err != nil {
			return err
		}
		_, err = findAll[model.Character](ctx, w.db.Collection("characters"),
			bson.D{{Key: "owner", Value: bson.D{{Key: "$in", Value: uuids}}}})
		return err
	}
	w.benchCold(b, "100 players with guild and characters, cold", text, baselineHandler(read, asTypes(b, body)),
		w.expireCaches, atMost(1.2))
}

// coldPage measures a page beside a handler that has it, and reads the territories and another collection.
func coldPage[T any](w *world, b *testing.B, path, collection string) {
	text, _ := rawRequest(b, "GET", path, "", "identity", "")
	page := apptest.Get(b, w.URL+path, "Accept-Encoding", "identity")
	page.Expect(b, path, http.StatusOK)
	read := func(ctx context.Context) error {
		if _, err := findAll[model.Territory](ctx, w.db.Collection("territories"), bson.D{}); err != nil {
			return err
		}
		_, err := findAll[T](ctx, w.db.Collection(collection), bson.D{})
		return err
	}
	w.benchCold(b, "page "+path+", cold", text, baselineHandler(read, string(page.Body)), w.expireCaches, atMost(1.5))
}

func (w *world) coldGuild(b *testing.B) {
	const path = "/v3/guild/A%20Hundred%20and%20Fifty"
	text, _ := rawRequest(b, "GET", path, "", "identity", "")
	body := w.expectBody(b, "GET", path, "", `"Member149"`)
	read := func(ctx context.Context) error {
		gs, err := findAll[model.Guild](ctx, w.db.Collection("guilds"),
			bson.D{{Key: "nameFold", Value: mongo.Fold(largeGuildName)}})
		if err != nil {
			return err
		}
		ps, err := findAll[model.Player](ctx, w.db.Collection("players"),
			bson.D{{Key: "guild.uuid", Value: gs[0].UUID}})
		if err == nil && len(ps) != 150 {
			err = fmt.Errorf("%d members", len(ps))
		}
		return err
	}
	w.benchCold(b, "guild of 150 members, cold", text, baselineHandler(read, asTypes(b, body)), w.expireCaches,
		atMost(1.2))
}

// coldItems measures the whole item database, which the process caches until items are written.
func (w *world) coldItems(b *testing.B, row string, prepare func(), goal target) {
	const path = "/v3/item/database?fullResult"
	text, _ := rawRequest(b, "GET", path, "", "identity", "")
	body := w.expectBody(b, "GET", path, "", "5499")
	read := func(ctx context.Context) error {
		all, err := findAll[model.Item](ctx, w.db.Collection("items"), bson.D{})
		if err == nil && len(all) != manyItems {
			err = fmt.Errorf("%d items", len(all))
		}
		return err
	}
	w.benchCold(b, row, text, baselineHandler(read, asTypes(b, body)), prepare, goal)
}

// changeItems expires the caches and makes the process read the items again.
func (w *world) changeItems() {
	if err := mongo.Items.Put(context.Background(), w.Store, content.Read[model.Item]("items")[:1]); err != nil {
		w.T.Fatal(err)
	}
	w.expireCaches()
}
