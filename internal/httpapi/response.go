package httpapi

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"gamedata/graph"
)

// The APIs as named in Cache-Status: a response reports which API loaded its records.
const (
	SourceREST    = "rest"
	SourceGraphQL = graph.SourceGraphQL
)

// Response is a finished response: its bytes and how long they are fresh.
type Response struct {
	Status int         // 200 when 0
	Body   []byte      // immutable
	Header http.Header // extra headers, also on a 304; not part of the ETag
	// Suffix appends the end of the body that differs between requests; nil when Body is complete.
	Suffix func(buf []byte, s SuffixInfo) []byte

	// MaxAge is the cache time of the endpoint; 0 forbids caching.
	MaxAge time.Duration
	Scope  graph.Scope
	graph.ReadStats
	// Failing says that the store failed: prefer a stale response.
	Failing bool
	// Hit says that the response comes from the cache. A hit older than MaxAge is stale: it is served only while the
	// store fails, and Cache-Status shows that.
	Hit bool

	overloaded bool // rejected by load shedding, not by a failing store
	lookedUp   bool // the cache was looked up
	collapsed  bool // shared with a concurrent request
	encodings  *encodings
}

// SuffixInfo holds the values that the suffix of a body may depend on.
type SuffixInfo struct {
	Method   string
	MaxAge   time.Duration
	Hit      bool
	Age, TTL time.Duration // TTL below 0 marks a stale response
	Source   string
}

// maxSuffix is the size of the buffer for a suffix.
const maxSuffix = 120

// WriteResponse writes a response in an accepted coding, or 304 without a body if the caller already has these bytes. A
// request with an invalid credential gets the error instead, even if its handler did not call Authorize.
func WriteResponse(w http.ResponseWriter, r *http.Request, resp Response) {
	s := stateFrom(r.Context())
	if s.credentialError != nil {
		s.api.Errors.Write(w, r, s.credentialError)
		return
	}
	resp.write(w, r)
}

func (resp *Response) write(w http.ResponseWriter, r *http.Request) {
	resp.Status = cmp.Or(resp.Status, http.StatusOK)
	h, s := w.Header(), stateFrom(r.Context())
	release, bad := s.api.Backlog.Acquire(s, resp.Body)
	if bad != nil {
		s.api.Errors.Write(w, r, bad)
		return
	}
	defer release()
	now := s.info.Start // a hit takes hardly any time
	if !resp.Hit {
		now = s.api.o.Now()
	}
	age := resp.age(now)
	ttl := resp.MaxAge - age
	if e := resp.encodings; e != nil {
		s.setFreshness(h, now, e.cacheControl, ttl, &e.expires)
	} else {
		s.setFreshness(h, now, cacheControl(resp.MaxAge, resp.Scope), ttl, new(httpDateCache))
	}
	stale := ttl < 0 // even a new response is stale if its records are
	if resp.MaxAge > 0 && (resp.Hit || stale || age >= time.Second) {
		s.values.set(h, "Age", strconv.Itoa(int(age/time.Second)))
	}
	resp.describe(&s.info, stale)
	maps.Copy(h, resp.Header)
	c := identity
	if !resp.isPicture() {
		c = codingFor(r.Header, len(resp.Body))
	}
	if resp.Status == http.StatusOK && resp.MaxAge > 0 {
		tag := resp.etag(c)
		sent := tag
		if resp.Suffix != nil && r.Method == http.MethodPost {
			sent = "W/" + tag // weak: the suffix differs between requests
		}
		s.values.set(h, "ETag", sent)
		if resp.lookedUp || resp.Hit || stale {
			s.values.set(h, "Cache-Status", resp.cacheStatus(ttl))
		}
		if notModified(r, tag, resp.Suffix != nil) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if c != identity {
		h["Content-Encoding"] = contentEncoding[c]
	}
	var suffix []byte
	if resp.Suffix != nil {
		suffix = resp.Suffix(make([]byte, 0, maxSuffix), SuffixInfo{r.Method, resp.MaxAge, resp.Hit, age, ttl, resp.Source})
	}
	body := resp.Body
	if c != identity {
		body, suffix = resp.compressed(c, suffix), nil
	}
	// An explicit length also shows on HEAD and avoids chunked encoding.
	s.values.set(h, "Content-Length", strconv.Itoa(len(body)+len(suffix)))
	w.WriteHeader(resp.Status)
	if r.Method == http.MethodHead {
		return
	}
	WriteBody(w, body, suffix)
}

const (
	// A client must receive each chunkBytes of a response within chunkTimeout, and the whole body within bodyTimeout.
	chunkBytes   = 256 << 10
	chunkTimeout = 10 * time.Second
	bodyTimeout  = time.Minute
)

// WriteBody writes the parts of a body. A client that receives too slowly loses its connection.
func WriteBody(w http.ResponseWriter, parts ...[]byte) {
	end := time.Now().Add(bodyTimeout)
	for _, part := range parts {
		for chunk := range slices.Chunk(part, chunkBytes) {
			if len(part) > chunkBytes {
				deadline := time.Now().Add(chunkTimeout)
				if deadline.After(end) {
					deadline = end
				}
				_ = http.NewResponseController(w).SetWriteDeadline(deadline) // not supported by recorders
			}
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
}

// isPicture reports whether the body is a PNG picture, which is compressed already.
func (resp *Response) isPicture() bool {
	t := resp.Header["Content-Type"]
	return len(t) > 0 && t[0] == "image/png"
}

// age is in whole seconds: then the headers agree.
func (resp *Response) age(now time.Time) time.Duration {
	if resp.Made.IsZero() {
		return 0
	}
	return max(0, now.Sub(resp.Made)).Truncate(time.Second)
}

// describe fills in the fields of the access log.
func (resp *Response) describe(i *RequestInfo, stale bool) {
	if !resp.Hit {
		i.Store = resp.Store
	}
	switch {
	case resp.MaxAge <= 0:
	case stale:
		i.Cache = CacheStale
	case resp.Hit:
		i.Cache = CacheHit
	default:
		i.Cache = CacheMiss
	}
}

// cacheStatus returns the value of Cache-Status (RFC 9211): hit and ttl, below 0 for a stale response, or why the cache
// was not used. detail names the API that loaded the oldest record in it.
func (resp *Response) cacheStatus(ttl time.Duration) string {
	status := "gamedata; fwd=miss"
	switch {
	case resp.Hit || ttl < 0:
		status = "gamedata; hit; ttl=" + strconv.Itoa(int(ttl/time.Second))
	case resp.collapsed:
		status += "; collapsed"
	case resp.encodings != nil:
		status += "; stored"
	}
	if resp.Source != "" {
		status += "; detail=" + resp.Source
	}
	return status
}
