package httpapi

import (
	"maps"
	"net/http"
	"strconv"
	"time"

	"gamedata/graph"
)

// Answer is a finished answer: bytes and how long they are good for.
type Answer struct {
	Status int         // 200 when 0
	Body   []byte      // JSON, never changed after it is here
	Header http.Header // of this answer alone, on a 304 too; no part of the ETag

	// MaxAge is the endpoint's cache time; 0 means that nobody may keep the answer.
	MaxAge time.Duration
	Scope  graph.Scope
	// Made is when the oldest thing in the answer was fetched; the zero time means now.
	Made time.Time
	// Source names the door whose operation fetched that; empty for the one that answers.
	Source string
	// Tags name what is in the answer, as it is purged from the cache.
	Tags []string
	// Store is the time the store took for it.
	Store time.Duration
	// Failing says that the store failed while the answer was made: an older one is better.
	Failing bool
	// Hit says that the bytes come from the answer cache. One older than MaxAge is
	// stale: it is served only while the store fails, and Cache-Status shows it.
	Hit bool

	// Open says that the body ends within extensions.cache and wants a tail (see tail).
	Open bool

	busy   bool // too much runs at once: the store does not fail
	asked  bool // the cache was asked
	joined bool // it was made for another request, at the same time
	sealed *sealed
}

// body is what is stored of the body: all but its end when it is open.
func (a *Answer) body() []byte {
	if a.Open {
		return a.Body[:len(a.Body)-len(openEnd)]
	}
	return a.Body
}

// Write sends an answer with the headers of WIRE §1.1, compressed as the request accepts it,
// and 304 without a body when the caller holds these bytes already. A request whose credential
// is refused gets 401 instead, even if its handler forgot to ask Admit.
func (d *Door) Write(w http.ResponseWriter, r *http.Request, a Answer) {
	if bad := badCredential(w); bad != nil {
		d.Error(w, r, bad)
		return
	}
	d.write(w, r, &a)
}

func (d *Door) write(w http.ResponseWriter, r *http.Request, a *Answer) {
	if a.Status == 0 {
		a.Status = http.StatusOK
	}
	h := w.Header()
	p := replyOf(w)
	var now time.Time
	if p != nil && a.Hit { // hardly any time has gone by
		now = p.start
	} else {
		now = d.o.Now()
	}
	age := a.age(now)
	left := a.MaxAge - age
	if a.sealed != nil {
		d.setFresh(w, now, a.sealed.control, left, &a.sealed.expires)
	} else {
		d.setFreshness(w, now, a.MaxAge, a.Scope, age)
	}
	own := make([]string, 0, 8) // headers of this answer, as setAll takes them
	stale := left < 0           // one made of an older copy while the store fails is stale too
	if a.MaxAge > 0 && (a.Hit || stale || age >= time.Second) {
		own = append(own, "Age", strconv.Itoa(int(age/time.Second)))
	}
	if p != nil {
		p.note(a, stale)
	}
	maps.Copy(h, a.Header)
	c := codingFor(r, len(a.Body))
	post := r.Method == http.MethodPost
	if a.Status == http.StatusOK && a.MaxAge > 0 {
		tag, sent := a.tag(c, a.Open && post)
		if own = append(own, "ETag", sent); a.asked || a.Hit || stale {
			own = append(own, "Cache-Status", a.cacheStatus(left))
		}
		if notModified(r, tag, a.Open) {
			setAll(w, own...)
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	f := a.in(c)
	if c != identity {
		h["Content-Encoding"] = contentEncoding[c]
	}
	if !a.Open {
		setAll(w, append(own, "Content-Length", f.length)...)
		send(w, r, a.Status, f.body, nil)
		return
	}
	room := make([]byte, tailRoom+endingRoom)
	end := c.ending(room[tailRoom:tailRoom], a.body(), a.tail(room[:0:tailRoom], post, age, left), f.sum)
	setAll(w, append(own, "Content-Length", strconv.Itoa(len(f.body)+len(end)))...)
	send(w, r, a.Status, f.body, end)
}

// tailRoom is enough for a tail, endingRoom for what it becomes.
const (
	tailRoom   = 120
	endingRoom = tailRoom + 16
)

// tag is the strong ETag of one form of the answer, and what is sent of it: it is weak when the
// end of the body changes.
func (a *Answer) tag(c coding, changes bool) (tag, sent string) {
	switch {
	case a.sealed == nil:
		tag = c.tag(bodySum(a.Body))
	case changes:
		return a.sealed.tags[c], a.sealed.weak[c]
	default:
		tag = a.sealed.tags[c]
	}
	if changes {
		return tag, "W/" + tag
	}
	return tag, tag
}
