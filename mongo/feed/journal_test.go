package feed_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo"
	"gamedata/mongo/feed"
	"gamedata/mongo/mongotest"
)

func newJournal(store *mongo.Store) *feed.Journal {
	return feed.NewJournal(store, feed.JournalOptions{
		Retention: time.Hour, Patience: 30 * time.Millisecond, Now: func() time.Time { return feedTime },
		LinkCode: linkCode,
	})
}

// random is the text of random ids, and of the ids, keys and expiry times of events.
var random = regexp.MustCompile(
	`"_id": (\{"\$oid":"\w+"\}|"[0-9a-v]{26}","key": "[^"]+"),|` +
		`,"(expires|updatedAt)": \{"\$date":\{"\$numberLong":"\d+"\}\}`)

// contents returns all game data of a store as text, without random ids and the times of writes.
func contents(t *testing.T, store *mongo.Store) string {
	t.Helper()
	var out strings.Builder
	for _, c := range mongo.Exported() {
		err := store.Export(t.Context(), c.Name, func(r bson.Raw) error {
			fmt.Fprintln(&out, c.Name, r)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return random.ReplaceAllString(out.String(), "")
}

// A journal changes the store like Apply. Interrupted before any of its writes, it changes it the same way when the
// events are sent again, and once more does nothing.
func TestJournalAppliesOnce(t *testing.T) {
	for _, k := range feed.Events {
		t.Run(k.Name, func(t *testing.T) {
			var events []feed.Event
			var sent []feed.Sent
			for _, e := range append(prepare[k.Name], [2]string{k.Name, k.Example}) {
				event := decode(t, e[0], e[1])
				events = append(events, event)
				sent = append(sent, feed.Sent{Key: fmt.Sprint("test/", len(sent)), Event: event})
			}
			store, _ := mongotest.Open(t)
			storeGame(t, store)
			if _, err := feed.Apply(t.Context(), store, events, options); err != nil {
				t.Fatal(err)
			}
			want := contents(t, store)

			for n, more := 0, true; more; n++ {
				store, _ := mongotest.Open(t)
				storeGame(t, store)
				stopped := newJournal(store)
				stopped.StopBeforeWriting()
				if _, err := stopped.Apply(t.Context(), sent); !errors.Is(err, feed.ErrStopped) {
					t.Fatal(err)
				}
				more = writeFirst(t, store, n)
				for range 2 {
					outcomes, err := newJournal(store).Apply(t.Context(), sent)
					if err != nil {
						t.Fatal(err)
					}
					for i, o := range outcomes {
						if o != (feed.Outcome{Duplicate: true}) {
							t.Errorf("event %d after %d writes: got %+v, want a duplicate", i, n, o)
						}
					}
					if diff := cmp.Diff(want, contents(t, store)); diff != "" {
						t.Fatalf("after %d writes: %s", n, diff)
					}
				}
			}
		})
	}
}

// writeFirst carries out the first n writes of the journal's entry. It returns false when there are no more.
func writeFirst(t *testing.T, store *mongo.Store, n int) (more bool) {
	t.Helper()
	j, err := store.ReadJournal(t.Context())
	if err != nil || j.Entry == nil {
		t.Fatal(j, err)
	}
	var entry, part mongo.JournalEntry
	if err := bson.Unmarshal(j.Entry, &entry); err != nil {
		t.Fatal(err)
	}
	for _, step := range entry.Steps {
		writes := min(n, len(step.Writes))
		part.Steps = append(part.Steps, mongo.JournalStep{Collection: step.Collection, Writes: step.Writes[:writes]})
		more = more || writes < len(step.Writes)
		n -= writes
	}
	part.Events = entry.Events[:min(n, len(entry.Events))]
	more = more || len(part.Events) < len(entry.Events)
	raw, err := bson.Marshal(part)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.CarryOut(t.Context(), 0, raw); err != nil { // no entry has the number 0, so it stays
		t.Fatal(err)
	}
	return more
}

// Two instances that get the same events at the same time, in other batches, apply each once and in order. One of
// them stops now and then.
func TestJournalOfTwoInstances(t *testing.T) {
	store, server := mongotest.Open(t)
	g := storeGame(t, store)
	other := mongotest.OpenOn(t, server)
	const events = 60
	var sent []feed.Sent
	for i := range events {
		sent = append(sent, feed.Sent{Key: fmt.Sprint("test/", i), Event: decode(t, "CharacterGained",
			fmt.Sprintf(`{"character": "%s", "level": %d, "xp": 1, "mobsKilled": 1, "quests": ["Q%d"]}`,
				g.dusk.UUID, 12+i, i))})
	}
	var senders sync.WaitGroup
	for n, store := range []*mongo.Store{store, other} {
		senders.Go(func() {
			j := newJournal(store)
			for from := 0; from < events; from += 10 + n {
				if from == 30 {
					stopped := newJournal(store)
					stopped.StopBeforeWriting()
					_, _ = stopped.Apply(t.Context(), sent[from:from+10])
				}
				batch := sent[from:min(events, from+10+n)]
				outcomes, err := j.Apply(t.Context(), batch)
				if err != nil {
					t.Error(err)
					return
				}
				for _, o := range outcomes {
					if o.Err != nil {
						t.Error(o.Err)
					}
				}
			}
		})
	}
	senders.Wait()
	found, err := store.CharactersByUUID(t.Context(), []string{g.dusk.UUID})
	if err != nil {
		t.Fatal(err)
	}
	c := found[0]
	if *c.MobsKilled != events || c.XP != 500+events || c.Level != 12+events-1 || len(c.Quests) != events+1 ||
		c.Quests[events] != fmt.Sprint("Q", events-1) {
		t.Errorf("mobs %d, xp %d, level %d, quests %v", *c.MobsKilled, c.XP, c.Level, c.Quests)
	}
}

// The first decision about a key is final: rejected events stay rejected, and another event with the key is noticed.
// Keys expire.
func TestJournalKeys(t *testing.T) {
	store, _ := mongotest.Open(t)
	g := storeGame(t, store)
	now := feedTime
	j := feed.NewJournal(store, feed.JournalOptions{Retention: time.Hour, Now: func() time.Time { return now }})
	apply := func(key, name, fields string) feed.Outcome {
		t.Helper()
		outcomes, err := j.Apply(t.Context(), []feed.Sent{{Key: key, Event: decode(t, name, fields)}})
		if err != nil {
			t.Fatal(err)
		}
		return outcomes[0]
	}
	player := `{"player": "` + g.salted.UUID + `", `
	const move = `"location": {"x": 1, "y": 2, "z": 3}}`
	for _, c := range []struct {
		key, name, fields string
		code              feed.Code
		duplicate         bool
	}{
		{"a", "PlayerMoved", player + move, feed.Conflict, false}, // offline
		{"b", "PlayerJoined", player + `"server": "EU1", "character": "` + g.dusk.UUID + `"}`, "", false},
		{"a", "PlayerMoved", player + move, feed.Conflict, true},
		{"c", "PlayerMoved", player + move, "", false},
		{
			"c", "PlayerMoved", `{"location": {"z": 3.0, "y": 2, "x": 1}, "player": "` + strings.ToUpper(g.salted.UUID) + `"}`,
			"", true,
		},
		{"c", "PlayerMoved", player + `"location": {"x": 9, "y": 2, "z": 3}}`, feed.Conflict, false},
		{"c", "PartyLeft", `{"player": "` + g.salted.UUID + `"}`, feed.Conflict, false},
	} {
		o := apply(c.key, c.name, c.fields)
		if o.Duplicate != c.duplicate || (o.Err == nil) != (c.code == "") || o.Err != nil && o.Err.Code != c.code {
			t.Errorf("%s: %s %s: got %+v, want %q, duplicate %v", c.key, c.name, c.fields, o, c.code, c.duplicate)
		}
	}
	// Within one batch.
	left := decode(t, "PlayerLeft", `{"player": "`+g.salted.UUID+`"}`)
	outcomes, err := j.Apply(t.Context(), []feed.Sent{
		{"d", left}, {"d", left}, {"d", decode(t, "PartyLeft", `{"player": "`+g.salted.UUID+`"}`)}, {"b", left},
	})
	if err != nil || outcomes[0] != (feed.Outcome{}) || outcomes[1] != (feed.Outcome{Duplicate: true}) ||
		outcomes[2].Err == nil || outcomes[3].Err == nil {
		t.Errorf("got %+v, %v", outcomes, err)
	}
	now = now.Add(time.Hour)
	if o := apply("c", "PartyLeft", `{"player": "`+g.salted.UUID+`"}`); o != (feed.Outcome{}) {
		t.Errorf("an expired key: got %+v", o)
	}
}

// What a batch changes is purged from all caches, and announced once.
func TestJournalPurgesOnce(t *testing.T) {
	store, _ := mongotest.Open(t)
	g := storeGame(t, store)
	var purged []string
	store.OnPurge(func(tags ...string) { purged = append(purged, tags...) })
	_, err := newJournal(store).Apply(t.Context(), []feed.Sent{
		{Key: "ban", Event: &feed.PlayerBanned{Player: feed.PlayerID(g.salted.UUID)}},
		{Key: "disband", Event: &feed.GuildDisbanded{Guild: feed.GuildID(g.moss.UUID)}},
	})
	if want := []string{"player:" + g.salted.UUID, "guild:" + g.moss.UUID}; err != nil || !slices.Equal(purged, want) {
		t.Errorf("got %v, %v, want %v", purged, err, want)
	}
}
