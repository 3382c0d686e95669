package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/mongo"
)

// faultyService is the service on a store at the end of a network that fails.
type faultyService struct {
	*testService
	expected map[string][]byte // what each question is answered with, by question
	jobs     *app.Scheduler
}

// put asks a question: GraphQL when it begins with a brace.
func (s *faultyService) send(question string) response {
	if strings.HasPrefix(question, "{") {
		body, err := json.Marshal(map[string]string{"query": question})
		if err != nil {
			s.t.Fatal(err)
		}
		res := s.request("POST", "/graphql", string(body))
		res.body = withoutCacheExtension(res.body)
		return res
	}
	return s.request("GET", question, "")
}

func newFaultyService(t *testing.T) *faultyService {
	svc := &testService{t: t, dir: unrankedDir(t), startTime: demoNow, drained: make(chan struct{})}
	svc.startStore()
	svc.network = newFaultyNetwork(t, svc.dialStore)
	t.Cleanup(svc.network.close) // after the service and the store
	svc.serve(mongo.Options{Timeout: 700 * time.Millisecond, ServerSelectionTimeout: 300 * time.Millisecond},
		"--request-timeout", "20s")
	s := &faultyService{svc, map[string][]byte{}, app.NewScheduler(svc.store, 10*time.Minute, slog.New(slog.DiscardHandler))}
	if s.jobs.RunDue(t.Context(), svc.clock()); len(s.jobs.Failing()) == 0 || s.jobs.Failing()["ranks"] {
		t.Fatalf("the jobs: %v", s.jobs.Failing())
	}
	for _, name := range []string{"Salted", "Okapi", "Veiled", "Shuttered"} {
		s.expected["/v3/player/"+castUUID(name)+"?fullResult"] = nil
		s.expected[fmt.Sprintf("{player(username:%q){username rank globalData{wars} guild{name}}}", name)] = nil
	}
	s.expected["/v3/guild/list/territory"], s.expected["{guild(name:\"Mossbound Company\"){name level members{total}}}"] = nil,
		nil
	for question := range s.expected {
		s.expected[question] = s.waitUntilOK(question).body
	}
	return s
}

// until200 asks until the answer is there. What stood in its way must have been the store.
func (s *faultyService) waitUntilOK(question string) response {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		res := s.send(question)
		if res.status == 200 && !bytes.Contains(res.body, []byte(`{"errors"`)) {
			return res
		}
		s.checkResponse(question, res)
		if time.Now().After(deadline) {
			s.t.Fatalf("%s: the store is back for long: %d %.300s", question, res.status, res.body)
		}
	}
}

// never fails unless an answer is the right one, or says in documented form that there is none.
func (s *faultyService) checkResponse(question string, res response) {
	s.t.Helper()
	if res.status == 200 && bytes.Equal(res.body, s.expected[question]) {
		return
	}
	unavailable := bytes.Contains(res.body, []byte(`"SERVICE_UNAVAILABLE"`)) && !bytes.Contains(res.body, []byte(`"INTERNAL"`))
	if strings.HasPrefix(question, "/") {
		unavailable = res.status == 503 && res.header.Get("Retry-After") != "" &&
			string(res.body) == `{"error":"ServiceUnavailable","detail":"The service is not available right now.","code":503}`
		if bytes.Contains(res.body, []byte("The territories could not be loaded.")) { // WIRE §2.2
			unavailable = res.status == 500
		}
	}
	if s.expected[question] != nil && !unavailable {
		s.t.Errorf("%s: %d %.150s", question, res.status, res.body)
	}
}

// Whatever happens between the service and its store, and while requests are under way: nobody
// gets a wrong body, cached response keep coming, and afterwards all is as before, by itself.
func TestStoreNetworkFaults(t *testing.T) {
	t.Parallel()
	s := newFaultyService(t)
	c := s.jobs
	for i, f := range []fault{cut, reset, truncated, delayed, blackHole} {
		t.Run(string(f), func(t *testing.T) {
			s.t = t
			const cached = "{player(username:\"Salted\"){username rank globalData{wars} guild{name}}}"
			s.advance(3 * time.Minute) // nothing is fresh
			s.waitUntilOK(cached)
			var all, begun sync.WaitGroup
			for n := range 6 {
				begun.Add(1)
				all.Go(func() {
					for round := range 3 {
						for question := range s.expected {
							s.checkResponse(question, s.send(question))
							if round == 0 && n == 0 {
								break
							}
						}
						if round == 0 {
							begun.Done()
						}
					}
				})
			}
			s.network.setFault(f)
			begun.Wait()
			if res := s.send(cached); res.status != 200 || !res.isHit() || !bytes.Equal(res.body, s.expected[cached]) {
				t.Errorf("a cached response: %d %.200s", res.status, res.body)
			}
			s.advance(150 * time.Second)
			if res := s.send(cached); f != delayed && (res.status != 200 || !strings.Contains(res.header.Get("Cache-Status"), "ttl=-") ||
				!bytes.Equal(res.body, s.expected[cached])) {
				t.Errorf("a stale answer: %d %q %.200s", res.status, res.header.Get("Cache-Status"), res.body)
			}
			name := fmt.Sprint("made while it fails ", i)
			_, made := s.users.Create(t.Context(), name)
			if made != nil && !errors.Is(made, mongo.ErrUnavailable) {
				t.Errorf("a write: %v", made)
			}
			if f == cut || f == reset {
				c.RunDue(t.Context(), s.clock())
			}
			all.Wait()
			s.network.setFault(healthy)
			s.advance(3 * time.Minute)
			for question := range s.expected {
				if res := s.waitUntilOK(question); !bytes.Equal(res.body, s.expected[question]) {
					t.Errorf("%s: %.150s afterwards", question, res.body)
				}
			}
			s.holds(name, made)
			if c.Failing()["clock"] != (f == cut || f == reset) {
				t.Errorf("the jobs fail: %v", c.Failing())
			}
			if c.RunDue(t.Context(), s.clock()); len(c.Failing()) > 0 && (c.Failing()["clock"] || c.Failing()["leaderboards"]) {
				t.Errorf("the jobs go on failing: %v", c.Failing())
			}
		})
	}
}

// holds fails unless the account is there when it was said to be made, once.
func (s *faultyService) holds(name string, made error) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		_, err := s.users.Create(s.t.Context(), name)
		if errors.Is(err, mongo.ErrUnavailable) && time.Now().Before(deadline) {
			continue
		}
		if made == nil && !errors.Is(err, mongo.ErrTaken) {
			s.t.Errorf("%s is lost: %v", name, err)
		}
		if made != nil && err != nil && !errors.Is(err, mongo.ErrTaken) {
			s.t.Errorf("%s: %v", name, err)
		}
		return
	}
}
