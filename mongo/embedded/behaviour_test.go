package embedded

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// fill inserts n documents {_id: i, n: i, g: i%10}.
func fill(t *testing.T, c *driver.Collection, n int) {
	t.Helper()
	var docs []any
	for i := range n {
		docs = append(docs, d("_id", i, "n", i, "g", i%10))
	}
	must(c.InsertMany(t.Context(), docs))(t)
}

// TestBrokenJobLeavesOthers makes one command of a group break: the others must take effect, once each.
func TestBrokenJobLeavesOthers(t *testing.T) {
	s := openServer(t, Options{NoSync: true})
	put := func(key string) func(*writer) error {
		return func(w *writer) error {
			b, err := w.tx.CreateBucketIfNotExists([]byte("x"))
			if err != nil {
				return err
			}
			_, err = b.NextSequence()
			return errors.Join(err, b.Put([]byte(key), []byte("v")))
		}
	}
	broken := errors.New("broken")
	started, release := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		first := true
		if err := s.update(0, func(w *writer) error {
			if first { // hold the writer until the others wait
				first = false
				close(started)
				<-release
			}
			return put("a")(w)
		}); err != nil {
			t.Error(err)
		}
	})
	<-started
	group.Go(func() {
		if err := s.update(0, func(w *writer) error { return errors.Join(put("b")(w), broken) }); !errors.Is(err, broken) {
			t.Error(err)
		}
	})
	group.Go(func() {
		if err := s.update(0, put("c")); err != nil {
			t.Error(err)
		}
	})
	for len(s.jobs) < 2 {
		runtime.Gosched()
	}
	close(release)
	group.Wait()
	check(t, s.view(func(snap snapshot) error {
		b := snap.tx.Bucket([]byte("x"))
		if b.Get([]byte("a")) == nil || b.Get([]byte("b")) != nil || b.Get([]byte("c")) == nil || b.Sequence() != 2 {
			t.Errorf("a=%q b=%q c=%q after %d", b.Get([]byte("a")), b.Get([]byte("b")), b.Get([]byte("c")), b.Sequence())
		}
		return nil
	}))
}

// TestExpiry moves the clock and sweeps.
func TestExpiry(t *testing.T) {
	var now atomic.Int64
	start := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	now.Store(start.UnixMilli())
	s := openServer(t, Options{NoSync: true, now: func() time.Time { return time.UnixMilli(now.Load()) }})
	c := connect(t, s).Collection("codes")
	must(c.Indexes().CreateOne(t.Context(), driver.IndexModel{
		Keys:    d("at", -1),
		Options: options.Index().SetExpireAfterSeconds(300),
	}))(t)
	must(c.InsertMany(t.Context(), []any{
		d("_id", "old", "at", start),
		d("_id", "new", "at", start.Add(time.Second)),
		d("_id", "list", "at", bson.A{start.Add(time.Hour), start}),
		d("_id", "text", "at", "yesterday"),
		d("_id", "number", "at", 0),
		d("_id", "never"),
	}))(t)
	count := func() int64 {
		s.sweepExpired()
		n := must(c.CountDocuments(t.Context(), d()))(t)
		return n
	}
	for _, step := range []struct {
		after time.Duration
		want  int64
	}{{0, 6}, {299_999 * time.Millisecond, 6}, {300 * time.Second, 4}, {301 * time.Second, 3}, {1000 * time.Hour, 3}} {
		now.Store(start.Add(step.after).UnixMilli())
		if got := count(); got != step.want {
			t.Errorf("after %v: %d documents, want %d", step.after, got, step.want)
		}
	}
}

// TestMaxTime rejects to go on when the client's time is over.
func TestMaxTime(t *testing.T) {
	s := openServer(t, Options{NoSync: true})
	db := connect(t, s)
	fill(t, db.Collection("c"), 1000)
	err := s.view(func(snap snapshot) error {
		source, err := s.open(snap, query{namespace: "test.c"}, time.Now().Add(-time.Second))
		if err != nil {
			return err
		}
		for {
			if d, err := source.next(); d == nil || err != nil {
				return err
			}
		}
	})
	if f := asFailure(err); f.code != codeMaxTimeExpired {
		t.Errorf("got %v", err)
	}
	if err := db.RunCommand(t.Context(), d("count", "c", "maxTimeMS", -1)).Err(); !isCode(err, codeBadValue) {
		t.Errorf("got %v", err)
	}
}

// A write that the disk refuses is distinguished from an internal error, also when only its text is left of it.
func TestRefusedWrite(t *testing.T) {
	for _, err := range []error{
		syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EFBIG, syscall.EIO,
		fmt.Errorf("file resize error: %s", syscall.EDQUOT.Error()),
	} {
		f := asFailure(fmt.Errorf("write: %w", err))
		if f.code != codeOutOfDiskSpace || !strings.Contains(f.message, err.Error()) {
			t.Errorf("%v: got %d %s", err, f.code, f.message)
		}
	}
	if f := asFailure(syscall.EACCES); f.code != codeInternal {
		t.Errorf("another error: got %d", f.code)
	}
}
