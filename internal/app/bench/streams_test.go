package bench

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"gamedata/internal/app/apptest"
)

// BenchmarkStreams opens BENCH_STREAMS streams of events, 500 by default, and as many sockets with a subscription. It
// captures ten territories a second through POST /feed, and measures how long after the response each client has the
// event, and what the clients cost.
func BenchmarkStreams(b *testing.B) {
	n := 500
	if text := os.Getenv("BENCH_STREAMS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	p := startProgram(b, "--demo-speed", "0", "--leaderboard-refresh", "0", "--guest-rate", "1000000", "--feed-rate", "1000000",
		"--streams-per-caller", strconv.Itoa(2*n))
	token := apptest.CreateFeedToken(b, p.dir)
	events := 100
	idle := apptest.AnonymousMB(b, p.pid)
	var streams, sockets []*watcher
	for range n {
		streams = append(streams, watchStream(b, p.base, events))
	}
	perStream := (apptest.AnonymousMB(b, p.pid) - idle) * 1e3 / float64(n)
	idle = apptest.AnonymousMB(b, p.pid)
	for range n {
		sockets = append(sockets, watchSocket(b, p.base, events))
	}
	perSocket := (apptest.AnonymousMB(b, p.pid) - idle) * 1e3 / float64(n)

	written := make([]time.Time, events)
	names := territoryNames(b, p.base)
	pace := time.NewTicker(time.Second / 10)
	defer pace.Stop()
	for i := range written {
		<-pace.C
		body := fmt.Sprintf(`{"id":"%d","event":"TerritoryCaptured","data":{"territory":%q,"guild":%q}}`, i,
			names[i%len(names)], []string{lanternRow, tidewatch}[i/len(names)%2])
		res := apptest.Request(b, http.MethodPost, p.base+"/feed", body,
			"Authorization", "Bearer "+token, "Content-Type", "application/x-ndjson")
		written[i] = time.Now()
		if !res.Has(`"applied":1`) {
			b.Fatalf("%d %s", res.Status, res.Body)
		}
	}
	for name, c := range map[string]struct {
		watchers []*watcher
		kb, most float64
	}{"streams": {streams, perStream, 40}, "sockets": {sockets, perSocket, 60}} {
		var delays []float64
		for _, w := range c.watchers {
			select {
			case <-w.done:
			case <-time.After(time.Minute):
				b.Fatalf("one of the %s has %d of %d events", name, len(w.received), events)
			}
			for i, at := range w.received {
				delays = append(delays, max(0, at.Sub(written[i]).Seconds()))
			}
		}
		slices.Sort(delays)
		p99 := delays[len(delays)*99/100]
		addFigure(b, fmt.Sprintf("ten events a second to %d %s, p99 in s", n, name), p99, atMost(1))
		addFigure(b, fmt.Sprintf("memory of one of the %s, kB", name), c.kb, atMost(c.most))
	}
}

// watcher is a client that notes when it receives events, in their order.
type watcher struct {
	received []time.Time
	done     chan struct{} // closed when it has all
}

func watch(events int, next func() error) *watcher {
	w := &watcher{done: make(chan struct{})}
	go func() {
		defer close(w.done)
		for len(w.received) < events && next() == nil {
			w.received = append(w.received, time.Now())
		}
	}()
	return w
}

// watchStream opens a stream and waits for its beginning.
func watchStream(b *testing.B, base string, events int) *watcher {
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	if _, err := fmt.Fprintf(conn, "GET /events?types=territoryCaptured HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewReaderSize(conn, 1024)
	until := func(prefix string) error {
		for {
			line, _, err := lines.ReadLine()
			if err != nil || strings.HasPrefix(string(line), prefix) {
				return err
			}
		}
	}
	if err := until("id: "); err != nil {
		b.Fatal(err)
	}
	return watch(events, func() error { return until("event: ") })
}

// watchSocket opens a socket, subscribes and waits until the subscription has begun.
func watchSocket(b *testing.B, base string, events int) *watcher {
	conn := openSocket(b, base)
	send := func(text string) {
		if err := conn.Write(b.Context(), websocket.MessageText, []byte(text)); err != nil {
			b.Fatal(err)
		}
	}
	until := func(kind string) error {
		for {
			_, text, err := conn.Read(context.Background())
			if err != nil || strings.Contains(string(text), `"type":"`+kind+`"`) {
				return err
			}
		}
	}
	send(`{"type":"connection_init"}`)
	if err := until("connection_ack"); err != nil {
		b.Fatal(err)
	}
	send(`{"type":"subscribe","id":"1","payload":{"query":"subscription{territoryChanges{id at territory{name}}}"}}`)
	send(`{"type":"ping"}`)
	if err := until("pong"); err != nil {
		b.Fatal(err)
	}
	return watch(events, func() error { return until("next") })
}

const (
	lanternRow = "71c3e5a9-d4b2-4f60-8e1c-3a5b7d9f1e2c"
	tidewatch  = "b0000000-0000-4000-8000-000000000003"
)

// territoryNames are some territories that other guilds hold.
func territoryNames(b *testing.B, base string) []string {
	var names []string
	for name, t := range apptest.Decode[map[string]struct{ Guild struct{ UUID *string } }](b,
		apptest.RequestOK(b, base, http.MethodGet, "/v3/guild/list/territory", "")) {
		if t.Guild.UUID == nil || *t.Guild.UUID != lanternRow {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
