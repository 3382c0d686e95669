package load

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// defaultSettle is how long streams that miss events may take to receive them after the load.
	defaultSettle = 5 * time.Second
	// settleInterval is how often they are looked at meanwhile.
	settleInterval = 20 * time.Millisecond
	// defaultRetry is the wait before a stream is opened again, until the service says another one.
	defaultRetry = 2 * time.Second
	eventStream  = "text/event-stream"
)

// StreamReport is the result of the streams of one kind.
type StreamReport struct {
	Name string `json:"name"`
	// Connections were wanted; Opened were opened, more when some ended.
	Connections int `json:"connections"`
	Opened      int `json:"opened"`
	// Events that were received, on all connections together, each counted once per connection; Repeated were received
	// again.
	Events   int `json:"events"`
	Repeated int `json:"repeated"`
	// Gaps counts events that another connection received and this one, open or opened again meanwhile, did not.
	Gaps   int            `json:"gaps"`
	Errors map[string]int `json:"errors"` // of opening, by kind
}

// streams are the connections of one kind.
type streams struct {
	of     *Stream
	target string
	send   http.RoundTripper

	mu          sync.Mutex
	out         StreamReport
	ids         []string       // of events that any of them received
	index       map[string]int // in ids
	subscribers []*subscriber
}

// subscriber is a client that follows a stream and opens it again when it ends.
type subscriber struct {
	address string
	first   string // event; what is after it was to be received
	latest  string // id
	seen    []bool // by index of the event
}

func newStreams(of *Stream, target string, send http.RoundTripper, callers int) *streams {
	s := &streams{
		of: of, target: target, send: send, index: map[string]int{},
		out: StreamReport{Name: of.Name, Connections: of.Connections, Errors: map[string]int{}},
	}
	for i := range of.Connections {
		one := &subscriber{}
		if callers > 1 {
			one.address = addressOf(maxClasses*MaxCallers + i%callers)
		}
		s.subscribers = append(s.subscribers, one)
	}
	return s
}

// run follows all streams until ctx ends.
func (s *streams) run(ctx context.Context) {
	var done sync.WaitGroup
	for _, one := range s.subscribers {
		done.Go(func() {
			for ctx.Err() == nil {
				retry, err := s.follow(ctx, one)
				if ctx.Err() != nil {
					return
				}
				if err != nil {
					s.mu.Lock()
					s.out.Errors[lastPart(err.Error())]++
					s.mu.Unlock()
				}
				select {
				case <-time.After(retry):
				case <-ctx.Done():
				}
			}
		})
	}
	done.Wait()
}

// follow follows a stream until it ends, and returns the wait before it is opened again. An error means that it was not
// opened.
func (s *streams) follow(ctx context.Context, one *subscriber) (time.Duration, error) {
	retry := defaultRetry
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.target+s.of.Path, nil)
	if err != nil {
		return retry, err
	}
	r.Header.Set("Accept", eventStream)
	r.Header.Set("User-Agent", agent)
	if one.address != "" {
		r.Header.Set("X-Forwarded-For", one.address)
	}
	if one.latest != "" {
		r.Header.Set("Last-Event-ID", one.latest)
	}
	res, err := s.send.RoundTrip(r)
	if err != nil {
		return retry, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return max(retry, wait(res.StatusCode, res.Header)), fmt.Errorf("status %d", res.StatusCode)
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind != eventStream {
		return retry, errors.New("no stream of events")
	}
	s.mu.Lock()
	s.out.Opened++
	s.mu.Unlock()
	var id, kind string
	data := false
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			id = value
		case "event":
			kind = value
		case "data":
			data = true
		case "retry":
			if n, err := strconv.Atoi(value); err == nil && n > 0 {
				retry = time.Duration(n) * time.Millisecond
			}
		case "": // the end of an event
			if id != "" && kind != "end" {
				s.receive(one, id, data)
			}
			id, kind, data = "", "", false
		}
	}
	return retry, nil
}

// receive records an event, or the id with which a stream begins, which has no data.
func (s *streams) receive(one *subscriber, id string, event bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one.latest = id; !event {
		return
	}
	if one.first == "" {
		one.first = id
	}
	i, known := s.index[id]
	if !known {
		i = len(s.ids)
		s.index[id], s.ids = i, append(s.ids, id)
	}
	for len(one.seen) <= i {
		one.seen = append(one.seen, false)
	}
	if one.seen[i] {
		s.out.Repeated++
		return
	}
	one.seen[i] = true
	s.out.Events++
}

// missing counts what connections did not receive of the first n events. What happened before the first event of a
// connection is not missing: one that is opened again receives the seconds before again, and so events that others did
// not want. A connection without events misses what all others wanted.
func (s *streams) missing(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := ""
	for _, one := range s.subscribers {
		last = max(last, one.first)
	}
	count := 0
	for _, one := range s.subscribers {
		first := cmp.Or(one.first, last)
		for i, id := range s.ids[:n] {
			if id > first && (i >= len(one.seen) || !one.seen[i]) {
				count++
			}
		}
	}
	return count
}

// await waits until every connection has what any of them received before, or ctx ends.
func (s *streams) await(ctx context.Context) {
	s.mu.Lock()
	n := len(s.ids)
	s.mu.Unlock()
	again := time.NewTicker(settleInterval)
	defer again.Stop()
	for s.out.Gaps = s.missing(n); s.out.Gaps > 0; s.out.Gaps = s.missing(n) {
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
	}
}
