package feed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/internal/feed/feedhttp"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// mirrored is what a mirror sees of a record, and when the record says that it changed.
type mirrored struct {
	seen    any
	updated time.Time
}

// mirror returns what mirrors see of all records of the game, as closed players show it: names, ranks, appearance,
// access rules and the guild.
func mirror(t *testing.T, store *mongo.Store, g *game) map[string]mirrored {
	t.Helper()
	out := map[string]mirrored{}
	for n := range 3 {
		if p := readPlayer(t, store, n+1); p != nil {
			out["player "+p.UUID] = mirrored{model.Player{
				Username: p.Username, Nickname: p.Nickname, Rank: p.Rank, RankBadge: p.RankBadge,
				RankColours: p.RankColours, ShortenedRank: p.ShortenedRank, SupportRank: p.SupportRank,
				Veteran: p.Veteran, Guild: p.Guild, Wallpaper: p.Wallpaper, Avatar: p.Avatar, Rules: p.Rules,
			}, p.Updated}
		}
	}
	guilds, err := store.Guilds.ByID(t.Context(), []string{g.moss.UUID, mongotest.UUID(52)})
	if err != nil {
		t.Fatal(err)
	}
	for _, guild := range guilds {
		if guild != nil {
			at := guild.Updated
			guild.RaidTallies, guild.Captured, guild.Lost = nil, 0, 0
			guild.Flagged, guild.Updated = false, time.Time{}
			out["guild "+guild.UUID] = mirrored{*guild, at}
		}
	}
	territories, err := store.Territories.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, territory := range territories {
		at := territory.Updated
		territory.Resources, territory.Updated = nil, time.Time{}
		out["territory "+territory.Name] = mirrored{*territory, at}
	}
	return out
}

// anySender accepts every token.
type anySender struct{}

func (anySender) Sender(context.Context, string) (string, *graph.Error) { return "eu-1", nil }

// What POST /feed applies moves updatedAt of the records of which it changes something that everyone sees, and of no
// others: it does not show that players who hide everything come, go or play.
func TestUpdatedAtByFeed(t *testing.T) {
	for _, k := range feed.Events {
		t.Run(k.Name, func(t *testing.T) {
			store, _ := mongotest.Open(t)
			g := newGame()
			g.salted.Rules, g.brindle.Rules = model.UniformAccessRules(model.Private), model.UniformAccessRules(model.Private)
			g.storeWithSeason(t, store)
			server := httpapitest.Serve(t, nil, func(api *httpapi.API) http.Handler {
				return feedhttp.New(api, feedhttp.Options{
					Senders: anySender{}, Feed: newFeed(store), Counters: ratelimit.New(ratelimit.Options{}),
					Rate: ratelimit.Rate{Limit: 100, Per: time.Minute}, MaxBody: 1 << 20, Count: func(string, string) {},
					Log: slog.New(slog.DiscardHandler),
				})
			})
			before := mirror(t, store, g)
			for begun := time.Now(); !time.Now().After(begun.Add(time.Millisecond)); { // as precise as a stored time
			}
			var body strings.Builder
			events := slices.Concat(prepare[k.Name], [][2]string{{k.Name, examples[k.Name]}})
			for i, e := range events {
				var data bytes.Buffer
				if err := json.Compact(&data, []byte(e[1])); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&body, `{"id": "%d", "event": %q, "data": %s}`+"\n", i, e[0], &data)
			}
			res := server.Do(http.MethodPost, feedhttp.Path, body.String(), "Authorization", "Bearer secret",
				"Content-Type", "application/x-ndjson")
			if want := fmt.Sprintf(`"applied":%d`, len(events)); !strings.Contains(res.Text, want) {
				t.Fatalf("got %s, want %s", res.Text, want)
			}
			for name, after := range mirror(t, store, g) {
				was, known := before[name]
				if !known {
					continue
				}
				difference := cmp.Diff(was.seen, after.seen)
				if moved := !after.updated.Equal(was.updated); moved != (difference != "") {
					t.Errorf("updatedAt of %s moved: %v; what changed: %s", name, moved, difference)
				}
			}
		})
	}
}
