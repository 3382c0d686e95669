package load

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// agent is the User-Agent of the program.
const agent = "gamedata-load"

// withheld is the status text of a request that was not sent because every caller waited for quota.
const withheld = "withheld"

// traffic makes the requests of a class and sends them as its clients would.
type traffic struct {
	class   *Class
	target  string
	names   *names
	callers *callers
	timeout time.Duration
	ctx     context.Context // ends requests in flight
	send    http.RoundTripper

	mu     sync.Mutex
	random *rand.Rand
	etags  map[string]string // by URL
}

var _ http.RoundTripper = (*traffic)(nil)

// next fills in the next request.
func (t *traffic) next(to *vegeta.Target) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	to.Header = http.Header{"User-Agent": {agent}, "Accept-Encoding": {"gzip"}}
	n, named := t.random.IntN(len(t.class.Paths)+len(t.class.Queries)), t.names.choose(t.random)
	if n < len(t.class.Paths) {
		to.Method = http.MethodGet
		to.URL = t.target + named.expand(t.class.Paths[n], url.PathEscape)
		if etag := t.etags[to.URL]; etag != "" {
			to.Header.Set("If-None-Match", etag)
		}
		return nil
	}
	q := t.class.Queries[n-len(t.class.Paths)]
	variables := replaceStrings(q.Variables, func(text string) string {
		return named.expand(text, func(s string) string { return s })
	})
	body, err := json.Marshal(map[string]any{"query": q.Query, "variables": variables})
	to.Method, to.URL, to.Body = http.MethodPost, t.target+"/graphql", body
	to.Header.Set("Content-Type", "application/json")
	return err
}

// RoundTrip sends a request for one of the callers, who learn from the response.
func (t *traffic) RoundTrip(r *http.Request) (*http.Response, error) {
	c := t.callers.take()
	if c == nil {
		return &http.Response{Status: withheld, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	if !t.class.HonourLimits {
		t.callers.put(c, 0) // sends again, whether there is a response or not
	}
	ctx, cancel := context.WithTimeout(t.ctx, t.timeout)
	r = r.WithContext(ctx)
	if c.address != "" {
		r.Header.Set("X-Forwarded-For", c.address)
	}
	res, err := t.send.RoundTrip(r)
	if t.class.HonourLimits {
		pause := time.Second // after a failure
		if err == nil {
			pause = wait(res.StatusCode, res.Header)
		}
		t.callers.put(c, pause)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	if etag := res.Header.Get("ETag"); t.class.ETags && etag != "" && r.Method == http.MethodGet {
		t.mu.Lock()
		t.etags[r.URL.String()] = etag
		t.mu.Unlock()
	}
	res.Body = &cancellingBody{res.Body, cancel}
	return res, nil
}

// cancellingBody ends the time limit of a request when its body is closed.
type cancellingBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Close closes the body.
func (b *cancellingBody) Close() error {
	b.cancel()
	return b.ReadCloser.Close()
}
