package app_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

var cacheExtension = regexp.MustCompile(`,"cache":\{[^{}]*\}`)

// withoutCacheExtension returns the body of a GraphQL response without extensions.cache.
func withoutCacheExtension(body []byte) []byte { return cacheExtension.ReplaceAll(body, nil) }

// cacheInfo is extensions.cache of a GraphQL response.
type cacheInfo struct {
	MaxAge   int
	Scope    string
	Status   string
	Age, TTL int
	FilledBy string
}

func cacheInfoOf(t *testing.T, res response) cacheInfo {
	t.Helper()
	var body struct{ Extensions struct{ Cache cacheInfo } }
	if err := json.Unmarshal(res.body, &body); err != nil {
		t.Fatalf("%v: %s", err, res.body)
	}
	return body.Extensions.Cache
}

// extensions.cache of a GraphQL response by POST shows status and age, in every content encoding.
func TestCacheExtension(t *testing.T) {
	svc := newTestService(t)
	text := graphqlBody(`{player(by:{username:"Salted"}){username uuid characters{nodes{uuid type level}}}}`)
	post := func(headers ...string) response { return svc.request("POST", "/graphql", text, headers...) }
	svc.request("GET", "/v3/player/Salted", "").expect(t, "the record", 200)
	svc.advance(20 * time.Second)
	const age = 120
	for i, step := range []struct {
		after time.Duration
		away  bool
		want  cacheInfo
	}{
		{0, false, cacheInfo{age, "USER", "miss", 20, 100, "rest"}},
		{0, false, cacheInfo{age, "USER", "hit", 20, 100, "rest"}},
		{time.Second, false, cacheInfo{age, "USER", "hit", 21, 99, "rest"}},
		{99 * time.Second, false, cacheInfo{age, "USER", "miss", 100, 20, "graphql"}}, // the characters are of that age
		{19 * time.Second, true, cacheInfo{age, "USER", "hit", 119, 1, "graphql"}},
		{11 * time.Second, true, cacheInfo{age, "USER", "stale", 130, -10, "graphql"}},
	} {
		svc.advance(step.after)
		if step.away {
			svc.stopStore()
		}
		for _, coding := range []string{"identity", "gzip", "zstd"} {
			res := post("Accept-Encoding", coding)
			want := step.want
			if coding != "identity" && want.Status == "miss" {
				want.Status = "hit"
			}
			if got := cacheInfoOf(t, res.decoded(t)); got != want {
				t.Errorf("step %d, %s: %+v, want %+v", i, coding, got, want)
			}
			tag := res.header.Get("ETag")
			if !strings.HasPrefix(tag, `W/"`) {
				t.Errorf("got the ETag %s, want a weak one", tag)
			}
			if again := post("Accept-Encoding", coding, "If-None-Match", tag); len(again.body) > 0 {
				t.Errorf("a conditional POST: got %s, want no body", again.body)
			} else {
				again.expect(t, "a conditional POST", 304, "ETag", tag, "Cache-Control", "max-age=120, private")
			}
		}
	}
}

// decoded returns the response with its body decompressed. It checks Content-Length.
func (res response) decoded(t *testing.T) response {
	t.Helper()
	if n := res.header.Get("Content-Length"); n != strconv.Itoa(len(res.body)) {
		t.Errorf("Content-Length %s of %d bytes", n, len(res.body))
	}
	var from io.Reader = bytes.NewReader(res.body)
	switch res.header.Get("Content-Encoding") {
	case "gzip":
		z, err := gzip.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		from = z
	case "zstd":
		z, err := zstd.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		from = z
	}
	body, err := io.ReadAll(from)
	if err != nil {
		t.Error(err)
	}
	res.body = body
	return res
}

// Every content encoding has the same body and its own strong ETag, HEAD has every header of GET, and 304 has those
// that a cache needs.
func TestContentEncodings(t *testing.T) {
	svc := newTestService(t)
	for _, path := range []string{
		"/v3/player/Salted?fullResult", "/v3/guild/list/territory", "/v3/player/unknown",
		"/v3/player/Salted",
		"/graphql?query={player(by:{username:%22Salted%22}){username,characters{nodes{uuid,type,level,totalLevel,nickname,playtime}}}}",
		"/graphql?query={guilds(first:1000){nodes{name,prefix}}}",
	} {
		body, tags := "", map[string]string{}
		svc.request("GET", path, "")
		for _, coding := range []string{"identity", "gzip", "zstd"} {
			get, head := svc.request("GET", path, "", "Accept-Encoding", coding),
				svc.request("HEAD", path, "", "Accept-Encoding", coding)
			plain := get.decoded(t)
			if body == "" {
				body = string(plain.body)
			}
			if string(plain.body) != body || len(head.body) > 0 {
				t.Errorf("%s in %s: %.200s and %.200s, want %.200s", path, coding, plain.body, head.body, body)
			}
			for name, values := range get.header {
				if !slices.Equal(values, head.header[name]) && !strings.HasPrefix(name, "Ratelimit-Re") {
					t.Errorf("%s in %s: %s is %q, of HEAD %q", path, coding, name, values, head.header[name])
				}
			}
			if len(get.header) != len(head.header) {
				t.Errorf("%s in %s: %d headers, of HEAD %d", path, coding, len(get.header), len(head.header))
			}
			if get.status != 200 {
				continue
			}
			tag := get.header.Get("ETag")
			if !strings.HasPrefix(tag, `"`) || tags[tag] != "" && get.header.Get("Content-Encoding") != tags[tag] {
				t.Errorf("%s: %s has the tag %s of %q", path, coding, tag, tags[tag])
			}
			if e := get.header.Get("Content-Encoding"); e != "" {
				tags[tag] = e
			}
			not := svc.request("GET", path, "", "Accept-Encoding", coding, "If-None-Match", tag)
			not.expect(t, path, 304, "Content-Encoding", "", "Content-Length", "")
			for _, name := range []string{
				"Cache-Control", "Content-Location", "Date", "ETag", "Expires", "Vary", "Age",
				"Cache-Status",
			} {
				if !slices.Equal(not.header[name], get.header[name]) {
					t.Errorf("%s: %s is %q, of 304 %q", path, name, get.header[name], not.header[name])
				}
			}
		}
	}
}
