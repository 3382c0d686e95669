package door

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
	// Failing says that the store failed while the answer was made: an older one is better.
	Failing bool
	// Hit says that the bytes come from the answer cache. One older than MaxAge is
	// stale: it is served only while the store fails, and Cache-Status shows it.
	Hit bool

	sealed *sealed
}

// sealed is what depends on nothing but the body.
type sealed struct {
	tag  string
	gzip []byte // nil below minGzip
}

// Seal returns the answer with its ETag and gzip form computed, so that a cached answer
// is written as stored bytes. Write does not need it.
func (a Answer) Seal() Answer {
	a.sealed = &sealed{tag: entityTag(a.Body)}
	if len(a.Body) >= minGzip {
		a.sealed.gzip = compress(a.Body)
	}
	return a
}

// Size is the number of bytes the answer holds, gzip form included.
func (a Answer) Size() int {
	if a.sealed == nil {
		return len(a.Body)
	}
	return len(a.Body) + len(a.sealed.gzip) + len(a.sealed.tag)
}

// Write sends an answer with the headers of WIRE §1.1, gzip when the request accepts
// it, and 304 without a body when the caller holds these bytes already. A request whose
// credential is refused gets 401 instead, even if its handler forgot to ask Admit.
func (d *Door) Write(w http.ResponseWriter, r *http.Request, a Answer) {
	if bad := badCredential(w); bad != nil {
		d.Error(w, r, bad)
		return
	}
	d.write(w, r, a)
}

func (d *Door) write(w http.ResponseWriter, r *http.Request, a Answer) {
	if a.Status == 0 {
		a.Status = http.StatusOK
	}
	h := w.Header()
	age := d.age(a)
	d.setFreshness(h, a.MaxAge, a.Scope, age)
	if a.MaxAge > 0 && (a.Hit || age >= time.Second) {
		h.Set("Age", strconv.Itoa(int(age/time.Second)))
	}
	// One made of an older copy while the store fails is as stale as one that was kept.
	if a.MaxAge > 0 && (a.Hit || age > a.MaxAge) {
		h.Set("Cache-Status", "gamedata; hit; ttl="+strconv.Itoa(int((a.MaxAge-age)/time.Second)))
	}
	maps.Copy(h, a.Header)
	gzipped := wantsGzip(r, len(a.Body))
	if a.Status == http.StatusOK && a.MaxAge > 0 {
		tag := a.tag(gzipped)
		h.Set("ETag", tag)
		if notModified(r, tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	send(w, r, a.Status, a.form(h, gzipped))
}

// age is how old the answer is, in whole seconds so that the headers agree.
func (d *Door) age(a Answer) time.Duration {
	if a.Made.IsZero() {
		return 0
	}
	return max(0, d.o.Now().Sub(a.Made)).Truncate(time.Second)
}

// tag is the ETag of one form of the answer.
func (a Answer) tag(gzipped bool) string {
	tag := ""
	if a.sealed != nil {
		tag = a.sealed.tag
	} else {
		tag = entityTag(a.Body)
	}
	if gzipped {
		return gzipTag(tag)
	}
	return tag
}

// form is one form of the body; the headers are told which.
func (a Answer) form(h http.Header, gzipped bool) []byte {
	if !gzipped {
		return a.Body
	}
	h.Set("Content-Encoding", "gzip")
	if a.sealed != nil && a.sealed.gzip != nil {
		return a.sealed.gzip
	}
	return compress(a.Body)
}
