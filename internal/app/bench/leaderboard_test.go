package bench

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
	"gamedata/internal/jobs"
)

// BenchmarkColdLeaderboard requests uncached parts of leaderboards: a thousand entries by REST, and pages at the start
// and at position 90,000 of a board of 100,000 by GraphQL.
func BenchmarkColdLeaderboard(b *testing.B) {
	b.Run("thousand", thousandEntries)
	b.Run("page", pageOf100000)
}

func (w *world) rank(b *testing.B) {
	if _, err := jobs.Refresh(b.Context(), w.Store, time.Now(), jobs.Options{Full: true}); err != nil {
		b.Fatal(err)
	}
}

func thousandEntries(b *testing.B) {
	w := newBenchWorld(b)
	open, sheets := openPlayer(b)
	if err := w.addGuild(open, sheets, "c0000000-0000-4000-8000-000000000003", "Thousands", 1500, 1); err != nil {
		b.Fatal(err)
	}
	w.rank(b)
	const path = "/v3/leaderboards/totalGlobalLevel?resultLimit=1000"
	uuids := uuidsOfEntries(b, w.expectBody(b, http.MethodGet, path, "", `"1000"`))
	w.measureCold(b, coldRequest{
		row: "1,000 entries of a leaderboard, cold", path: path, want: `"1000"`, goal: atMost(1.2), commands: 3,
		// The baseline knows whose entries they are, and has the scores from the records of all players.
		read: func(r reader) { find[model.Player](r, "players", "_id", in(uuids), len(uuids)) },
	})
}

func uuidsOfEntries(b *testing.B, body []byte) []string {
	entries := apptest.Decode[map[string]struct{ UUID string }](b, body)
	if len(entries) != 1000 {
		b.Fatalf("%d entries", len(entries))
	}
	uuids := make([]string, 0, len(entries))
	for _, e := range entries {
		if e.UUID != "" { // restricted
			uuids = append(uuids, e.UUID)
		}
	}
	return uuids
}

// spreadUUID returns the nth uuid; their order is not the order of the numbers.
func spreadUUID(n int) string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012d", uint32(n)*2654435761, n)
}

const entriesPage = `query($name:String){leaderboard(by:{type:"warsCompletion"}){entries(first:20,after:$name){nodes{
  id position name score movement ... on PlayerLeaderboardEntry{player{username supportRank{key}}}} pageInfo{endCursor}}}}`

func pageOf100000(b *testing.B) {
	w := &world{Service: apptest.NewService(b)}
	open, _ := openPlayer(b)
	entries, batch, at := 100_000, 10_000, 90_000
	for from := 1; from <= entries; from += batch {
		var players []*model.Player
		for n := from; n < from+batch; n++ {
			players = append(players, &model.Player{
				UUID: spreadUUID(n), Username: fmt.Sprint("P", n), Rank: "Player",
				RankBadge: open.RankBadge, RankColours: open.RankColours, ShortenedRank: open.ShortenedRank,
				Totals: &model.PlayerTotals{Wars: int64(10_000_000 - n)},
			})
		}
		if err := w.Store.Players.Insert(b.Context(), players); err != nil {
			b.Fatal(err)
		}
	}
	w.rank(b)
	query := fmt.Sprintf(`{leaderboard(by:{type:"warsCompletion"}){entries(first:1,around:%q){pageInfo{endCursor}}}}`,
		spreadUUID(at))
	_, sent := rawRequest(b, http.MethodPost, "/graphql", query, "identity", "")
	far := regexp.MustCompile(`"endCursor":"([^"]+)"`).
		FindSubmatch(w.expectBody(b, http.MethodPost, "/graphql", sent, `"endCursor":"`))
	var pages [2]*peer
	first := strings.Replace(entriesPage, "($name:String)", "", 1)
	for i, query := range []string{strings.Replace(first, ",after:$name", "", 1), entriesPage} {
		text, sent := rawRequest(b, http.MethodPost, "/graphql", query, "identity", string(far[1]))
		w.expectBody(b, http.MethodPost, "/graphql", sent, fmt.Sprintf(`"position":%d`, i*at+1))
		pages[i] = dial(b, w.URL, text)
	}
	var t turns
	round := func() {
		w.expireCaches()
		far := elapsed(b, pages[1:], 1)
		w.expireCaches()
		t.take(far, elapsed(b, pages[:1], 1))
	}
	t.measure(b, 20, 100, round)
	late, early := median(t.our), median(t.their)
	addComparison(b, comparison{
		"page at position 90,000 of 100,000, cold", milliseconds(late), milliseconds(early), late / early, atMost(1.2),
	})
}
