package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
)

// rateLimitState is the value of the field rateLimit.
type rateLimitState struct {
	CountedBy string
	Buckets   []struct {
		Bucket                          string
		Limit, Remaining, Reset, Window int
	}
	UnitFields int
	Query      struct{ Tokens, Depth, Cost, Body int }
}

// remaining returns the remaining quota and the limit of a bucket.
func (l rateLimitState) remaining(bucket string) string {
	for _, b := range l.Buckets {
		if b.Bucket == bucket {
			return fmt.Sprintf("%d/%d", b.Remaining, b.Limit)
		}
	}
	return "none"
}

// The field rateLimit is free of charge, and its numbers equal the headers.
func TestRateLimitField(t *testing.T) {
	t.Parallel()
	dir := demoDir(t)
	p := startService(t, "--demo", "--demo-still", "--players", "60", "--data-dir", dir, "--rates",
		"ITEMS.guest=7,ITEMS.token=9",
		"--rates", "MAP.oauth=5",
		"--query-depth", "9", "--max-body", "8KiB")
	joined, err := embedded.Join(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	store, err := mongo.Open(t.Context(), mongo.Options{Options: conn.Options{URI: joined.URI(), Dialer: joined, Timeout: 20 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close(t.Context())
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	createAccount(t, dir, "Reader")
	token := createToken(t, dir, "Reader")
	must(store.Accounts.Insert(t.Context(), &model.Account{ID: "user", Name: "User"}))
	must(store.Applications.Insert(t.Context(), &model.Application{ClientID: "board", Name: "Moss board"}))
	cookie, digest := newSecret("gds_")
	must(store.Sessions.Insert(t.Context(), &model.Session{
		Digest: digest, Account: "user",
		Expires: time.Now().Add(time.Hour),
	}))
	access, digest := newSecret("gd_")
	must(store.Grants.InsertToken(t.Context(), &model.AccessToken{
		Digest: digest, Account: "user", App: "board",
		Scopes: []string{"identify"}, Expires: time.Now().Add(time.Hour),
	}))

	for _, c := range []struct{ name, header, value, countedBy, items, maps, player string }{
		{"guest", "X-Nothing", "", "ADDRESS", "7/7", "49/50", "50/50"},
		{"session", "Cookie", "__Host-session=" + cookie, "USER", "120/120", "119/120", "120/120"},
		{
			"token", "Authorization", "Bearer " + token[strings.LastIndexByte(token, '\n')+1:], "TOKEN", "9/9", "119/120",
			"120/120",
		},
		{"application", "Authorization", "Bearer " + access, "GRANT", "120/120", "4/5", "120/120"},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := func(query string) (response, rateLimitState, map[string]any) {
				t.Helper()
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+"/graphql?query="+url.QueryEscape(query),
					nil)
				must(err)
				r.Header.Set(c.header, c.value)
				res := send(t, r, nil)
				body := decodeBody[struct {
					Data       struct{ RateLimit rateLimitState }
					Extensions struct{ Cost map[string]any }
				}](t, res.body)
				if res.status != 200 || body.Data.RateLimit.CountedBy != c.countedBy {
					t.Fatalf("%d %s", res.status, res.body)
				}
				return res, body.Data.RateLimit, body.Extensions.Cost
			}
			const what = `rateLimit{countedBy buckets{bucket limit remaining reset window} unitFields
				query{tokens depth cost body}}`
			res, l, cost := request("{" + what + " questSummary{quests}}")
			if diff := cmp.Diff(map[string]any{"MAP": 1.0}, cost); diff != "" {
				t.Error(diff)
			}
			if l.remaining("ITEMS") != c.items || l.remaining("MAP") != c.maps || l.remaining("PLAYER") != c.player ||
				len(l.Buckets) != 6 ||
				l.Buckets[0].Window != 60 {
				t.Errorf("left: %+v", l)
			}
			if res.header.Get("RateLimit-Bucket") != "MAP" || res.header.Get("RateLimit-Remaining")+"/"+
				res.header.Get("RateLimit-Limit") != l.remaining("MAP") {
				t.Errorf("headers: got %s %s, want MAP %s", res.header.Get("RateLimit-Bucket"),
					res.header.Get("RateLimit-Remaining"), l.remaining("MAP"))
			}
			if l.UnitFields != 15_000 || l.Query.Tokens != 1000 || l.Query.Depth != 9 || l.Query.Cost != 750_000 ||
				l.Query.Body != 8<<10 {
				t.Errorf("limits: %+v", l)
			}
			if res.header.Get("Cache-Control") != "max-age=0, private, no-store" {
				t.Error(res.header.Get("Cache-Control"))
			}
			times := 20
			if c.name == "guest" {
				times = 1000
			}
			for range times {
				res, l, cost = request("{" + what + "}")
			}
			if len(cost) != 0 || res.header.Get("RateLimit-Bucket") != "SHARED" ||
				res.header.Get("RateLimit-Remaining") != strings.SplitN(c.player, "/", 2)[0] {
				t.Errorf("got the cost %v and the headers %s %s, want no charge", cost, res.header.Get("RateLimit-Bucket"),
					res.header.Get("RateLimit-Remaining"))
			}
			for _, b := range l.Buckets {
				if b.Bucket != "MAP" && b.Remaining != b.Limit {
					t.Errorf("%s has %d left of %d", b.Bucket, b.Remaining, b.Limit)
				}
			}
		})
	}
}

// The limit of a bucket applies to both APIs.
func TestBucketRateOverrides(t *testing.T) {
	p := startService(t, "--demo", "--demo-still", "--players", "60", "--data-dir", demoDir(t), "--rates",
		"SHARED.guest=3")
	for i := range 4 {
		r, body := get(t, p.base+"/v3/classes")
		if want := map[bool]int{true: 200, false: 429}[i < 3]; r.StatusCode != want ||
			r.Header.Get("RateLimit-Limit") != "3" {
			t.Errorf("request %d: %d, limit %s: %s", i, r.StatusCode, r.Header.Get("RateLimit-Limit"), body)
		}
	}
	r, body := get(t, p.base+"/graphql?query={classes{id}}")
	if r.StatusCode != 429 || !strings.Contains(body, "bucket SHARED") {
		t.Errorf("GraphQL: %d %s", r.StatusCode, body)
	}
	if r, _ := get(t, p.base+"/v3/player"); r.StatusCode != 200 || r.Header.Get("RateLimit-Limit") != "50" {
		t.Errorf("another bucket: %d, limit %s", r.StatusCode, r.Header.Get("RateLimit-Limit"))
	}
}

// Creating a token is not charged, as mutation and as form, so it passes with SHARED spent. Everything else is charged.
func TestTokenCreationIsNotCharged(t *testing.T) {
	t.Parallel()
	p, _ := serveDemo(t, "--rates", "SHARED.session=1")
	user := newWebUser(t, p)
	user.signUp("Salted").expect(200) // ends on /account, which spends SHARED
	spent := func() {
		t.Helper()
		const edit = `mutation { editToken(input: {id: "x", description: "y"}) { token { id } } }`
		if res := user.mutate(edit, nil); res.status != http.StatusTooManyRequests {
			t.Fatalf("editToken: got %d %s, want 429", res.status, res.body)
		}
	}
	spent()
	res := user.mutate(createTokenMutation, map[string]any{"name": "laptop"})
	if user.expectData(res)["createToken"]["value"] == nil || len(res.Extensions.Cost) != 0 ||
		res.header.Get("RateLimit-Bucket") != "SHARED" || res.header.Get("RateLimit-Remaining") != "0" {
		t.Errorf("createToken: %v %s", res.header, res.body)
	}
	both := `mutation { createToken(input: {name: "phone"}) { value } signOut { account } }`
	if res := user.mutate(both, nil); res.status != http.StatusTooManyRequests {
		t.Errorf("createToken beside signOut: got %d %s, want 429", res.status, res.body)
	}
	form := url.Values{"form": {attribute(find(user.page, hidden), "value")}, "name": {"clock"}}
	user.send(http.MethodPost, "/account/tokens/create", form)
	user.expect(200)
	if !strings.HasPrefix(user.fieldValue("created-secret"), "gdt_") {
		t.Error("the form shows no token")
	}
	user.send(http.MethodPost, "/account/players/link", form)
	user.expect(429)
	spent()
}

// A page that is charged to several buckets is charged to all of them or, if one rejects it, to none.
func TestRejectedPageIsNotCharged(t *testing.T) {
	t.Parallel()
	p := startService(t, "--demo", "--demo-still", "--players", "60", "--data-dir", demoDir(t), "--rates",
		"PLAYER.guest=1000,GUILD.guest=2,SHARED.guest=1000")
	charged := func() map[string]bool {
		var body struct {
			Data struct {
				RateLimit struct {
					Buckets []struct {
						Bucket           string
						Limit, Remaining int
					}
				}
			}
		}
		if err := json.Unmarshal(requestOK(t, p.base, "GET", "/graphql?query={rateLimit{buckets{bucket,limit,remaining}}}",
			""),
			&body); err != nil {
			t.Fatal(err)
		}
		out := map[string]bool{}
		for _, b := range body.Data.RateLimit.Buckets {
			if b.Limit == 1000 { // one unit is refilled every 60 ms
				out[b.Bucket] = b.Remaining < 990
			}
		}
		return out
	}
	rejected := 0
	for range 40 {
		if r, body := get(t, p.base+"/"); r.StatusCode == http.StatusTooManyRequests {
			if rejected++; r.Header.Get("RateLimit-Bucket") != "GUILD" || r.Header.Get("Retry-After") == "" {
				t.Fatalf("%v %.200s", r.Header, body)
			}
		}
	}
	if rejected < 30 {
		t.Errorf("got %d rejected pages of 40, want at least 30", rejected)
	}
	for bucket, many := range charged() {
		if many {
			t.Errorf("rejected pages were charged to %s", bucket)
		}
	}
}
