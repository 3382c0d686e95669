package account

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/internal/app/apptest"
)

type rateLimitState struct {
	CountedBy string
	Buckets   []struct {
		Bucket                          string
		Limit, Remaining, Reset, Window int
	}
	UnitFields int
	Query      struct{ Tokens, Depth, Cost, Body int }
}

func (l rateLimitState) remaining(bucket string) string {
	for _, b := range l.Buckets {
		if b.Bucket == bucket {
			return fmt.Sprintf("%d/%d", b.Remaining, b.Limit)
		}
	}
	return "none"
}

// The field rateLimit is free of charge, and its numbers equal the headers. The limit of a bucket applies to both APIs.
func TestRateLimitField(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--guest-rate", "50", "--rates", "ITEMS.guest=7,ITEMS.token=9,LEADERBOARDS.guest=3",
		"--rates", "MAP.oauth=5")
	reader := apptest.CreateMember(t, dir, "Okapi")
	user := signedUp(t, p, "Salted")
	for _, c := range []struct{ name, header, value, countedBy, items, maps, player string }{
		{"guest", "X-Nothing", "", "ADDRESS", "7/7", "49/50", "50/50"},
		{"session", "Cookie", "__Host-session=" + user.cookies["__Host-session"], "USER", "120/120", "119/120", "120/120"},
		{"token", "Authorization", "Bearer " + apptest.CreateToken(t, dir, reader), "TOKEN", "9/9", "119/120", "120/120"},
		{
			"application", "Authorization", "Bearer " + user.allow(p, user.register(), ""), "GRANT", "120/120", "4/5",
			"120/120",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := func(query string) (apptest.Response, rateLimitState, map[string]any) {
				t.Helper()
				res := apptest.Get(t, p.Base+"/graphql?query="+url.QueryEscape(query), c.header, c.value)
				body := apptest.Decode[struct {
					Data       struct{ RateLimit rateLimitState }
					Extensions struct{ Cost map[string]any }
				}](t, res.Body)
				if res.Status != 200 || body.Data.RateLimit.CountedBy != c.countedBy {
					t.Fatalf("%d %s", res.Status, res.Body)
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
				len(l.Buckets) != 7 || l.Buckets[0].Window != 60 {
				t.Errorf("left: %+v", l)
			}
			left, _, _ := strings.Cut(c.maps, "/")
			res.Expect(t, c.name, 200, "RateLimit-Bucket", "MAP", "RateLimit-Remaining", left,
				"Cache-Control", "max-age=0, private, no-store")
			if l.UnitFields != 15_000 || l.Query.Tokens != 1000 || l.Query.Depth != 12 || l.Query.Cost != 750_000 ||
				l.Query.Body != 64<<10 {
				t.Errorf("limits: %+v", l)
			}
			for range 20 {
				res, l, cost = request("{" + what + "}")
			}
			if len(cost) != 0 || res.Header.Get("RateLimit-Bucket") != "SHARED" || l.remaining("PLAYER") != c.player {
				t.Errorf("got the cost %v and %+v, want no charge", cost, l)
			}
		})
	}
	for i := range 4 {
		status := map[bool]int{true: 200, false: 429}[i < 3]
		apptest.Get(t, p.Base+"/v3/leaderboards/types").Expect(t, fmt.Sprint("request ", i), status, "RateLimit-Limit", "3")
	}
	if res := apptest.Get(t, p.Base+"/graphql?query={leaderboards{totalCount}}"); res.Status != 429 || !res.Has("bucket LEADERBOARDS") {
		t.Errorf("GraphQL: %d %s", res.Status, res.Body)
	}
}

// Creating a token is not charged, as mutation and as form, so it passes with both buckets spent. Everything else is
// charged.
func TestTokenCreationIsNotCharged(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--rates", "SHARED.session=1,PAGES.session=1")
	user := signedUp(t, p, "Salted") // ends on /account, which spends PAGES
	const edit = `mutation { updateToken(input: {id: "x", description: "y"}) { token { id } } }`
	user.mutate(edit, nil).Expect(t, "updateToken", 200)
	spent := func() {
		t.Helper()
		user.mutate(edit, nil).Expect(t, "updateToken", http.StatusTooManyRequests)
	}
	spent()
	res := user.mutate(createTokenMutation, map[string]any{"name": "laptop"})
	res.Expect(t, "createToken", 200, "RateLimit-Bucket", "SHARED", "RateLimit-Remaining", "0")
	if user.expectData(res)["createToken"]["value"] == nil || len(res.Extensions.Cost) != 0 {
		t.Errorf("createToken: %s", res.Body)
	}
	both := `mutation { createToken(input: {name: "phone"}) { value } signOut { account } }`
	user.mutate(both, nil).Expect(t, "createToken beside signOut", http.StatusTooManyRequests)
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
