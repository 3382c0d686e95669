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

	busy   bool // too much runs at once: the store does not fail
	sealed *sealed
}

// sealed is what depends on nothing but the body and its policy.
type sealed struct {
	control          string // Cache-Control
	expires          stamp
	identity, zipped form
}

// form is one form of a body as it is sent.
type form struct {
	body        []byte // nil for a gzip form that is not worth it
	length, tag string
}

func formOf(body []byte, tag string) form { return form{body, strconv.Itoa(len(body)), tag} }

// Seal returns the answer with its ETag and gzip form computed, so that a cached answer
// is written as stored bytes. Write does not need it.
func (a Answer) Seal() Answer {
	tag := entityTag(a.Body)
	a.sealed = &sealed{control: cacheControl(a.MaxAge, a.Scope), identity: formOf(a.Body, tag)}
	if len(a.Body) >= minGzip {
		a.sealed.zipped = formOf(compress(a.Body), gzipTag(tag))
	}
	return a
}

// Size is the number of bytes the answer holds, gzip form included.
func (a Answer) Size() int {
	size := len(a.Body)
	for _, tag := range a.Tags {
		size += len(tag) + 16
	}
	if a.sealed == nil {
		return size
	}
	return size + len(a.sealed.zipped.body) + 2*len(a.sealed.identity.tag)
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
	left := a.MaxAge - age
	if a.sealed != nil {
		d.setFresh(h, a.sealed.control, left, &a.sealed.expires)
	} else {
		d.setFreshness(h, a.MaxAge, a.Scope, age)
	}
	own := make([]string, 0, 8) // headers of this answer, as setAll takes them
	stale := left < 0           // one made of an older copy while the store fails is stale too
	if a.MaxAge > 0 && (a.Hit || stale || age >= time.Second) {
		own = append(own, "Age", strconv.Itoa(int(age/time.Second)))
	}
	if a.MaxAge > 0 && (a.Hit || stale) {
		own = append(own, "Cache-Status", "gamedata; hit; ttl="+strconv.Itoa(int(left/time.Second)))
	}
	if p := replyOf(w); p != nil {
		p.note(a, stale)
	}
	maps.Copy(h, a.Header)
	gzipped := wantsGzip(r, len(a.Body))
	if a.Status == http.StatusOK && a.MaxAge > 0 {
		tag := a.tag(gzipped)
		own = append(own, "ETag", tag)
		if notModified(r, tag) {
			setAll(h, own...)
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	f := a.form(gzipped)
	if gzipped {
		h["Content-Encoding"] = gzipEncoding
	}
	setAll(h, append(own, "Content-Length", f.length)...)
	send(w, r, a.Status, f.body)
}

// gzipEncoding is the value of Content-Encoding, shared by all answers.
var gzipEncoding = []string{"gzip"}

// age is how old the answer is, in whole seconds so that the headers agree.
func (d *Door) age(a Answer) time.Duration {
	if a.Made.IsZero() {
		return 0
	}
	return max(0, d.o.Now().Sub(a.Made)).Truncate(time.Second)
}

// tag is the ETag of one form of the answer. It compresses nothing.
func (a Answer) tag(gzipped bool) string {
	tag := ""
	switch {
	case a.sealed == nil:
		tag = entityTag(a.Body)
	case gzipped && a.sealed.zipped.body != nil:
		return a.sealed.zipped.tag
	default:
		tag = a.sealed.identity.tag
	}
	if gzipped {
		return gzipTag(tag)
	}
	return tag
}

// form is one form of the body. Its tag is for those that are sealed.
func (a Answer) form(gzipped bool) form {
	switch {
	case gzipped && a.sealed != nil && a.sealed.zipped.body != nil:
		return a.sealed.zipped
	case gzipped:
		return formOf(compress(a.Body), "")
	case a.sealed != nil:
		return a.sealed.identity
	}
	return formOf(a.Body, "")
}
