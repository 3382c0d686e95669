package account

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// bucketState is a bucket of the field rateLimit, of "remaining/limit".
func bucketState(bucket, state string) string {
	remaining, limit, _ := strings.Cut(state, "/")
	return fmt.Sprintf(`{"bucket":%q,"remaining":%s,"limit":%s,"window":60}`, bucket, remaining, limit)
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
			request := func(query string) apptest.Response {
				t.Helper()
				res := apptest.Get(t, p.Base+"/graphql?query="+url.QueryEscape(query), c.header, c.value)
				if res.Status != 200 || !res.Has(`"countedBy":"`+c.countedBy+`"`) {
					t.Fatalf("%d %s", res.Status, res.Body)
				}
				return res
			}
			const what = `rateLimit{countedBy buckets{bucket remaining limit window} unitFields query{tokens depth cost body}}`
			res := request("{" + what + " questSummary{quests}}")
			for _, want := range []string{
				bucketState("ITEMS", c.items), bucketState("MAP", c.maps), bucketState("PLAYER", c.player), `"cost":{"MAP":1}`,
				`"unitFields":15000,"query":{"tokens":1000,"depth":12,"cost":750000,"body":65536}`,
			} {
				if !res.Has(want) || bytes.Count(res.Body, []byte(`"window":60`)) != 7 {
					t.Errorf("got %s, want %s", res.Body, want)
				}
			}
			left, _, _ := strings.Cut(c.maps, "/")
			res.Expect(t, c.name, 200, "RateLimit-Bucket", "MAP", "RateLimit-Remaining", left,
				"Cache-Control", "max-age=0, private, no-store")
			for range 20 {
				res = request("{" + what + "}")
			}
			if res.Has(`"cost":{"`) || res.Header.Get("RateLimit-Bucket") != "SHARED" || !res.Has(bucketState("PLAYER", c.player)) {
				t.Errorf("got %s, want no charge", res.Body)
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
