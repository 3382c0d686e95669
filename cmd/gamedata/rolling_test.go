package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
	"gamedata/internal/ratelimit/redistest"
	"gamedata/internal/slowtest"
)

// balanced is three instances on one store and one Redis behind HAProxy.
type balanced struct {
	t         *testing.T
	args      []string
	addresses []string
	instances []*process
	socket    string // URI of the store
	base      string // of HAProxy
}

// startCluster starts HAProxy with the file of deploy/, the instances, Redis and the store.
func startCluster(t *testing.T) *balanced {
	t.Helper()
	haproxy, err := exec.LookPath("haproxy")
	if err != nil {
		if os.Getenv("HAPROXY_TESTS") == "required" {
			t.Fatal(err)
		}
		t.Skip("haproxy is not installed")
	}
	counters := redistest.Start(t)
	dir := apptest.Dir(t)
	store := startServing(t, "--listen", "127.0.0.1:0", "--data-dir", dir, "--demo", "--players", "60",
		"--demo-speed", "600")
	c := &balanced{t: t, socket: "mongodb://" + url.PathEscape(filepath.Join(dir, "gamedata.sock")) +
		"/?directConnection=true&retryWrites=false"}
	if res := apptest.Get(t, store.base+"/readyz"); !strings.HasPrefix(string(res.Body), "ok") {
		t.Fatalf("the store is not ready: %s", res.Body)
	}
	c.args = []string{
		"--mongo-uri", c.socket,
		"--redis-url", counters.URL + "?read_timeout=10s", // counts stay shared on a busy machine
		"--trusted-proxies", "127.0.0.1/32", "--rates", "MAP.guest=5", "--drain-delay", "1500ms",
	}
	listen := freeAddress(t)
	c.base = "http://" + listen
	balancer := exec.Command(haproxy, "-db", "-f", "../../deploy/haproxy.cfg")
	balancer.Env = append(os.Environ(), "HAPROXY_LISTEN="+listen)
	for _, name := range []string{"INSTANCE_ONE", "INSTANCE_TWO", "INSTANCE_THREE"} {
		address := freeAddress(t)
		c.addresses, c.instances = append(c.addresses, address), append(c.instances, nil)
		c.start(len(c.addresses) - 1)
		balancer.Env = append(balancer.Env, name+"="+address)
	}
	balancer.Stdout, balancer.Stderr = t.Output(), t.Output()
	if err := balancer.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = balancer.Process.Kill(), balancer.Wait() })
	apptest.Await(t, "HAProxy", func() bool {
		r, err := http.Get(c.base + "/readyz")
		if err == nil {
			_ = r.Body.Close()
		}
		return err == nil && r.StatusCode == http.StatusOK
	})
	return c
}

func (c *balanced) start(i int) {
	c.t.Helper()
	c.instances[i] = startServing(c.t, append([]string{"--listen", c.addresses[i]}, c.args...)...)
}

// sent is what a balanced service responded.
type sent struct {
	mu       sync.Mutex
	requests int
	errors   map[string]int // by method and status, or error
}

// traffic sends 60 requests a second, each on time, until the returned function is called.
func (c *balanced) traffic() func() *sent {
	c.t.Helper()
	results, stop, ended := &sent{errors: map[string]int{}}, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		var all sync.WaitGroup
		defer all.Wait()
		ticker := time.NewTicker(time.Second / 60)
		defer ticker.Stop()
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-ticker.C:
				all.Go(func() { results.send(c.base, n) })
			}
		}
	}()
	return func() *sent {
		close(stop)
		<-ended
		fmt.Fprintf(c.t.Output(), "%d requests, errors: %v\n", results.requests, results.errors)
		return results
	}
}

// send sends request n of a caller among 300.
func (s *sent) send(base string, n int) {
	method, path, body := http.MethodGet, []string{
		"/v3/guild/list/territory", "/v3/player", "/v3/leaderboards/warsCompletion?resultLimit=100", "/v3/player/Salted", "",
	}[n%5], ""
	if path == "" {
		method, path, body = http.MethodPost, "/graphql", `{"query":"{player(by:{username:\"Salted\"}){username online}}"}`
	}
	r, err := http.NewRequest(method, base+path, strings.NewReader(body))
	if err != nil {
		panic(err) // all can be built
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.18.%d.%d", n%300/250, n%250))
	problem := ""
	switch res, err := http.DefaultClient.Do(r); {
	case err != nil:
		problem = errors.Unwrap(err).Error()
	default:
		text, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		switch {
		case err != nil:
			problem = err.Error()
		case res.StatusCode != http.StatusOK:
			problem = "status " + strconv.Itoa(res.StatusCode)
		case strings.Contains(string(text), `"errors"`):
			problem = string(text)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if problem != "" {
		s.errors[method+": "+problem]++
	}
}

// rollingTimes are the number of rounds of TestRollingRestart and how long each instance serves in between: a second,
// or for SOAK=5m a sixtieth of it.
func rollingTimes(t *testing.T) (rounds int, pause time.Duration) {
	text := os.Getenv("SOAK")
	if text == "" {
		return 1, time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Minute || d > 24*time.Hour {
		t.Fatal("SOAK must be between 1m and 24h")
	}
	return 10, d / 60
}

// Three instances on one store and one Redis behind HAProxy are replaced one after the other without a failed request;
// of one that is killed only requests in flight fail. They share limits and learn of revoked tokens.
func TestRollingRestart(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	rounds, pause := rollingTimes(t)
	c := startCluster(t)
	t.Run("limits", c.checkLimits)
	t.Run("restarts", func(t *testing.T) {
		stop := c.traffic()
		for range rounds {
			for i := range c.instances {
				c.instances[i].terminate(t)
				c.start(i)
				if rounds > 1 {
					time.Sleep(pause)
				}
			}
		}
		if results := stop(); len(results.errors) > 0 || results.requests < 100*rounds {
			t.Errorf("got %d requests with the errors %v", results.requests, results.errors)
		}
	})
	t.Run("kill", func(t *testing.T) {
		stop := c.traffic()
		for range rounds {
			time.Sleep(pause)
			c.instances[0].kill()
			time.Sleep(pause) // until HAProxy notices
			c.start(0)
		}
		// GET goes to another instance; a POST in flight fails, since it may be a mutation: with 502, or by the end of the
		// connection if that to the instance was an old one. There are 12 a second, few of which are in flight.
		for kind, n := range stop().errors {
			if kind != "POST: status 502" && kind != "POST: EOF" || n > 5*rounds {
				t.Errorf("got %d times %s, want few POST in flight", n, kind)
			}
		}
	})
	t.Run("revocation", c.checkRevocation)
}

// checkLimits sends requests of one caller to all instances: as many are accepted as one instance would accept.
func (c *balanced) checkLimits(t *testing.T) {
	const quota, perRefill = 5, time.Minute / 5
	var accepted, rejected atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for i := range 60 {
		all.Go(func() {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
				"http://"+c.addresses[i%len(c.addresses)]+"/v3/map/quests", nil)
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("X-Forwarded-For", "203.0.113.7")
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			switch res.StatusCode {
			case http.StatusOK:
				accepted.Add(1)
			case http.StatusTooManyRequests:
				rejected.Add(1)
			}
		})
	}
	all.Wait()
	refilled := int64(time.Since(began) / perRefill)
	if n := accepted.Load(); n < quota || n > quota+refilled || n+rejected.Load() != 60 {
		t.Errorf("accepted %d and rejected %d of 60 requests, want a quota of %d", n, rejected.Load(), quota)
	}
}

// checkRevocation deletes a token that all instances know: five seconds later none accepts it.
func (c *balanced) checkRevocation(t *testing.T) {
	on := func(args ...string) string {
		t.Helper()
		code, out, errs := run(append(args, "--mongo-uri", c.socket)...)
		if code != 0 {
			t.Fatalf("%v: got exit status %d and %s", args, code, errs)
		}
		return out
	}
	on("account", "create", "Salted")
	token := apptest.Decode[struct{ Value string }](t, []byte(on("token", "create", "Salted", "pc", "--output", "json"))).Value
	status := func(address string) int {
		t.Helper()
		res, _ := apptest.GetWithToken(t, &apptest.Program{Base: "http://" + address}, token, "/v3/player/whoami")
		return res.Status
	}
	for _, address := range c.addresses {
		if got := status(address); got != http.StatusOK {
			t.Fatalf("%s: got %d with a token, want 200", address, got)
		}
	}
	on("token", "delete", "Salted", "pc")
	deleted := time.Now()
	for _, address := range c.addresses {
		apptest.Await(t, address+" rejects a deleted token", func() bool { return status(address) == http.StatusUnauthorized })
	}
	fmt.Fprintf(t.Output(), "no instance accepts a token %s after it was deleted\n", time.Since(deleted))
}
