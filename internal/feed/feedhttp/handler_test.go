package feedhttp_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"gamedata/graph"
	"gamedata/internal/feed"
	"gamedata/internal/feed/feedhttp"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// senders has the token "secret" of the sender eu-1 and "other" of eu-2.
type senders struct{}

func (senders) Sender(_ context.Context, authorization string) (string, *graph.Error) {
	name := map[string]string{"Bearer secret": "eu-1", "Bearer other": "eu-2"}[authorization]
	if name == "" {
		return "", graph.ErrInvalidToken
	}
	return name, nil
}

// service is the endpoint on an empty store.
type service struct {
	*httpapitest.Server
	t      *testing.T
	store  *mongo.Store
	server *mongotest.Server
	proxy  *mongotest.Proxy

	mu     sync.Mutex
	counts map[string]int // of events by name and result
}

func (s *service) count(event, result string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[event+" "+result]++
}

const maxBody = 256 << 10

func serve(t *testing.T, change ...func(*feedhttp.Options)) *service {
	t.Helper()
	s := &service{t: t, counts: map[string]int{}}
	s.store, s.server = mongotest.Open(t, mongotest.WithSelectionTimeout(time.Second),
		mongotest.WithProxy(&s.proxy))
	s.Server = httpapitest.Serve(t, nil, func(api *httpapi.API) http.Handler {
		o := feedhttp.Options{
			Senders: senders{}, Feed: feed.New(s.store, feed.Options{}),
			Counters: ratelimit.New(ratelimit.Options{}), Rate: ratelimit.Rate{Limit: 1000, Per: time.Minute},
			MaxBody: maxBody, Count: s.count, Log: slog.New(slog.DiscardHandler),
		}
		for _, c := range change {
			c(&o)
		}
		return feedhttp.New(api, o)
	})
	return s
}

// report is the body of a response.
type report struct {
	Error                         string
	Code                          int
	Applied, Duplicates, Rejected int
	Lines                         []struct {
		Line                             int
		ID, Result, Code, Field, Message string
	}
}

// send sends a body; headers replace the default ones.
func (s *service) send(body string, headers ...string) (httpapitest.Response, report) {
	s.t.Helper()
	all := map[string]string{"Authorization": "Bearer secret", "Content-Type": "application/x-ndjson"}
	for i := 0; i < len(headers); i += 2 {
		all[headers[i]] = headers[i+1]
	}
	var list []string
	for name, value := range all {
		if value != "" {
			list = append(list, name, value)
		}
	}
	res := s.Do(http.MethodPost, feedhttp.Path, body, list...)
	var r report
	if err := json.Unmarshal([]byte(res.Text), &r); err != nil {
		s.t.Fatalf("%v: %s", err, res.Text)
	}
	return res, r
}

// newPlayer is the line of an event that adds the n-th player.
func newPlayer(n int) string {
	return fmt.Sprintf(`{"id": "p%d", "event": "PlayerAdded", "data": {"player": "%s", "username": "Player%d"}}`,
		n, mongotest.UUID(n), n) + "\n"
}

func newPlayers(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(newPlayer(i))
	}
	return b.String()
}

func (s *service) players() int64 {
	s.t.Helper()
	n, err := s.store.Players.EstimateCount(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// Each line gets its result; wrong ones do not affect the others, and the same request again changes nothing.
func TestLines(t *testing.T) {
	s := serve(t)
	rename := func(n int, id, name string) string {
		return fmt.Sprintf(`{"id": %q, "event": "PlayerRenamed", "data": {"player": %q, "username": %q}}`, id,
			mongotest.UUID(n), name)
	}
	body := strings.Join([]string{
		strings.TrimSpace(newPlayer(1)),
		"",
		rename(1, "r1", "Salted") + "\r",
		rename(2, "r2", "Nobody"),
		`{"id": "x"`,
		`{"id": "x", "event": "PlayerLeft", "data": {}, "at": 1}`,
		`{"id": "x", "id": "y", "event": "PlayerLeft", "data": {}}`,
		`{"id": 7, "event": "PlayerLeft", "data": {}}`,
		`{"id": "x", "data": {}}`,
		`{"id": "x", "event": "PlayerGone", "data": {}}`,
		`{"id": "x", "event": "PlayerLeft"}`,
		`{"id": "x", "event": "PlayerLeft", "data": {"player": "` + mongotest.UUID(1) + `", "when": 1}}`,
		`{"event": "PlayerLeft", "data": {"player": "` + mongotest.UUID(1) + `"}}`,
		`{"id": "` + strings.Repeat("x", 129) + `", "event": "PlayerLeft", "data": {}}`,
		`{"id": "\u0000", "event": "PlayerLeft", "data": {}}`,
		`{"id": "` + strings.Repeat("x", feedhttp.MaxLine) + `"}`,
		"[]", "null", "\xff", `"` + strings.Repeat("[", 1000),
		rename(1, "r1", "Salted"),
		rename(1, "r1", "Brindle"),
		`{"id": "l1", "event": "PlayerLeft", "data": {"player": "` + mongotest.UUID(1) + `"}}`,
	}, "\n")
	const ok, dup = "applied", "duplicate"
	want := []string{
		"1 p1 applied", "3 r1 applied", "4 r2 UNKNOWN player", "5  INVALID ", "6  INVALID ", "7  INVALID ",
		"8  INVALID ", "9 x INVALID event", "10 x INVALID event", "11 x INVALID player", "12 x INVALID when",
		"13  INVALID id", "14  INVALID id", "15  INVALID id", "16  INVALID ",
		"17  INVALID ", "18  INVALID event", "19  INVALID ", "20  INVALID ", "21 r1 duplicate", "22 r1 CONFLICT ",
		"23 l1 applied",
	}
	for round, applied := range []int{3, 0} {
		res, r := s.send(body)
		res.Has(t, 200, "Content-Type", "application/json", "Access-Control-Allow-Origin", "", "RateLimit-Bucket", "FEED")
		res.HasCommonHeaders(t)
		if len(r.Lines) != len(want) {
			t.Fatalf("got %d lines, want %d: %s", len(r.Lines), len(want), res.Text)
		}
		for i, l := range r.Lines {
			got := fmt.Sprintf("%d %s %s", l.Line, l.ID, l.Result)
			if l.Result == "rejected" {
				got = fmt.Sprintf("%d %s %s %s", l.Line, l.ID, l.Code, l.Field)
				if l.Message == "" {
					t.Errorf("line %d has no message", l.Line)
				}
			}
			w := want[i]
			if round == 1 {
				w = strings.Replace(w, ok, dup, 1)
			}
			if got != w {
				t.Errorf("round %d: got %q, want %q (%s)", round, got, w, l.Message)
			}
		}
		if r.Applied != applied || r.Applied+r.Duplicates+r.Rejected != len(want) || r.Error != "" {
			t.Errorf("round %d: %+v", round, r)
		}
	}
	found, err := s.store.Players.ByID(t.Context(), []string{mongotest.UUID(1)})
	if err != nil || found[0].Username != "Salted" || !found[0].Flagged {
		t.Errorf("got %+v, %v", found[0], err)
	}
	if s.counts["PlayerAdded applied"] != 1 || s.counts["PlayerAdded duplicate"] != 1 ||
		s.counts["PlayerRenamed rejected"] != 4 || s.counts["unknown rejected"] == 0 {
		t.Errorf("counted %v", s.counts)
	}
}

// With an Idempotency-Key lines need no id: their numbers identify them. Keys belong to their sender.
func TestIdempotencyKey(t *testing.T) {
	s := serve(t)
	line := func(n int) string { return strings.Replace(newPlayer(n), fmt.Sprintf(`"id": "p%d", `, n), "", 1) }
	for _, c := range []struct {
		name, key, token, body        string
		applied, duplicates, rejected int
	}{
		{"no key", "", "secret", line(1), 0, 0, 1},
		{"first", "a", "secret", line(1) + line(2), 2, 0, 0},
		{"again", "a", "secret", line(1) + line(2), 0, 2, 0},
		{"another body", "a", "secret", line(3), 0, 0, 1},
		{"longer", "a", "secret", line(1) + line(2) + line(3), 1, 2, 0},
		{"another key", "b", "secret", line(1), 0, 0, 1}, // the player exists
		{"another sender", "a", "other", line(4), 1, 0, 0},
	} {
		if res, r := s.send(c.body, "Idempotency-Key", c.key, "Authorization", "Bearer "+c.token); res.StatusCode != 200 ||
			r.Applied != c.applied || r.Duplicates != c.duplicates || r.Rejected != c.rejected {
			t.Errorf("%s: %d %s", c.name, res.StatusCode, res.Text)
		}
	}
	for _, key := range []string{strings.Repeat("x", 129), "\xff"} {
		if res, _ := s.send(newPlayer(9), "Idempotency-Key", key); res.StatusCode != 400 {
			t.Errorf("%.9s: got %d, want 400", key, res.StatusCode)
		}
	}
}

func compress(t *testing.T, coding, text string) string {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch coding {
	case "gzip":
		z := gzip.NewWriter(&b)
		_, err = z.Write([]byte(text))
		_ = z.Close()
	case "zstd":
		z, failed := zstd.NewWriter(&b)
		if failed != nil {
			t.Fatal(failed)
		}
		_, err = z.Write([]byte(text))
		_ = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Bodies may be compressed. What exceeds a limit or breaks off is an error that lists the lines before it, which are
// applied.
func TestBodies(t *testing.T) {
	big := strings.Repeat(" ", maxBody) + "\n"
	bomb := newPlayers(600) + strings.Repeat(big, 99)
	coding := func(name string) []string { return []string{"Content-Encoding", name} }
	for name, c := range map[string]struct {
		body            string
		headers         []string
		status, applied int
	}{
		"empty":                {"", nil, 200, 0},
		"blank":                {" \n\n", nil, 200, 0},
		"several batches":      {newPlayers(1200), nil, 200, 1200},
		"gzip":                 {compress(t, "gzip", newPlayers(3)), coding("gzip"), 200, 3},
		"zstd":                 {compress(t, "zstd", newPlayers(3)), coding("zstd"), 200, 3},
		"identity":             {newPlayers(1), coding("identity"), 200, 1},
		"UTF-8":                {newPlayers(1), []string{"Content-Type", "application/jsonl; charset=utf-8"}, 200, 1},
		"no type":              {newPlayers(1), []string{"Content-Type", ""}, 415, 0},
		"JSON":                 {newPlayers(1), []string{"Content-Type", "application/json"}, 415, 0},
		"Latin":                {newPlayers(1), []string{"Content-Type", "application/x-ndjson; charset=latin1"}, 415, 0},
		"brotli":               {newPlayers(1), coding("br"), 415, 0},
		"two codings":          {newPlayers(1), coding("gzip, gzip"), 415, 0},
		"too large":            {newPlayers(1) + big, nil, 413, 0}, // known from its length
		"a bomb":               {compress(t, "gzip", bomb), coding("gzip"), 413, 600},
		"a bomb of zstd":       {compress(t, "zstd", bomb), coding("zstd"), 413, 600},
		"not gzip":             {newPlayers(1), coding("gzip"), 400, 0},
		"not zstd":             {newPlayers(1), coding("zstd"), 400, 0},
		"cut off":              {compress(t, "gzip", newPlayers(3))[:60], coding("gzip"), 400, 0},
		"too many lines":       {newPlayers(1) + strings.Repeat("{}\n", feedhttp.MaxLines), nil, 413, 1},
		"without a line's end": {strings.TrimSpace(newPlayers(2)), nil, 200, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			res, r := s.send(c.body, c.headers...)
			if res.StatusCode != c.status || r.Applied != c.applied || s.players() != int64(c.applied) ||
				c.status != 200 && (r.Code != c.status || r.Error == "") {
				t.Errorf("got %d, %d players, %.300s; want %d, %d", res.StatusCode, s.players(), res.Text, c.status, c.applied)
			}
			if c.status < 300 && len(r.Lines) != c.applied {
				t.Errorf("%d lines in the report", len(r.Lines))
			}
		})
	}
}

// A connection that breaks off in a line loses no line before it, and applies no half of one.
func TestConnectionBreaks(t *testing.T) {
	s := serve(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	body := newPlayers(2)
	fmt.Fprintf(conn, "POST /feed HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n"+
		"Content-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n%s", len(body)+1, strings.TrimSuffix(body, "}}\n"))
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	text := new(bytes.Buffer)
	_, _ = text.ReadFrom(conn)
	if s.players() != 1 || !strings.Contains(text.String(), `"line":1`) || strings.Contains(text.String(), `"line":2`) {
		t.Errorf("%d players, %s", s.players(), text)
	}
	if res, r := s.send(body); res.StatusCode != 200 || r.Applied+r.Duplicates != 2 || s.players() != 2 {
		t.Errorf("sent again: %s", res.Text)
	}
}

func TestMethodsAndTokens(t *testing.T) {
	s := serve(t, func(o *feedhttp.Options) { o.Rate = ratelimit.Rate{Limit: 2, Per: time.Hour} })
	for _, method := range []string{"GET", "HEAD", "PUT", "OPTIONS", "DELETE"} {
		s.Do(method, feedhttp.Path, "", "Authorization", "Bearer secret", "Origin", "https://other.example").Has(t, 405,
			"Allow", "POST", "Access-Control-Allow-Origin", "")
	}
	for _, token := range []string{"", "Bearer", "Bearer unknown", "Basic secret"} {
		res, _ := s.send(newPlayer(1), "Authorization", token)
		res.Has(t, 401, "WWW-Authenticate", `Bearer error="invalid_token"`, "RateLimit-Bucket", "SHARED")
	}
	res := s.Do("POST", feedhttp.Path, "", "Authorization", "Bearer secret", "Authorization", "Bearer other")
	res.Has(t, 400)
	for _, want := range []int{200, 200, 429} {
		res, _ := s.send(newPlayer(1))
		res.Has(t, want, "RateLimit-Bucket", "FEED", "RateLimit-Limit", "2")
		if (res.Header.Get("Retry-After") != "") != (want == 429) {
			t.Errorf("%d: Retry-After %q", want, res.Header.Get("Retry-After"))
		}
	}
	other, _ := s.send(newPlayer(1), "Authorization", "Bearer other")
	other.Has(t, 200)
	for range 60 { // the address has 50 requests in SHARED
		res, _ = s.send("", "Authorization", "Bearer unknown")
	}
	res.Has(t, 429, "RateLimit-Bucket", "SHARED")
}

// Without the store nothing is applied: 503, and the same request succeeds later.
func TestStoreAway(t *testing.T) {
	t.Parallel()
	s := serve(t)
	if err := s.server.Close(); err != nil {
		t.Fatal(err)
	}
	res, r := s.send(newPlayers(3) + "wrong\n")
	res.Has(t, 503, "Retry-After", "5")
	if r.Code != 503 || r.Error != "ServiceUnavailable" || r.Applied != 0 || len(r.Lines) != 0 {
		t.Errorf("%s", res.Text)
	}
}

// Without transactions nothing is applied, and the response says why.
func TestStoreWithoutTransactions(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t, mongotest.WithoutTransactions)
	s := serve(t, func(o *feedhttp.Options) { o.Feed = feed.New(store, feed.Options{}) })
	res, r := s.send(newPlayers(3))
	res.Has(t, 503, "Retry-After", "5")
	if !strings.Contains(res.Text, "no transactions") || r.Applied != 0 {
		t.Errorf("%s", res.Text)
	}
	if n, err := store.Players.EstimateCount(t.Context()); n != 0 || err != nil {
		t.Errorf("%d players, %v", n, err)
	}
}

// When the store fails in the middle of a request, the response lists the lines before. The same request again applies
// the rest, also of a batch that was half written.
func TestStoreFailsHalfway(t *testing.T) {
	for name, fails := range map[string]struct {
		command, collection string
		forward             bool
	}{
		"while records are read":     {"find", mongo.Players, false},
		"while they are written":     {"bulkWrite", "", false},
		"before it is committed":     {"commitTransaction", "", false},
		"when it has been committed": {"commitTransaction", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			if _, r := s.send(newPlayers(500)); r.Applied != 500 {
				t.Fatal(r)
			}
			var done atomic.Int64
			s.proxy.Handle(func(c mongotest.Command) mongotest.Action {
				if c.Name == "find" && c.Collection == mongo.Players {
					done.Add(1) // once for each batch
				}
				if done.Load() >= 2 && c.Name == fails.command && (fails.collection == "" || c.Collection == fails.collection) {
					return mongotest.Action{HangUp: true, Forward: fails.forward}
				}
				return mongotest.Action{}
			})
			res, r := s.send(newPlayers(1200))
			if res.StatusCode != 503 || r.Duplicates != 500 || len(r.Lines) != 500 || res.Header.Get("Retry-After") == "" {
				t.Errorf("got %d %.300s", res.StatusCode, res.Text)
			}
			s.proxy.Handle(nil)
			if res, r := s.send(newPlayers(1200)); res.StatusCode != 200 || r.Applied+r.Duplicates != 1200 ||
				s.players() != 1200 {
				t.Errorf("again: got %d, %d players, %.300s", res.StatusCode, s.players(), res.Text)
			}
		})
	}
}

// stall begins requests of the sender eu-1 whose bodies stop after a text, which has been read when it returns.
func (s *service) stall(n int, body string) (conns []net.Conn) {
	s.t.Helper()
	for range n {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { _ = conn.Close() })
		conns = append(conns, conn)
		fmt.Fprintf(conn, "POST /feed HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\nExpect: 100-continue\r\n"+
			"Content-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n", len(body)+1)
		// The server requests the body when it has begun with the request.
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 100 ") {
			s.t.Fatalf("got %q, %v, want 100 Continue", line, err)
		}
		fmt.Fprint(conn, body)
	}
	return conns
}

// Requests whose body is only awaited block no one.
func TestAwaitedBodies(t *testing.T) {
	s := serve(t)
	s.stall(8, "")
	for _, token := range []string{"secret", "other"} {
		if res, _ := s.send(newPlayer(1), "Authorization", "Bearer "+token); res.StatusCode != 200 {
			t.Errorf("%s: got %d, want 200", token, res.StatusCode)
		}
	}
}

// A sender has at most half of the requests that are applied at once, until one of them ends.
func TestBackpressure(t *testing.T) {
	s := serve(t)
	responses := make(chan string)
	conns := s.stall(5, newPlayer(2))
	for _, conn := range conns {
		go func() {
			text := make([]byte, 4<<10)
			n, _ := conn.Read(text)
			responses <- string(text[:n])
		}()
	}
	if text := <-responses; !strings.HasPrefix(text, "HTTP/1.1 503 ") || !strings.Contains(text, "Retry-After: 5") {
		t.Errorf("got %s, want 503", text)
	}
	if res, _ := s.send(newPlayer(3), "Authorization", "Bearer other"); res.StatusCode != 200 {
		t.Errorf("another sender got %d, want 200", res.StatusCode)
	}
	for _, conn := range conns {
		_ = conn.Close()
	}
	for range 4 {
		<-responses
	}
	deadline := time.Now().Add(10 * time.Second)
	for {
		if res, _ := s.send(newPlayer(2)); res.StatusCode == 200 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("requests are still rejected")
		}
	}
}
