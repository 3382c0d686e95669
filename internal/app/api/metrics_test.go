package api

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/buildinfo"
)

// sample returns the value of a metric with its labels, 0 if it is missing.
func sample(t *testing.T, page, name string) float64 {
	t.Helper()
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(page)
	if m == nil {
		return 0
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Metrics count requests and contain no text that callers sent.
func TestMetrics(t *testing.T) {
	p, _ := apptest.StartDemo(t, "--admin-listen", "127.0.0.1:0", "--token-rate", "1")
	base := apptest.AdminBase(t, p)
	scrape := func() string { res := apptest.Get(t, base+"/metrics"); return string(res.Body) }
	apptest.RequestOK(t, p.Base, "GET", "/v3/player/Salted", "")
	apptest.RequestOK(t, p.Base, "GET", "/v3/player/Salted", "")
	apptest.Get(t, p.Base+"/v3/player/Absentee")
	apptest.Get(t, p.Base+"/v3/made-up")
	query := graphqlBody(`query Madeup {
		guild(by: { name: "Mossbound Company" }) { name members(first: 3) { nodes { player { username } } } }
	}`)
	apptest.RequestOK(t, p.Base, "POST", "/graphql", query)
	apptest.RequestOK(t, p.Base, "POST", "/graphql", graphqlBody(
		`query Madeup { a: guild(by: { name: "x" }) { name } player(by: {username: "Salted"}) { username } }`))
	apptest.GraphQL(t, p.Base, "{ madeup }", nil)
	page := scrape()
	for name, want := range map[string]float64{
		`gamedata_requests_total{api="rest",operation="Player",status="2xx"}`:                 2,
		`gamedata_requests_total{api="rest",operation="Player",status="4xx"}`:                 1,
		`gamedata_requests_total{api="other",operation="none",status="4xx"}`:                  1,
		`gamedata_requests_total{api="graphql",operation="guild",status="2xx"}`:               1,
		`gamedata_requests_total{api="graphql",operation="several",status="2xx"}`:             1,
		`gamedata_requests_total{api="graphql",operation="none",status="2xx"}`:                1,
		`gamedata_request_duration_seconds_count{api="rest",operation="Player"}`:              3,
		`gamedata_response_cache_requests_total{api="rest",operation="Player",result="hit"}`:  1,
		`gamedata_response_cache_requests_total{api="rest",operation="Player",result="miss"}`: 1,
		`gamedata_limiter_decisions_total{bucket="PLAYER",decision="allowed"}`:                3,
		`gamedata_loader_batch_keys_count{loader="GuildByName"}`:                              2,
		`gamedata_build_info{version="` + buildinfo.Version + `"}`:                            1,
		`gamedata_job_last_success_timestamp_seconds{job_name="leaderboards"}`:                0,
	} {
		if got := sample(t, page, name); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	if n := sample(t, page, `gamedata_store_commands_total{collection="guilds",command="find",result="ok"}`); n < 1 {
		t.Errorf("got %v find commands for guilds, want at least 1", n)
	}
	if sample(t, page, "gamedata_operations_limit") == 0 || !strings.Contains(page, "\ngamedata_store_circuit_open 0\n") {
		t.Error("got no metrics of load shedding or of the store's circuit breaker")
	}
	for _, cached := range []string{"response", "record"} {
		if bytes := sample(t, page, "gamedata_"+cached+"_cache_bytes"); bytes < 1000 || bytes > 64<<20 ||
			!strings.Contains(page, "\ngamedata_"+cached+"_cache_evictions_total 0\n") {
			t.Errorf("%s cache: got %v bytes, or no evictions metric", cached, bytes)
		}
	}
	lower := strings.ToLower(page)
	for _, text := range []string{"madeup", "made-up", "absentee", "salted", "mossbound"} {
		if strings.Contains(lower, text) {
			t.Errorf("a metric contains the caller's text %s", text)
		}
	}
	if sample(t, page, "go_goroutines") == 0 {
		t.Error("got no metrics of the Go runtime")
	}
	// Other paths add no series: their number does not depend on callers.
	series := func(page string) int {
		return len(slices.DeleteFunc(strings.Split(page, "\n"), func(l string) bool {
			return strings.HasPrefix(l, "#") ||
				!strings.HasPrefix(l, "gamedata_")
		}))
	}
	before := series(page)
	for _, path := range []string{"/v3/a", "/v3/b/c", "/d", "/v3/player/e", "/v3/player/f"} {
		apptest.Get(t, p.Base+path)
	}
	if after := series(scrape()); after > before+40 {
		t.Errorf("got %d series, want at most %d", after, before+40)
	}
}
