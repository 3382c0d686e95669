package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/auth"
	"gamedata/internal/slowtest"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Of two instances one delivers. When it is killed, the other one continues: each event arrives, in order, and again at
// most what the killed one delivered last.
func TestWebhooksSurviveKill(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	store, server := mongotest.Open(t)
	uri := "mongodb://" + mongotest.NewProxy(server).Listen(t, server.Address(t)) +
		"/?directConnection=true&retryWrites=false"
	seasons := make(chan int, 1000)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var e struct{ Data model.SeasonStarted }
		if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
			t.Error(err)
		}
		seasons <- e.Data.Season
	}))
	defer receiver.Close()
	users := auth.New(store, auth.Options{PrivateWebhooks: true})
	owner, err := users.Create(t.Context(), "Salted")
	if err == nil {
		_, err = users.Webhooks.Create(t.Context(), owner.ID, model.CreateWebhookInput{
			URL: receiver.URL, Format: model.WebhookFormatJSON, Types: []model.EventType{model.EventSeasonStarted},
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	record := func(season int) {
		t.Helper()
		err := store.Events.Append(t.Context(), mongo.NewEvent{Data: &model.SeasonStarted{Season: season}})
		if err != nil {
			t.Fatal(err)
		}
	}
	args := []string{
		"--listen", "127.0.0.1:0", "--mongo-uri", uri, "--mongo-database", server.Options().Database,
		"--webhook-private-addresses",
	}
	first := startServing(t, args...)
	var got, repeated []int
	receive := func(last int) {
		t.Helper()
		for len(got) == 0 || got[len(got)-1] != last {
			select {
			case season := <-seasons:
				if slices.Contains(got, season) {
					repeated = append(repeated, season)
				} else {
					got = append(got, season)
				}
			case <-time.After(time.Minute):
				t.Fatalf("got %v, want up to %d", got, last)
			}
		}
	}
	const before, after = 200, 400
	record(0)
	receive(0)
	startServing(t, args...)
	for season := 1; season <= after; season++ {
		record(season)
		if season == before {
			receive(before / 2)
			first.kill()
		}
	}
	receive(after)
	if len(got) != after+1 || !slices.IsSorted(got) {
		t.Errorf("got %v, want all in order", got)
	}
	t.Logf("%d of %d events came again", len(repeated), after)
}
