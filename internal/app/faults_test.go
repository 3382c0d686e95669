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
	right map[string][]byte // what each question is answered with, by question
	jobs  *app.Scheduler
}

// put asks a question: GraphQL when it begins with a brace.
func (s *faultyService) put(question string) answer {
	if strings.HasPrefix(question, "{") {
		body, err := json.Marshal(map[string]string{"query": question})
		if err != nil {
			s.t.Fatal(err)
		}
		a := s.ask("POST", "/graphql", string(body))
		a.body = withoutCache(a.body)
		return a
	}
	return s.ask("GET", question, "")
}

func newFaultyService(t *testing.T) *faultyService {
	k := &testService{t: t, dir: unrankedDir(t), begun: demoNow, drained: make(chan struct{})}
	k.startStore()
	k.wire = newWire(t, k.reach)
	t.Cleanup(k.wire.close) // after the service and the store
	k.serve(mongo.Options{Timeout: 700 * time.Millisecond, ServerSelectionTimeout: 300 * time.Millisecond},
		"--request-timeout", "20s")
	s := &faultyService{k, map[string][]byte{}, app.NewScheduler(k.store, 10*time.Minute, slog.New(slog.DiscardHandler))}
	if s.jobs.RunDue(t.Context(), k.clock()); len(s.jobs.Failing()) == 0 || s.jobs.Failing()["ranks"] {
		t.Fatalf("the jobs: %v", s.jobs.Failing())
	}
	for _, name := range []string{"Salted", "Okapi", "Veiled", "Shuttered"} {
		s.right["/v3/player/"+castUUID(name)+"?fullResult"] = nil
		s.right[fmt.Sprintf("{player(username:%q){username rank globalData{wars} guild{name}}}", name)] = nil
	}
	s.right["/v3/guild/list/territory"], s.right["{guild(name:\"Mossbound Company\"){name level members{total}}}"] = nil,
		nil
	for question := range s.right {
		s.right[question] = s.until200(question).body
	}
	return s
}

// until200 asks until the answer is there. What stood in its way must have been the store.
func (s *faultyService) until200(question string) answer {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		a := s.put(question)
		if a.status == 200 && !bytes.Contains(a.body, []byte(`{"errors"`)) {
			return a
		}
		s.never(question, a)
		if time.Now().After(deadline) {
			s.t.Fatalf("%s: the store is back for long: %d %.300s", question, a.status, a.body)
		}
	}
}

// never fails unless an answer is the right one, or says in documented form that there is none.
func (s *faultyService) never(question string, a answer) {
	s.t.Helper()
	if a.status == 200 && bytes.Equal(a.body, s.right[question]) {
		return
	}
	unavailable := bytes.Contains(a.body, []byte(`"SERVICE_UNAVAILABLE"`)) && !bytes.Contains(a.body, []byte(`"INTERNAL"`))
	if strings.HasPrefix(question, "/") {
		unavailable = a.status == 503 && a.header.Get("Retry-After") != "" &&
			string(a.body) == `{"error":"ServiceUnavailable","detail":"The service is not available right now.","code":503}`
		if bytes.Contains(a.body, []byte("The territories could not be loaded.")) { // WIRE §2.2
			unavailable = a.status == 500
		}
	}
	if s.right[question] != nil && !unavailable {
		s.t.Errorf("%s: %d %.150s", question, a.status, a.body)
	}
}

// Whatever happens between the service and its store, and while requests are under way: nobody
// gets a wrong body, cached response keep coming, and afterwards all is as before, by itself.
func TestFaults(t *testing.T) {
	t.Parallel()
	s := newFaultyService(t)
	c := s.jobs
	for i, f := range []fault{cut, reset, torn, late, silent} {
		t.Run(string(f), func(t *testing.T) {
			s.t = t
			const cached = "{player(username:\"Salted\"){username rank globalData{wars} guild{name}}}"
			s.wait(3 * time.Minute) // nothing is fresh
			s.until200(cached)
			var all, begun sync.WaitGroup
			for n := range 6 {
				begun.Add(1)
				all.Go(func() {
					for round := range 3 {
						for question := range s.right {
							s.never(question, s.put(question))
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
			s.wire.set(f)
			begun.Wait()
			if a := s.put(cached); a.status != 200 || !a.hits() || !bytes.Equal(a.body, s.right[cached]) {
				t.Errorf("a cached response: %d %.200s", a.status, a.body)
			}
			s.wait(150 * time.Second)
			if a := s.put(cached); f != late && (a.status != 200 || !strings.Contains(a.header.Get("Cache-Status"), "ttl=-") ||
				!bytes.Equal(a.body, s.right[cached])) {
				t.Errorf("a stale answer: %d %q %.200s", a.status, a.header.Get("Cache-Status"), a.body)
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
			s.wire.set(healthy)
			s.wait(3 * time.Minute)
			for question := range s.right {
				if a := s.until200(question); !bytes.Equal(a.body, s.right[question]) {
					t.Errorf("%s: %.150s afterwards", question, a.body)
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
