package auth

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

var (
	someToken = viewer.Viewer{Kind: viewer.Token, Account: "a", Token: "t"}
	someApp   = viewer.Viewer{Kind: viewer.OAuth, Account: "a", App: "board"}
)

// usageOf returns the stored usage of some ids.
func (d *fixture) usageOf(ids ...string) []*model.Usage {
	d.t.Helper()
	u, err := d.store.Usage.Of(d.t.Context(), ids)
	d.must(err)
	return u
}

// Usage of several instances adds up, the latest use wins, and a flush is one store command, or three when it has new
// records.
func TestUsageAddsUp(t *testing.T) {
	d := newFixture(t)
	other := New(d.store, Options{Now: d.clock})
	flush := func() {
		t.Helper()
		d.must(d.Usage.Flush(t.Context()))
		d.must(other.Usage.Flush(t.Context()))
	}
	var group sync.WaitGroup
	for _, a := range []*Accounts{d.Accounts, other} {
		for range 100 {
			group.Go(func() {
				for range 10 {
					a.Usage.Count(someToken, "PLAYER", 1)
					a.Usage.Count(someToken, "GUILD", 3)
				}
			})
		}
	}
	group.Wait()
	for i := range 500 {
		d.Usage.Count(viewer.Viewer{Kind: viewer.Token, Token: fmt.Sprint("more", i)}, "PLAYER", 1)
	}
	before := d.server.Stats().Commands["update"]
	flush()
	if n := d.server.Stats().Commands["update"] - before; n != 4 {
		t.Errorf("two flushes: got %d commands, want 3 and 1", n)
	}
	flush() // nothing more
	first := d.time
	want := &model.Usage{LastUsedAt: &first, Charged: map[string]int64{"PLAYER": 2000, "GUILD": 6000}}
	if diff := cmp.Diff([]*model.Usage{want, {Charged: map[string]int64{}}}, d.usageOf("t", "unknown")); diff != "" {
		t.Error(diff)
	}
	// The next day, and then an instance whose clock is behind.
	d.wait(24*time.Hour + 61*time.Second)
	d.Usage.Count(someToken, "PLAYER", 1)
	flush()
	late := first.Add(24*time.Hour + time.Minute) // to the minute
	d.wait(-time.Hour)
	other.Usage.Count(someToken, "MAP", 1)
	flush()
	want = &model.Usage{LastUsedAt: &late, Charged: map[string]int64{"PLAYER": 2001, "GUILD": 6000, "MAP": 1}}
	if diff := cmp.Diff([]*model.Usage{want}, d.usageOf("t")); diff != "" {
		t.Error(diff)
	}
}

// Usage of an application is counted in total and per user; guests and sessions are not counted.
func TestUsageByViewer(t *testing.T) {
	d := newFixture(t)
	session, ofB := viewer.Viewer{Kind: viewer.Session, Account: "a", Session: "s"}, someApp
	ofB.Account = "b"
	for _, v := range []viewer.Viewer{{}, session, someApp, ofB} {
		d.Usage.Count(v, "PLAYER", 1)
	}
	d.must(d.Usage.Flush(t.Context()))
	var got []int64
	for _, u := range d.usageOf("board", "board a", "board b", "a", "s", "") {
		got = append(got, u.Charged["PLAYER"])
	}
	if diff := cmp.Diff([]int64{2, 1, 1, 0, 0, 0}, got); diff != "" {
		t.Error(diff)
	}
}

// While the store fails a bounded amount of usage waits in memory; stopping flushes the rest.
func TestUsageBuffer(t *testing.T) {
	d := newFixture(t)
	for i := range 2 * maxBuffered {
		d.Usage.Count(viewer.Viewer{Kind: viewer.Token, Token: fmt.Sprint(i)}, "PLAYER", 1)
	}
	if n := len(d.Usage.byID); n != maxBuffered || len(d.Usage.full) != 1 {
		t.Errorf("got %d waiting and %d signals, want %d and 1", n, len(d.Usage.full), maxBuffered)
	}
	d.Usage.take()
	<-d.Usage.full
	d.Usage.Count(someToken, "PLAYER", 1)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if d.Usage.Flush(cancelled) == nil {
		t.Error("flush with a cancelled context succeeded")
	}
	d.Usage.Count(someToken, "PLAYER", 1)
	d.Usage.StartFlusher()()
	if n := d.usageOf("t")[0].Charged["PLAYER"]; n != 2 {
		t.Errorf("got %d, want 2", n)
	}
}
