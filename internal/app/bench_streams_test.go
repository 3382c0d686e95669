package app_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/internal/benchtest"
)

// BenchmarkStreams opens BENCH_STREAMS streams of events, 500 by default, and captures territories through POST /feed:
// it measures how long after the response every stream has the event, and what the streams cost.
func BenchmarkStreams(b *testing.B) {
	streams := benchtest.Size(500, 3)
	if text := os.Getenv("BENCH_STREAMS"); text != "" {
		var err error
		if streams, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	p := startProgram(b, "--demo-still", "--leaderboard-refresh", "0", "--guest-rate", "1000000",
		"--streams", strconv.Itoa(streams), "--streams-per-caller", strconv.Itoa(streams))
	token := createFeedToken(b, p.dir)
	idle := anonymousMB(b, p.pid)
	w := &watchers{received: make([]time.Time, streams)}
	for i := range streams {
		w.open(b, p.base, i)
	}
	defer w.close()
	perStream := (anonymousMB(b, p.pid) - idle) * 1e3 / float64(streams)
	before := cpuSeconds(b, p.pid)
	time.Sleep(observeTime())
	busy := (cpuSeconds(b, p.pid) - before) / observeTime().Seconds()

	var delays []float64
	for b.Loop() {
		for n := range benchtest.Size(10, 1) {
			delays = append(delays, w.capture(b, p.base, token, n)...)
		}
	}
	slices.Sort(delays)
	p50, p99 := delays[len(delays)/2], delays[len(delays)*99/100]
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(1000*p50, "p50-ms")
	b.ReportMetric(1000*p99, "p99-ms")
	b.ReportMetric(perStream, "kB/stream")
	b.ReportMetric(100*busy, "idle-cpu-%")
	row := fmt.Sprintf("an event to %d streams, ", streams)
	addFigure(row+"p50 in s", p50, target{none: true})
	addFigure(row+"p99 in s", p99, atMost(1))
	addFigure("memory of a stream, kB", perStream, atMost(40))
}

// watchers are clients with open streams.
type watchers struct {
	conns []net.Conn

	mu       sync.Mutex
	received []time.Time    // when each has the event that is waited for
	waiting  sync.WaitGroup // for it
}

// open opens a stream and waits for its beginning. From then on it notes when events arrive.
func (w *watchers) open(b *testing.B, base string, i int) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		b.Fatal(err)
	}
	w.conns = append(w.conns, conn)
	if _, err := fmt.Fprintf(conn, "GET /events?types=territoryCaptured HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewReaderSize(conn, 1024)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			b.Fatalf("stream %d: %v", i, err)
		}
		if strings.HasPrefix(line, "id: ") {
			break
		}
	}
	go func() {
		for {
			line, _, err := lines.ReadLine()
			if err != nil {
				return
			}
			if bytes.HasPrefix(line, []byte("event: ")) {
				w.mu.Lock()
				w.received[i] = time.Now()
				w.mu.Unlock()
				w.waiting.Done()
			}
		}
	}()
}

func (w *watchers) close() {
	for _, conn := range w.conns {
		_ = conn.Close()
	}
}

// capture sends the nth capture and returns how many seconds after the response each stream has it.
func (w *watchers) capture(b *testing.B, base, token string, n int) []float64 {
	body, err := json.Marshal(map[string]any{
		"id": fmt.Sprint(b.N, n, time.Now().UnixNano()), "event": "TerritoryCaptured",
		"data": map[string]string{"territory": territoryNames(b, base)[n], "guild": lanternRow},
	})
	if err != nil {
		b.Fatal(err)
	}
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, base+"/feed", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/x-ndjson")
	w.waiting.Add(len(w.conns))
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	written := time.Now()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.Body.Close() != nil || !bytes.Contains(text, []byte(`"applied":1`)) {
		b.Fatalf("got %d %s, %v", res.StatusCode, text, err)
	}
	w.waiting.Wait()
	delays := make([]float64, len(w.received))
	for i, at := range w.received {
		delays[i] = max(0, at.Sub(written).Seconds())
	}
	return delays
}

// lanternRow is a guild of the demo world.
const lanternRow = "71c3e5a9-d4b2-4f60-8e1c-3a5b7d9f1e2c"

// territoryNames are some territories that other guilds hold.
func territoryNames(b *testing.B, base string) []string {
	res, err := http.Get(base + "/v3/guild/list/territory")
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	var list map[string]struct{ Guild struct{ UUID *string } }
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
		b.Fatal(err)
	}
	var names []string
	for name, t := range list {
		if t.Guild.UUID == nil || *t.Guild.UUID != lanternRow {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// cpuSeconds returns the processor time that a process has used.
func cpuSeconds(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("cannot read the time of a process here:", err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest) // from the third on: the state, …
	ticks := 0.0
	for _, f := range fields[11:13] {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return ticks / 100
}
