package events_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/events"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// season returns an event that is easy to recognise.
func season(n int) mongo.NewEvent { return mongo.NewEvent{Data: &model.SeasonStarted{Season: n}} }

func appendSeasons(t *testing.T, store *mongo.Store, numbers ...int) {
	t.Helper()
	list := make([]mongo.NewEvent, len(numbers))
	for i, n := range numbers {
		list[i] = season(n)
	}
	mongotest.Must(t, store.Events.Append(t.Context(), list...))
}

func seasonOf(e *model.Event) int { return e.Data.(*model.SeasonStarted).Season }

func next(t *testing.T, s *events.Subscription, n int) (out []*model.Event) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for len(out) < n {
		more, err := s.Next(ctx)
		if err != nil {
			t.Fatalf("after %d of %d events: %v", len(out), n, err)
		}
		out = append(out, more...)
	}
	return out
}

func seasons(list []*model.Event) []int {
	out := make([]int, len(list))
	for i, e := range list {
		out[i] = seasonOf(e)
	}
	return out
}

func wantSeasons(t *testing.T, got []*model.Event, want ...int) {
	t.Helper()
	if !slices.Equal(seasons(got), want) {
		t.Errorf("got the events %v, want %v", seasons(got), want)
	}
}

func subscribe(t *testing.T, h *events.Hub, f events.Filter, after string) *events.Subscription {
	t.Helper()
	s := mongotest.Value(h.Subscribe(t.Context(), f, after))(t)
	t.Cleanup(s.Close)
	return s
}

// A subscriber gets what is recorded after it subscribed, once; others get what they filter. The log is read by one
// query, whatever their number, and not at all without subscribers.
func TestSubscribers(t *testing.T) {
	store, server := mongotest.Open(t)
	h := events.New(store, events.Options{})
	appendSeasons(t, store, 1)
	queries := func() int64 { return server.Stats().Commands["find"] }
	before := queries()
	h.Poll(t.Context())
	if n := queries() - before; n != 0 {
		t.Errorf("%d queries without subscribers", n)
	}
	var all []*events.Subscription
	for range 50 {
		all = append(all, subscribe(t, h, events.Filter{}, ""))
	}
	even := subscribe(t, h, events.Filter{
		Types: []model.EventType{model.EventSeasonStarted},
		Match: func(e *model.Event) bool { return seasonOf(e)%2 == 0 },
	}, "")
	other := subscribe(t, h, events.Filter{Types: []model.EventType{model.EventGuildCreated}}, "")
	appendSeasons(t, store, 2, 3)
	appendSeasons(t, store, 4)
	mongotest.Must(t, store.Events.Append(t.Context(), mongo.NewEvent{Data: &model.AccessRulesChanged{Player: "p"}},
		mongo.NewEvent{Data: &model.GuildCreated{Guild: model.EventGuild{Name: "Mossbound"}}}))
	before = queries()
	h.Poll(t.Context())
	if n := queries() - before; n != 1 {
		t.Errorf("%d queries for 52 subscribers, want 1", n)
	}
	h.Poll(t.Context())
	appendSeasons(t, store, 5, 6)
	h.Poll(t.Context())
	for _, s := range all {
		got := next(t, s, 6)
		if g, ok := got[3].Data.(*model.GuildCreated); !ok || g.Guild.Name != "Mossbound" {
			t.Fatalf("got %+v", got[3].Data)
		}
		wantSeasons(t, slices.Delete(got, 3, 4), 2, 3, 4, 5, 6)
	}
	wantSeasons(t, next(t, even, 3), 2, 4, 6)
	if got := next(t, other, 1); len(got) != 1 {
		t.Errorf("got %d events, want one", len(got))
	}
}

// An internal event reaches the service only.
func TestInternalEvents(t *testing.T) {
	store, _ := mongotest.Open(t)
	h := events.New(store, events.Options{})
	types := []model.EventType{model.EventAccessRulesChanged, model.EventSeasonStarted}
	public := subscribe(t, h, events.Filter{Types: types}, "")
	internal := subscribe(t, h, events.Filter{Internal: true}, "")
	mongotest.Must(t, store.Events.Append(t.Context(), mongo.NewEvent{Data: &model.AccessRulesChanged{Player: "p"}}))
	appendSeasons(t, store, 1)
	h.Poll(t.Context())
	wantSeasons(t, next(t, public, 1), 1)
	if got := next(t, internal, 2); got[0].Data.(*model.AccessRulesChanged).Player != "p" {
		t.Errorf("got %+v", got[0].Data)
	}
}

// Two writers whose clocks differ by less than the overlap, and a reader whose clock is between theirs: every event is
// delivered once, the events of each writer in order, however writers and reader take turns.
func TestClocksThatDiffer(t *testing.T) {
	fast := func(o *mongo.Options) { o.EventClock = func() time.Time { return time.Now().Add(2 * time.Second) } }
	slow := func(o *mongo.Options) { o.EventClock = func() time.Time { return time.Now().Add(-2 * time.Second) } }
	first, server := mongotest.Open(t, fast)
	writers := []*mongo.Store{first, mongotest.OpenOn(t, server, slow)}
	h := events.New(mongotest.OpenOn(t, server), events.Options{})
	s := subscribe(t, h, events.Filter{}, "")

	const each = 150
	failed := make(chan error, len(writers))
	for w, store := range writers {
		go func() {
			for i := range each {
				if err := store.Events.Append(t.Context(), season(1000*(w+1)+i)); err != nil {
					failed <- err
					return
				}
			}
			failed <- nil
		}()
	}
	for done := 0; done < len(writers); {
		select {
		case err := <-failed:
			if done++; err != nil {
				t.Error(err)
			}
		default:
			h.Poll(t.Context())
		}
	}
	h.Poll(t.Context())
	h.Poll(t.Context())
	last := map[int]int{}
	for _, n := range seasons(next(t, s, 2*each)) {
		if w := n / 1000; n%1000 != last[w] {
			t.Fatalf("writer %d: got event %d after %d", w, n%1000, last[w]-1)
		} else {
			last[w]++
		}
	}
	appendSeasons(t, writers[1], 9999)
	h.Poll(t.Context())
	wantSeasons(t, next(t, s, 1), 9999) // nothing was delivered twice
}

// An event that becomes visible late, within the overlap, is delivered although later ones were.
func TestLateEvents(t *testing.T) {
	store, server := mongotest.Open(t)
	h := events.New(store, events.Options{})
	s := subscribe(t, h, events.Filter{}, "")
	appendSeasons(t, store, 1)
	h.Poll(t.Context())
	wantSeasons(t, next(t, s, 1), 1)
	insertAt(t, server, time.Now().Add(-4*time.Second), 2)
	h.Poll(t.Context())
	h.Poll(t.Context())
	appendSeasons(t, store, 3)
	h.Poll(t.Context())
	wantSeasons(t, next(t, s, 2), 2, 3)
}

// Events of a transaction whose commit is delayed for longer than the overlap are delivered late, and once.
func TestLateCommit(t *testing.T) {
	var proxy *mongotest.Proxy
	writer, server := mongotest.Open(t, mongotest.WithProxy(&proxy))
	now := time.Now()
	h := events.New(mongotest.OpenOn(t, server), events.Options{Now: func() time.Time { return now }})
	s := subscribe(t, h, events.Filter{}, "")
	reached, commit := make(chan struct{}), make(chan struct{})
	proxy.Handle(func(c mongotest.Command) mongotest.Action {
		if c.Name == "commitTransaction" {
			close(reached)
			<-commit
		}
		return mongotest.Action{}
	})
	committed := make(chan error)
	go func() { committed <- writer.Events.Append(t.Context(), season(1), season(2)) }()
	<-reached
	for range 3 {
		now = now.Add(10 * time.Second)
		appendSeasons(t, mongotest.OpenOn(t, server), 3)
		h.Poll(t.Context())
	}
	wantSeasons(t, next(t, s, 3), 3, 3, 3)
	close(commit)
	mongotest.Must(t, <-committed)
	for range 3 {
		now = now.Add(10 * time.Second)
		h.Poll(t.Context())
	}
	wantSeasons(t, next(t, s, 2), 1, 2)
}

// A store that does not answer for longer than the overlap delays events and loses none.
func TestStoreThatFails(t *testing.T) {
	store, _ := mongotest.Open(t)
	now := time.Now()
	h := events.New(store, events.Options{Now: func() time.Time { return now }})
	s := subscribe(t, h, events.Filter{}, "")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	appendSeasons(t, store, 1, 2)
	for range 3 {
		now = now.Add(time.Minute)
		h.Poll(cancelled)
	}
	h.Poll(t.Context())
	wantSeasons(t, next(t, s, 2), 1, 2)
}

// A subscriber that resumes after an event gets what followed it from the store and then what is new, without a gap and
// nothing twice, while events are recorded and delivered all the time.
func TestResume(t *testing.T) {
	store, server := mongotest.Open(t)
	h := events.New(store, events.Options{Interval: time.Millisecond})
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() { h.Run(ctx); close(stopped) }()
	defer func() { stop(); <-stopped }()
	const count = 2500 // more than two pages
	numbers := make([]int, count)
	for i := range numbers {
		numbers[i] = i
	}
	first := subscribe(t, h, events.Filter{}, "")
	appendSeasons(t, store, numbers[:2000]...)
	got := next(t, first, 2000)
	written := make(chan error)
	go func() {
		var err error
		for i := 2000; i < count && err == nil; i++ {
			err = store.Events.Append(t.Context(), season(i))
		}
		written <- err
	}()
	other := events.New(mongotest.OpenOn(t, server), events.Options{Interval: time.Millisecond})
	go other.Run(ctx)
	for i, h := range []*events.Hub{h, other, h, other} {
		from := 100 + 600*i
		s := subscribe(t, h, events.Filter{Types: []model.EventType{model.EventSeasonStarted}}, got[min(from, 1999)].ID)
		want := numbers[min(from, 1999)+1:]
		wantSeasons(t, nextAfter(t, s, want[0], len(want)), want...)
	}
	mongotest.Must(t, <-written)
	appendSeasons(t, store, 7777)
	resumed := subscribe(t, h, events.Filter{Match: func(e *model.Event) bool { return seasonOf(e) == 7777 }}, got[0].ID)
	wantSeasons(t, next(t, resumed, 1), 7777)
	for _, id := range []string{"x", got[0].ID[1:], "ZZZZZZZZZZZZZZZZZZZZZZZZZZ", "00000000000000000000000000' "} {
		if _, err := h.Subscribe(t.Context(), events.Filter{}, id); !errors.Is(err, events.ErrInvalidID) {
			t.Errorf("after %q: got %v", id, err)
		}
	}
}

// A subscriber that takes few events at once gets the rest next, also within a millisecond.
func TestResumeWithFewAtOnce(t *testing.T) {
	store, server := mongotest.Open(t)
	begin := time.Now().Add(-time.Minute)
	const ids = "vutsrqponmlkjihg" // the greatest first
	want := make([]int, 3*len(ids))
	for i := range want {
		want[i] = i
		at := begin.Add(time.Duration(i/len(ids)) * time.Millisecond)
		insertWith(t, server, at, ids[i%len(ids):][:1], i)
	}
	h := events.New(store, events.Options{})
	s := subscribe(t, h, events.Filter{MaxQueued: 7}, mongo.EventIDAt(begin.Add(-time.Second)))
	wantSeasons(t, next(t, s, len(want)), want...)
}

// nextAfter returns n events whose numbers are not below one. Those below come before them, each once.
func nextAfter(t *testing.T, s *events.Subscription, first, n int) (out []*model.Event) {
	t.Helper()
	seen := map[string]bool{}
	for len(out) < n {
		for _, e := range next(t, s, 1) {
			if seen[e.ID] {
				t.Fatalf("event %d came twice", seasonOf(e))
			}
			seen[e.ID] = true
			if seasonOf(e) >= first {
				out = append(out, e)
			}
		}
	}
	return out
}

// An event that becomes visible after the subscriber left, with a smaller id than the last one that it received, comes
// when the subscriber resumes. After a position, of which nothing before is missing, nothing comes again.
func TestResumeAfterLateEvent(t *testing.T) {
	store, server := mongotest.Open(t)
	now := time.Now()
	h := events.New(store, events.Options{Now: func() time.Time { return now }})
	s := subscribe(t, h, events.Filter{}, "")
	appendSeasons(t, store, 1)
	h.Poll(t.Context())
	last := next(t, s, 1)[0].ID
	if id, ok := s.Position(); !ok || id >= last {
		t.Errorf("the position right after an event is %q, %v", id, ok)
	}
	now = now.Add(time.Minute)
	h.Poll(t.Context())
	position, ok := s.Position()
	if !ok || position <= last {
		t.Errorf("the position a minute after the event %s is %s, %v", last, position, ok)
	}
	s.Close()
	insertAt(t, server, time.Now().Add(-4*time.Second), 2)
	resumed := subscribe(t, h, events.Filter{}, last)
	if _, ok := resumed.Position(); ok {
		t.Error("a subscription that has to read has a position")
	}
	wantSeasons(t, next(t, resumed, 1), 2)
	other := subscribe(t, events.New(store, events.Options{}), events.Filter{}, position)
	insertAt(t, server, now.Add(time.Second), 3)
	wantSeasons(t, next(t, other, 1), 3)
	if other.Start() != position || resumed.Start() != last {
		t.Errorf("started after %s and %s", other.Start(), resumed.Start())
	}
}

// A subscriber that does not take its events ends with an error and resumes after the last one that it took. Others are
// not affected.
func TestSlowSubscriber(t *testing.T) {
	store, _ := mongotest.Open(t)
	h := events.New(store, events.Options{Buffer: 10})
	slow, fast := subscribe(t, h, events.Filter{}, ""), subscribe(t, h, events.Filter{}, "")
	appendSeasons(t, store, 1)
	h.Poll(t.Context())
	last := next(t, slow, 1)[0]
	got := next(t, fast, 1)
	for i := range 11 {
		appendSeasons(t, store, 2+i)
		h.Poll(t.Context())
		got = append(got, next(t, fast, 1)...)
	}
	if _, err := slow.Next(t.Context()); !errors.Is(err, events.ErrTooSlow) {
		t.Errorf("got %v, want ErrTooSlow", err)
	}
	if h.Subscribers() != 1 || len(got) != 12 {
		t.Errorf("%d subscribers are left, the fast one got %d events", h.Subscribers(), len(got))
	}
	wantSeasons(t, next(t, subscribe(t, h, events.Filter{}, last.ID), 11), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
}

// A service that stops ends its streams with an error, after what they have not taken yet.
func TestClose(t *testing.T) {
	store, _ := mongotest.Open(t)
	h := events.New(store, events.Options{})
	s, left := subscribe(t, h, events.Filter{}, ""), subscribe(t, h, events.Filter{}, "")
	left.Close()
	if _, err := left.Next(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("closed by the subscriber: %v", err)
	}
	appendSeasons(t, store, 1)
	h.Poll(t.Context())
	ctx, stop := context.WithCancel(t.Context())
	stop()
	h.Run(ctx)
	wantSeasons(t, next(t, s, 1), 1)
	if _, err := s.Next(t.Context()); !errors.Is(err, events.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	for _, after := range []string{"", mongo.EventIDAt(time.Unix(1, 0))} {
		late := subscribe(t, h, events.Filter{}, after)
		if _, err := late.Next(t.Context()); !errors.Is(err, events.ErrClosed) || late.Start() == "" {
			t.Errorf("a new subscription: got %v after %q, want ErrClosed", err, late.Start())
		}
	}
	timeout, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("heartbeat"))
	if _, err := subscribe(t, events.New(store, events.Options{}), events.Filter{}, "").Next(timeout); err == nil ||
		err.Error() != "heartbeat" {
		t.Errorf("got %v, want the cause of the context", err)
	}
}

// insertAt inserts an event as a writer would that took its id at a time.
func insertAt(t *testing.T, server *mongotest.Server, at time.Time, n int) {
	t.Helper()
	insertWith(t, server, at, "g", n)
}

// insertWith inserts an event with the last character of its id.
func insertWith(t *testing.T, server *mongotest.Server, at time.Time, last string, n int) {
	t.Helper()
	id := mongo.EventIDAt(at)
	mongotest.Value(server.Database(t).Collection(mongo.Events).InsertOne(t.Context(), map[string]any{
		"_id": id[:len(id)-1] + last, "key": fmt.Sprint("late", n), "type": model.EventSeasonStarted, "at": at,
		"data": map[string]any{"season": n}, "expires": at.Add(time.Hour), "order": n,
	}))(t)
}
