package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/history"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/mongotest"
)

var cacheExtension = regexp.MustCompile(`,"cache":\{[^{}]*\}`)

// faultyService is a service whose network to the store fails.
type faultyService struct {
	*apptest.Service
	network  *mongotest.Proxy
	expected map[string][]byte // body by query
	jobs     *app.Scheduler
}

// send sends a query: a GraphQL document if it begins with a brace, else a path.
func (s *faultyService) send(query string) apptest.Response {
	if strings.HasPrefix(query, "{") {
		body, err := json.Marshal(map[string]string{"query": query})
		if err != nil {
			s.T.Fatal(err)
		}
		res := s.Request("POST", "/graphql", string(body))
		res.Body = cacheExtension.ReplaceAll(res.Body, nil)
		return res
	}
	return s.Request("GET", query, "")
}

func newFaultyService(t *testing.T) *faultyService {
	svc := apptest.OpenStore(t, apptest.UnrankedDir(t), apptest.Now)
	network := mongotest.NewProxy(svc)
	svc.Serve(mongo.Options{Options: conn.Options{
		Timeout: 700 * time.Millisecond, ServerSelectionTimeout: 300 * time.Millisecond, Dialer: network,
	}}, "--request-timeout", "20s")
	scheduler := app.NewScheduler(svc.Store, 10*time.Minute, history.DefaultRetention, slog.New(slog.DiscardHandler))
	s := &faultyService{svc, network, map[string][]byte{}, scheduler}
	s.jobs.RunDue(t.Context(), svc.Clock())
	if len(s.jobs.Failing()) == 0 || s.jobs.Failing()["ranks"] {
		t.Fatalf("got failing jobs %v, want all but ranks", s.jobs.Failing())
	}
	for _, name := range []string{"Salted", "Okapi", "Veiled", "Shuttered"} {
		s.expected["/v3/player/"+apptest.CastUUID(name)+"?fullResult"] = nil
		s.expected[fmt.Sprintf("{player(by:{username:%q}){username rank{key} totals{wars} guild{name}}}", name)] = nil
	}
	s.expected["/v3/guild/list/territory"] = nil
	s.expected["{guild(by:{name:\"Mossbound Company\"}){name level members{totalCount}}}"] = nil
	for query := range s.expected {
		s.expected[query] = s.waitUntilOK(query).Body
	}
	return s
}

// waitUntilOK repeats a query until it succeeds. Until then only the store may be the reason for failures.
func (s *faultyService) waitUntilOK(query string) apptest.Response {
	s.T.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		res := s.send(query)
		if res.Status == 200 && !bytes.Contains(res.Body, []byte(`{"errors"`)) {
			return res
		}
		s.checkResponse(query, res)
		if time.Now().After(deadline) {
			s.T.Fatalf("%s: a minute after the store came back: got %d %.300s, want 200", query, res.Status, res.Body)
		}
	}
}

// checkResponse fails unless a response has the expected body or is the documented error. It reports whether it has the
// body.
func (s *faultyService) checkResponse(query string, res apptest.Response) {
	s.T.Helper()
	if res.Status == 200 && bytes.Equal(res.Body, s.expected[query]) {
		return
	}
	unavailable := bytes.Contains(res.Body, []byte(`"SERVICE_UNAVAILABLE"`)) &&
		!bytes.Contains(res.Body, []byte(`"INTERNAL"`))
	if strings.HasPrefix(query, "/") {
		unavailable = res.Status == 503 && res.Header.Get("Retry-After") != "" &&
			string(res.Body) == `{"error":"ServiceUnavailable","detail":"The service is not available right now.","code":503}`
	}
	if s.expected[query] != nil && !unavailable {
		s.T.Errorf("%s: got %d %.150s, want the expected body or 503", query, res.Status, res.Body)
	}
}

// While the network to the store fails, no request gets a wrong body and cached responses are served. Afterwards the
// service recovers by itself.
func TestStoreNetworkFaults(t *testing.T) {
	t.Parallel()
	s := newFaultyService(t)
	c := s.jobs
	ended := make(chan struct{})
	for name, fault := range map[string]func(mongotest.Command) mongotest.Action{
		"cut":        func(mongotest.Command) mongotest.Action { return mongotest.Action{HangUp: true} },
		"lost reply": func(mongotest.Command) mongotest.Action { return mongotest.Action{HangUp: true, Forward: true} },
		"delayed": func(mongotest.Command) mongotest.Action {
			time.Sleep(2 * time.Second)
			return mongotest.Action{}
		},
		"swallowed": func(mongotest.Command) mongotest.Action {
			<-ended
			return mongotest.Action{HangUp: true}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s.T = t
			broken := name == "cut" || name == "lost reply" // otherwise jobs wait
			const cached = "{player(by:{username:\"Salted\"}){username rank{key} totals{wars} guild{name}}}"
			s.Advance(3 * time.Minute) // everything expires
			s.waitUntilOK(cached)
			var all, begun sync.WaitGroup
			for n := range 6 {
				begun.Add(1)
				all.Go(func() {
					for round := range 3 {
						for query := range s.expected {
							s.checkResponse(query, s.send(query))
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
			s.network.Handle(fault)
			if name == "cut" {
				s.network.Cut()
			}
			begun.Wait()
			if res := s.send(cached); res.Status != 200 || !res.Hit() || !bytes.Equal(res.Body, s.expected[cached]) {
				t.Errorf("a cached response: got %d %.200s, want a hit", res.Status, res.Body)
			}
			s.Advance(150 * time.Second)
			if res := s.send(cached); name != "delayed" && (res.Status != 200 ||
				!strings.Contains(res.Header.Get("Cache-Status"), "ttl=-") || !bytes.Equal(res.Body, s.expected[cached])) {
				t.Errorf("a stale response: got %d %q %.200s", res.Status, res.Header.Get("Cache-Status"), res.Body)
			}
			account := "created while " + name
			_, createErr := s.Users.Create(t.Context(), account)
			if createErr != nil && !errors.Is(createErr, mongo.ErrUnavailable) {
				t.Errorf("a write: got %v, want ErrUnavailable or success", createErr)
			}
			if broken {
				c.RunDue(t.Context(), s.Clock())
			}
			all.Wait()
			s.network.Handle(nil)
			if name == "swallowed" {
				close(ended)
			}
			s.Advance(3 * time.Minute)
			for query := range s.expected {
				if res := s.waitUntilOK(query); !bytes.Equal(res.Body, s.expected[query]) {
					t.Errorf("%s after the fault: got %.150s", query, res.Body)
				}
			}
			s.expectAccount(account, createErr)
			if c.Failing()["clock"] != broken {
				t.Errorf("failing jobs after the fault: got %v", c.Failing())
			}
			c.RunDue(t.Context(), s.Clock())
			if len(c.Failing()) > 0 && (c.Failing()["clock"] || c.Failing()["leaderboards"]) {
				t.Errorf("failing jobs after another run: got %v", c.Failing())
			}
		})
	}
}

// expectAccount fails unless an account exists exactly once if creating it succeeded.
func (s *faultyService) expectAccount(name string, createErr error) {
	s.T.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		_, err := s.Users.Create(s.T.Context(), name)
		if errors.Is(err, mongo.ErrUnavailable) && time.Now().Before(deadline) {
			continue
		}
		if createErr == nil && !errors.Is(err, mongo.ErrTaken) {
			s.T.Errorf("%s is lost: creating it again gives %v, want ErrTaken", name, err)
		}
		if createErr != nil && err != nil && !errors.Is(err, mongo.ErrTaken) {
			s.T.Errorf("%s: %v", name, err)
		}
		return
	}
}
