package app_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
)

// cachePolicy is extensions.cache.
type cachePolicy struct {
	MaxAge int
	Scope  string
}

// graphqlGet runs a query by GET and returns its data and policy too.
func (svc *testService) graphqlGet(t *testing.T, query string, headers ...string) (res response, data string,
	p cachePolicy,
) {
	t.Helper()
	res = svc.request("GET", "/graphql?query="+url.QueryEscape(query), "", headers...)
	var body struct {
		Data       json.RawMessage
		Errors     []any
		Extensions struct{ Cache cachePolicy }
	}
	if err := json.Unmarshal(res.body, &body); err != nil || len(body.Errors) > 0 || res.status != 200 {
		t.Fatalf("%s: %v, %.300s", query, err, res.body)
	}
	return res, string(body.Data), body.Extensions.Cache
}

// The policy of a response is that of the shortest-lived and most personal field selected, however deep.
func TestPolicyOfNestedFields(t *testing.T) {
	svc := newTestService(t)
	owner, _ := svc.createOwner("Salted")
	guild := `guild(by:{name:"Lantern Row"})`
	for query, want := range map[string]cachePolicy{
		`{guildSeason(by:{number:28}){number}}`:                                         {600, "SHARED"},
		`{` + guild + `{name}}`:                                                         {120, "USER"},
		`{` + guild + `{members(first:2){nodes{player{username}}}}}`:                    {120, "USER"},
		`{` + guild + `{members(first:2){nodes{player{online}}}}}`:                      {30, "USER"},
		`{` + guild + `{territories(first:1){nodes{name}}}}`:                            {10, "USER"},
		`{statistics{players online{players} territories{unclaimed}}}`:                  {10, "SHARED"},
		`{search(query:"Salted"){players{nodes{username}}}}`:                            {120, "USER"},
		`{guildSeason(by:{number:28}){leaderboard{entries(first:1){nodes{position}}}}}`: {600, "USER"},
	} {
		for _, headers := range [][]string{nil, {"Authorization", owner}} {
			res, _, got := svc.graphqlGet(t, query, headers...)
			if got != want {
				t.Errorf("%s, %v: got %+v, want %+v", query, headers != nil, got, want)
			}
			control := res.header.Get("Cache-Control")
			if !strings.Contains(control, fmt.Sprintf("max-age=%d", want.MaxAge)) ||
				strings.Contains(control, "private") != (want.Scope == "USER") {
				t.Errorf("%s, %v: got Cache-Control %s", query, headers != nil, control)
			}
		}
		// The response again is the same, and not sent to those who have it.
		res, _, _ := svc.graphqlGet(t, query)
		tag := res.header.Get("ETag")
		again := svc.request("GET", "/graphql?query="+url.QueryEscape(query), "", "If-None-Match", tag)
		if tag == "" || again.status != 304 || len(again.body) != 0 {
			t.Errorf("%s: got ETag %q, then %d with it", query, tag, again.status)
		}
	}
}

// Owners see what they hide from others at every place where they are shown, and guests do not afterwards.
func TestOwnersSeeThemselvesBelowEveryRoot(t *testing.T) {
	svc := newTestService(t)
	owner, _ := svc.createOwner("Veiled")
	uuid := castUUID("Veiled")
	_, data, _ := svc.graphqlGet(t, `{player(by:{uuid:"`+uuid+`"}){id guild{uuid}}}`)
	var player struct {
		Player struct {
			ID    string
			Guild *struct{ UUID string }
		}
	}
	if err := json.Unmarshal([]byte(data), &player); err != nil {
		t.Fatal(err)
	}
	const fields = `{uuid globalData{wars}}`
	queries := []string{
		`{player(by:{username:"Veiled"})` + fields + `}`,
		`{node(id:"` + player.Player.ID + `"){...on Player` + fields + `}}`,
		`{nodes(ids:["` + player.Player.ID + `"]){...on Player` + fields + `}}`,
		`{players(filter:{uuids:["` + uuid + `"]}){nodes` + fields + `}}`,
		`{search(query:"Veiled"){players{nodes` + fields + `}}}`,
	}
	if g := player.Player.Guild; g != nil {
		queries = append(queries, `{guild(by:{uuid:"`+g.UUID+`"}){members(first:1000){nodes{player`+fields+`}}}}`)
	}
	hidden, shown := `{"uuid":"`+uuid+`","globalData":null}`, `{"uuid":"`+uuid+`","globalData":{"wars":`
	for _, query := range queries {
		svc.advance(25 * time.Hour)
		for _, v := range []struct {
			who, want string
			headers   []string
		}{{"a guest", hidden, nil}, {"the owner", shown, []string{"Authorization", owner}}, {"a guest afterwards", hidden, nil}} {
			if _, data, _ := svc.graphqlGet(t, query, v.headers...); !strings.Contains(data, v.want) {
				t.Errorf("%s: %s got %.300s, want %s", query, v.who, data, v.want)
			}
		}
	}
}
