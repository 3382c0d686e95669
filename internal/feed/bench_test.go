package feed_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/mongo/mongotest"
)

// BenchmarkFeed applies 10,000 events of 500 players in batches of 500, as POST /feed does. Four of ten are in the
// event log.
func BenchmarkFeed(b *testing.B) {
	const players, batch, count = 500, 500, 10_000
	store, _ := mongotest.Open(b)
	newGame().store(b, store)
	player := func(n int) feed.PlayerID { return feed.PlayerID(mongotest.UUID(10_000 + n)) }
	character := func(n int) feed.CharacterID { return feed.CharacterID(mongotest.UUID(20_000 + n)) }
	sender := feed.New(store, feed.Options{})
	key := 0
	apply := func(events []feed.Event) {
		for len(events) > 0 {
			var sent []feed.Sent
			for _, e := range events[:min(batch, len(events))] {
				sent = append(sent, feed.Sent{Key: fmt.Sprint("bench/", key), Event: e})
				key++
			}
			outcomes, err := sender.Apply(b.Context(), sent)
			if err != nil {
				b.Fatal(err)
			}
			for _, o := range outcomes {
				if o.Err != nil {
					b.Fatal(o.Err)
				}
			}
			events = events[len(sent):]
		}
	}
	var create []feed.Event
	for n := range players {
		create = append(create, &feed.PlayerAdded{Player: player(n), Username: fmt.Sprint("Bench", n)},
			&feed.CharacterAdded{Player: player(n), Character: character(n), Type: "MAGE"})
	}
	apply(create)
	guilds := []feed.GuildID{feed.GuildID(mongotest.UUID(51)), feed.GuildID(mongotest.UUID(52))}
	level := 1
	for b.Loop() {
		var events []feed.Event
		for n := 0; len(events) < count; n++ {
			p, c := player(n%players), character(n%players)
			if n%players == 0 {
				level++
			}
			moved := &feed.PlayerMoved{Player: p, Location: model.Position{X: float64(n)}}
			gain := &feed.CharacterGained{Character: c, Gain: feed.Gain{XP: 10, Level: level, Gains: model.Gains{MobsKilled: 3}}}
			events = append(events, &feed.PlayerJoined{Player: p, Server: "EU1", Character: c}, moved, gain, gain, moved,
				gain, gain, moved, &feed.TerritoryCaptured{
					Territory: feed.TerritoryName(fmt.Sprint("Field ", n%3)), Guild: guilds[n%2],
				}, &feed.PlayerLeft{Player: p})
		}
		apply(events)
	}
	b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkSenders applies batches of several senders that change the same players at once.
func BenchmarkSenders(b *testing.B) {
	for _, c := range []struct{ senders, batch int }{{1, 1}, {8, 1}, {1, 500}, {4, 500}} {
		b.Run(fmt.Sprintf("%dx%d", c.senders, c.batch), func(b *testing.B) {
			store, _ := mongotest.Open(b)
			newGame().store(b, store)
			f := feed.New(store, feed.Options{})
			var keys, batches atomic.Int64
			var senders sync.WaitGroup
			for range c.senders {
				senders.Go(func() {
					for batches.Add(1) <= int64(b.N) {
						sent := make([]feed.Sent, c.batch)
						for i := range sent {
							sent[i] = feed.Sent{
								Key:   fmt.Sprint("bench/", keys.Add(1)),
								Event: &feed.CharacterGained{Character: dusk, Gain: feed.Gain{Gains: model.Gains{MobsKilled: 1}}},
							}
						}
						if _, err := f.Apply(b.Context(), sent); err != nil {
							b.Error(err)
						}
					}
				})
			}
			senders.Wait()
			b.ReportMetric(float64(keys.Load())/b.Elapsed().Seconds(), "events/s")
		})
	}
}
