package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// cachedRequests are the requests whose cached responses are measured.
var cachedRequests = []struct {
	name, method, path, query, accept string
	goal                              target
}{
	{"player", "GET", "/v3/player/Salted", "", "identity", atMost(1.5)},
	{"territories", "GET", "/v3/guild/list/territory", "", "identity", atMost(1.5)},
	{"territories-gzip", "GET", "/v3/guild/list/territory", "", "gzip", target{none: true}},
	{"items", "GET", "/v3/item/database?fullResult", "", "identity", atMost(1.5)},
	{"items-gzip", "GET", "/v3/item/database?fullResult", "", "gzip", target{none: true}},
	{
		"graphql-player", "POST", "/graphql",
		`query Page($name: String!) { player(by: {reference: $name}) { username uuid rank{key} online firstJoinedAt lastJoinedAt playtime
		guildMembership { guildName guildPrefix rank } totals { wars totalLevel mobsKilled chestsFound completedQuests }
		characters { nodes { uuid classKey level totalLevel } } } }`,
		"identity", atMost(1.8),
	},
}

// rawRequest returns the bytes of a request and its body; a GraphQL query gets the variable name.
func rawRequest(t testing.TB, method, path, query, accept, name string) (text, body string) {
	if query != "" {
		b, err := json.Marshal(map[string]any{"query": query, "variables": map[string]string{"name": name}})
		if err != nil {
			t.Fatal(err)
		}
		body = string(b)
	}
	text = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: " + accept + "\r\n"
	if body != "" {
		text += "Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n"
	}
	return text + "\r\n" + body, body
}

// peer is one connection of the measuring client, which does as little work as possible.
type peer struct {
	conn   net.Conn
	reader *bufio.Reader
	text   []byte
}

func dial(t testing.TB, url, text string) *peer {
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &peer{conn, bufio.NewReaderSize(conn, 64<<10), []byte(text)}
}

func (p *peer) roundTrip() error {
	if _, err := p.conn.Write(p.text); err != nil {
		return err
	}
	status, err := p.reader.ReadSlice('\n')
	if err != nil || !bytes.Contains(status, []byte(" 200 ")) {
		return fmt.Errorf("%q, %w", status, err)
	}
	length := 0
	for {
		line, err := p.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			_, err := p.reader.Discard(length)
			return err
		}
		if v, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(v))); err != nil {
				return err
			}
		}
	}
}

// elapsed returns the duration of n requests over parallel connections.
func elapsed(t testing.TB, peers []*peer, n int) time.Duration {
	start := time.Now()
	var all sync.WaitGroup
	for _, p := range peers {
		all.Go(func() {
			for range n / len(peers) {
				if err := p.roundTrip(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(start)
}

// requestsPerTurn returns the number of requests in one turn, by the length of the body. A turn takes about half a
// second of processor time, which the kernel reports in units of 10 ms.
func requestsPerTurn(length int) int { return 8000 / (1 + length/100_000) }

const connections = 32

// BenchmarkCached requests cached responses of the program with its default settings, which include the access log, in
// turns with a lean program: a handler of net/http that writes the same body and seven headers. Client, service and
// lean program are processes of their own, and what counts is the processor time of the latter two: requests/s depend
// on the client too. The ratio is the median of all turns.
func BenchmarkCached(b *testing.B) {
	program := startProgram(b, "--demo-speed", "0", "--guest-rate", "1000000", "--log-level", "info")
	lean, leanPID := startLean(b)
	for _, row := range cachedRequests {
		b.Run(row.name, func(b *testing.B) {
			text, body := rawRequest(b, row.method, row.path, row.query, row.accept, "Salted")
			headers := []string{"Accept-Encoding", row.accept, "Content-Type", "application/json"}
			apptest.Request(b, row.method, program.base+row.path, body, headers...)
			cached := apptest.Request(b, row.method, program.base+row.path, body, headers...)
			if cached.Status != http.StatusOK || !cached.Hit() {
				b.Fatalf("%d %v %.300s", cached.Status, cached.Header, cached.Body)
			}
			apptest.Request(b, http.MethodPut, lean, string(cached.Body))
			var ours, theirs []*peer
			for range connections {
				ours, theirs = append(ours, dial(b, program.base, text)), append(theirs, dial(b, lean, text))
			}
			n := requestsPerTurn(len(cached.Body))
			turn := func(peers []*peer, pid int) time.Duration {
				before := processorTime(b, pid)
				elapsed(b, peers, n)
				return processorTime(b, pid) - before
			}
			var t turns
			t.measure(b, 1, 5, func() { t.take(turn(ours, program.pid), turn(theirs, leanPID)) })
			our, their, ratio := median(t.our)/float64(n)*1e6, median(t.their)/float64(n)*1e6, median(t.ratios)
			addComparison(b, comparison{
				row.name + ", cached, processor time", fmt.Sprintf("%.0f µs", our), fmt.Sprintf("%.0f µs", their), ratio, row.goal,
			})
		})
	}
}

// processorTime returns the time that a process has run, in the kernel too.
func processorTime(b *testing.B, pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("cannot read the processor time of a process here:", err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // the unit of the file
}

// leanVariable makes a process of the test binary the lean program, see startLean.
const leanVariable = "GAMEDATA_BENCH_LEAN"

// startLean starts a program that responds with the body of the last PUT.
func startLean(b *testing.B) (address string, pid int) {
	program := exec.CommandContext(b.Context(), os.Args[0])
	program.Env = append(os.Environ(), leanVariable+"=1")
	out, err := program.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := program.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _, _ = program.Process.Kill(), program.Wait() })
	address, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(address), program.Process.Pid
}

func runLean() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String())
	return http.Serve(l, newLeanHandler()) //nolint:gosec // the service has timeouts, so this one is a little faster
}

func newLeanHandler() http.Handler {
	var body []byte
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			body, _ = io.ReadAll(r.Body)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Cache-Control", "max-age=120, public")
		h.Set("ETag", `"0123456789abcdef"`)
		h.Set("Vary", "Accept-Encoding")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	})
}
