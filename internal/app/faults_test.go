package app_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/mongotest"
)

// While the network to the store fails, no request gets a wrong body and cached responses are served. Afterwards the
// service recovers by itself.
func TestStoreNetworkFaults(t *testing.T) {
	t.Parallel()
	svc := apptest.OpenStore(t, apptest.UnrankedDir(t), apptest.Now)
	network := mongotest.NewProxy(svc)
	svc.Serve(mongo.Options{Options: conn.Options{
		Timeout: 700 * time.Millisecond, ServerSelectionTimeout: 300 * time.Millisecond, Dialer: network,
	}}, "--request-timeout", "20s")
	untilOK := func(path string) (res apptest.Response) {
		svc.T.Helper()
		apptest.Await(svc.T, path, func() bool {
			res = svc.Request("GET", path, "")
			return res.Status == 200 && !res.Has(`{"errors"`)
		})
		return res
	}
	const fields = "%22}){username,rank{key},totals{wars},guild{name}}}"
	const cached = "/graphql?query={player(by:{username:%22Salted" + fields
	paths := []string{"/v3/guild/list/territory", "/graphql?query={guild(by:{prefix:%22MOSS%22}){name,level}}"}
	for _, name := range []string{"Salted", "Okapi", "Veiled", "Shuttered"} {
		paths = append(paths, "/v3/player/"+apptest.CastUUID(name)+"?fullResult",
			"/graphql?query={player(by:{username:%22"+name+fields)
	}
	expected := map[string][]byte{}
	for _, path := range paths {
		expected[path] = untilOK(path).Body
	}
	check := func(path string) { // the expected body or the documented error
		res := svc.Request("GET", path, "")
		unavailable := res.Status == 503 && res.Header.Get("Retry-After") != "" && res.Has(`"error":"ServiceUnavailable"`) ||
			res.Has(`"SERVICE_UNAVAILABLE"`) && !res.Has(`"INTERNAL"`)
		if !unavailable && (res.Status != 200 || !bytes.Equal(res.Body, expected[path])) {
			svc.T.Errorf("%s: got %d %.150s, want the expected body or 503", path, res.Status, res.Body)
		}
	}
	ended := make(chan struct{})
	for name, fault := range map[string]func(mongotest.Command) mongotest.Action{
		"cut":        func(mongotest.Command) mongotest.Action { return mongotest.Action{HangUp: true} },
		"lost reply": func(mongotest.Command) mongotest.Action { return mongotest.Action{HangUp: true, Forward: true} },
		"delayed":    func(mongotest.Command) mongotest.Action { time.Sleep(2 * time.Second); return mongotest.Action{} },
		"swallowed":  func(mongotest.Command) mongotest.Action { <-ended; return mongotest.Action{HangUp: true} },
	} {
		t.Run(name, func(t *testing.T) {
			svc.T = t
			svc.Advance(3 * time.Minute) // everything expires
			untilOK(cached)
			network.Handle(fault)
			if name == "cut" {
				network.Cut()
			}
			var all sync.WaitGroup
			for range 6 {
				all.Go(func() {
					for path := range expected {
						check(path)
					}
				})
			}
			if res := svc.Request("GET", cached, ""); !res.Hit() || !bytes.Equal(res.Body, expected[cached]) {
				t.Errorf("a cached response: got %d %.200s, want a hit", res.Status, res.Body)
			}
			svc.Advance(150 * time.Second)
			if res := svc.Request("GET", cached, ""); name != "delayed" &&
				(!strings.Contains(res.Header.Get("Cache-Status"), "ttl=-") || !bytes.Equal(res.Body, expected[cached])) {
				t.Errorf("a stale response: got %d %q %.200s", res.Status, res.Header.Get("Cache-Status"), res.Body)
			}
			all.Wait()
			network.Handle(nil)
			if name == "swallowed" {
				close(ended)
			}
			svc.Advance(3 * time.Minute)
			for path, body := range expected {
				if res := untilOK(path); !bytes.Equal(res.Body, body) {
					t.Errorf("%s after the fault: got %.150s", path, res.Body)
				}
			}
		})
	}
}
