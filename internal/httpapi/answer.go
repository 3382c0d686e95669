package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/cache"
)

// How much longer than its max age an answer may be served while the store fails (DESIGN §7).
const (
	staleShared = 24 * time.Hour
	staleUser   = 10 * time.Minute
)

// notFoundAge is how long a 404 is kept at most. It is the only error that is.
const notFoundAge = 10 * time.Second

// Question is all that an answer depends on, besides who asks.
type Question struct {
	// Key names the operation and its variables: no two questions share one.
	Key string
	// MaxAge and Scope are the policy of the operation. A max age of 0 has every caller
	// answered anew.
	MaxAge time.Duration
	Scope  graph.Scope
	// ByAddress says that the answer depends on the caller's address.
	ByAddress bool
	// Source is the door that asks.
	Source string
	// Cost is what the operation is charged with; who asks for much is turned away first.
	Cost int
	// Refuse gives an error the form of the door; the documented body when nil.
	Refuse func(*graph.Error) Answer

	common string // the cache's key of it as most ask, when it is known
}

// Keyed is the question with the key of the cache made once, for one that is asked many times.
func (q Question) Keyed() Question {
	if !q.ByAddress {
		q.common = q.key(audience(viewer.Viewer{Kind: viewer.Guest}, q))
	}
	return q
}

// Serve answers a question that is paid for: from the cache, or by a run of the operation
// that all who ask meanwhile share. The context of the run says who asks, as far as the
// answer may depend on that, and ends after the timeout; it outlives a caller who leaves.
//
// An answer of the status 503, or marked as Failing, gives way to an older one.
func (d *Door) Serve(w http.ResponseWriter, r *http.Request, q Question, run func(context.Context) Answer) {
	v, class := audience(Asker(w), q)
	if d.o.Answers == nil || q.MaxAge <= 0 {
		ctx, cancel := context.WithTimeout(viewer.With(r.Context(), v), d.o.Timeout)
		defer cancel()
		d.Write(w, r, d.made(ctx, d.within(q, run)))
		return
	}
	key := q.key(v, class)
	if kept := d.o.Answers.Get(key); kept != nil {
		d.writeKept(w, r, key, hit(kept))
		return
	}
	own := false
	kept, old, err := d.o.Answers.Make(viewer.With(r.Context(), v), key, func(ctx context.Context) cache.Kept[Answer] {
		own = true
		a := d.made(ctx, d.within(q, run))
		if a.Source == "" {
			a.Source = q.Source
		}
		kept := q.keep(a)
		kept.Failing = kept.Failing && !a.busy
		return kept
	})
	var fault *cache.PanicError
	switch {
	case errors.As(err, &fault):
		d.o.Log.Error("panic", "error", fault.Value, "path", r.URL.Path, "stack", string(fault.Stack))
		d.refuseQuestion(w, r, q, graph.ErrInternal)
	case err != nil: // the caller left, or the service ends
		d.refuseQuestion(w, r, q, graph.ErrUnavailable)
	case old:
		d.writeKept(w, r, key, hit(kept))
	default:
		a := kept.Value
		a.asked, a.joined = true, !own
		d.writeKept(w, r, key, a)
	}
}

// writeKept writes an answer and tells the cache when it takes more room than before.
func (d *Door) writeKept(w http.ResponseWriter, r *http.Request, key string, a Answer) {
	d.Write(w, r, a)
	if a.grown() {
		d.o.Answers.Resize(key, a.Size())
	}
}

// audience is who an answer is made for, and the name of all who see the same: a SHARED
// answer is made for a guest, and nobody's address is known where it may not matter.
func audience(v viewer.Viewer, q Question) (viewer.Viewer, string) {
	guest := viewer.Viewer{Kind: viewer.Guest}
	if q.ByAddress {
		guest.Address, guest.CrossSite = v.Address, v.CrossSite
	}
	if q.Scope == graph.Shared {
		return guest, ""
	}
	v.Address, v.CrossSite = guest.Address, guest.CrossSite
	class := v.Class()
	if q.MaxAge > 0 && class == guest.Class() {
		return guest, class
	}
	return v, class
}

// key is the cache's key of a question as one class of viewers asks it.
func (q Question) key(v viewer.Viewer, class string) string {
	if q.common != "" && (class == "" || class == string(viewer.Guest)) {
		return q.common
	}
	key := make([]byte, 0, 256)
	key = cache.AppendText(key, class)
	if q.ByAddress {
		site := "same site"
		if v.CrossSite {
			site = "cross site"
		}
		key = cache.AppendText(key, v.Address.String())
		key = cache.AppendText(key, site)
	}
	return string(append(key, q.Key...))
}

// made runs an operation and tells how old its answer is: not younger than the run.
func (d *Door) made(ctx context.Context, run func(context.Context) Answer) Answer {
	begun := d.o.Now()
	a := run(ctx)
	if a.Made.IsZero() || begun.Before(a.Made) {
		a.Made = begun
	}
	return a
}

// keep says for how long an answer to the question is good.
func (q Question) keep(a Answer) cache.Kept[Answer] {
	kept := cache.Kept[Answer]{Made: a.Made, Tags: a.Tags, Failing: a.Failing || a.Status == http.StatusServiceUnavailable}
	switch {
	case a.Status == http.StatusNotFound:
		kept.MaxAge = min(q.MaxAge, notFoundAge)
	case a.Status == http.StatusOK || a.Status == 0:
		kept.MaxAge, kept.Stale = a.MaxAge, staleUser
		if q.Scope == graph.Shared {
			kept.Stale = staleShared
		}
	}
	if kept.MaxAge > 0 && !kept.Failing {
		a = a.Seal()
	}
	kept.Value, kept.Size = a, a.Size()
	return kept
}

// hit is an answer from the cache.
func hit(kept *cache.Kept[Answer]) Answer {
	a := kept.Value
	a.Hit, a.asked = true, true
	return a
}
