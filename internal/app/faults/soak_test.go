package faults

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"gamedata/internal/app/apptest"
	"gamedata/internal/demo/seed"
	"gamedata/internal/slowtest"
	"gamedata/mongo/embedded"
	"gamedata/mongo/mongotest"
)

// soakTime returns how long the load lasts: SOAK, such as 5m, else 2 s.
func soakTime(t *testing.T) time.Duration {
	text := os.Getenv("SOAK")
	if text == "" {
		return 2 * time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second || d > 24*time.Hour {
		t.Fatal("SOAK must be between 1s and 24h")
	}
	return d
}

type loadRequest struct{ method, path, body string }

// randomRequest returns a typical request; some are invalid.
func randomRequest(r *rand.Rand) loadRequest {
	m := seed.Cast[r.IntN(len(seed.Cast))]
	query := func(format string, args ...any) loadRequest {
		return loadRequest{"POST", "/graphql", fmt.Sprintf(`{"query":%q}`, fmt.Sprintf(format, args...))}
	}
	paths := []string{
		"/v3/player/" + m.UUID, "/v3/player/" + m.UUID + "?fullResult", "/v3/player", "/v3/guild/Mossbound%20Company",
		"/v3/guild/list/territory", "/v3/leaderboards/warsCompletion?resultLimit=10", "/v3/search/" + m.Username[:2],
		fmt.Sprint("/v3/item/database?page=", r.IntN(9)), "/v3/map/locations/markers", "/v3/classes",
		fmt.Sprintf("/v3/player/No%06d", r.IntN(1e6)), "/v3/player/%ff", "/",
	}
	switch n := r.IntN(20); {
	case n < 11:
		return loadRequest{"GET", paths[r.IntN(len(paths))], ""}
	case n < 12:
		return loadRequest{"HEAD", paths[r.IntN(len(paths))], ""}
	case n < 15:
		return query(`{ player(by: {uuid: "%s"}) { username rank { key } online totals { wars } guild { name }
			characters { nodes { uuid level } } } }`, m.UUID)
	case n < 17:
		return query(`{ guild(by: { name: "Mossbound Company" }) { name members(first: %d) { nodes { username
			player { rank } } } } }`, 1+r.IntN(30))
	case n < 18:
		return query(`{ leaderboard(by: {type: "warsCompletion"}) { entries(first: %d) { nodes { position name } } }
			territories { nodes { name } } }`, 1+r.IntN(10))
	case n < 19:
		return loadRequest{"POST", "/v3/item/search", `{"query":["a"],"levelRange":[1,` + fmt.Sprint(r.IntN(100)) + `]}`}
	}
	return query("{ player(%s", m.Username) // not a valid document
}

type soakStats struct {
	mu          sync.Mutex
	requests    int
	longest     time.Duration
	statuses    map[int]int
	failures    map[string]int // of the transport
	hits, stale int
	wrong       []string
	storeDown   atomic.Bool // the store is down or was until a moment ago
}

func (s *soakStats) send(client *http.Client, base string, a loadRequest) {
	r, err := http.NewRequest(a.method, base+a.path, strings.NewReader(a.body))
	if err != nil {
		panic(err) // the requests above can all be built
	}
	if a.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	lost, begun := s.storeDown.Load(), time.Now()
	res, err := client.Do(r)
	var body []byte
	if err == nil {
		body, err = io.ReadAll(res.Body)
		_ = res.Body.Close()
	}
	took := time.Since(begun)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.failures[fmt.Sprintf("%T", err)]++
		s.wrong = append(s.wrong, fmt.Sprint(a.path, ": ", err))
		return
	}
	s.requests++
	s.longest = max(s.longest, took)
	s.statuses[res.StatusCode]++
	cached := res.Header.Get("Cache-Status")
	if strings.Contains(cached, "; hit") {
		s.hits++
	}
	if strings.Contains(cached, "ttl=-") {
		s.stale++
	}
	bad := res.StatusCode >= 500 && !lost && !s.storeDown.Load()
	if bad || res.StatusCode == 500 && !strings.Contains(string(body), "could not be loaded") ||
		strings.Contains(string(body), `"INTERNAL"`) {
		s.wrong = append(s.wrong, fmt.Sprintf("%s %s: %d %.200s", a.method, a.path, res.StatusCode, body))
	}
}

// Under a mixed load on a simulated world whose store is down for a tenth of the time, every response is a documented
// one, 503 occurs only while the store is down and for ten seconds after, and no goroutine or connection is left at the
// end.
func TestSoak(t *testing.T) {
	slowtest.Only(t)
	before := goleak.IgnoreCurrent()
	t.Run("load", soak)
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
}

func soak(t *testing.T) {
	d := soakTime(t)
	s := &soakStats{statuses: map[int]int{}, failures: map[string]int{}}
	server, err := embedded.Open(t.TempDir(), embedded.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	network := mongotest.NewProxy(server)
	p := apptest.Start(t, "--demo", "--players", "60", "--mongo-uri", "mongodb://"+network.Listen(t, "")+
		"/?directConnection=true&retryWrites=false&serverSelectionTimeoutMS=300",
		"--guest-rate", "1000000", "--leaderboard-refresh", "30s", "--demo-speed", "10", "--store-timeout", "20s",
		"--log-level", "error")
	transport := &http.Transport{MaxIdleConnsPerHost: 8}
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	goroutines, memory := runtime.NumGoroutine(), []float64{apptest.AnonymousMB(t, os.Getpid())}

	end := time.Now().Add(d)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(7, uint64(n)))
			for time.Now().Before(end) {
				s.send(client, p.Base, randomRequest(r))
			}
		})
	}
	sample := time.NewTicker(d / 10)
	defer sample.Stop()
	for i := range 9 {
		<-sample.C
		memory = append(memory, apptest.AnonymousMB(t, os.Getpid()))
		switch i {
		case 4:
			s.storeDown.Store(true)
			network.Handle(func(mongotest.Command) mongotest.Action { return mongotest.Action{HangUp: true} })
			network.Cut()
		case 5:
			network.Handle(nil)
			// The driver needs time to find the store again, and earlier requests may still wait.
			time.AfterFunc(10*time.Second, func() { s.storeDown.Store(false) })
		}
	}
	all.Wait()
	apptest.Await(t, "the store", func() bool {
		return apptest.Get(t, p.Base+fmt.Sprintf("/v3/player/Back%d", time.Now().UnixNano()%1e9)).Status == 404
	})
	t.Logf("%d requests in %s: status %v, broken connections %v, all within %s, %d from the cache, %d stale", s.requests, d,
		s.statuses, s.failures, s.longest, s.hits, s.stale)
	t.Logf("store commands %v, memory over time %.0f MB, goroutines %d before, %d after", server.Stats().Commands, memory,
		goroutines, runtime.NumGoroutine())
	for _, wrong := range s.wrong[:min(len(s.wrong), 5)] {
		t.Error(wrong)
	}
	if s.statuses[200] == 0 || len(s.wrong) > 5 {
		t.Errorf("got %d good responses, %d wrong ones", s.statuses[200], len(s.wrong))
	}
	transport.CloseIdleConnections()
	if code := p.Stop(); code != 0 {
		t.Errorf("the service ended with %d: %s", code, p.Stderr)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}
