package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// Clients may send a document once and then refer to it by its hash, by POST and by GET, as Apollo's clients do.
func TestPersistedQueries(t *testing.T) {
	svc := apptest.NewService(t)
	const document = `query Page($name: String!) { player(by:{reference:$name}) { username rank{key} } }`
	hashOf := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	hash := hashOf(document)
	extensions := func(hash string) string {
		return `{"persistedQuery":{"version":1,"sha256Hash":"` + hash + `"}}`
	}
	const salted, okapi = `{"name":"Salted"}`, `{"name":"Okapi"}`
	post := func(query, variables, extensions string) apptest.Response {
		members := map[string]any{"variables": json.RawMessage(variables), "extensions": json.RawMessage(extensions)}
		if query != "" {
			members["query"] = query
		}
		body, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		return svc.Request("POST", "/graphql", string(body))
	}
	get := func(variables, extensions string, headers ...string) apptest.Response {
		path := "/graphql?variables=" + url.QueryEscape(variables) + "&extensions=" + url.QueryEscape(extensions)
		return svc.Request("GET", path, "", headers...)
	}
	expectUnknown := func(name string, res apptest.Response) {
		t.Helper()
		res.Expect(t, name, 200, "Cache-Control", "max-age=0, private, no-store", "ETag", "")
		const want = `{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]`
		if !res.Has(want) {
			t.Errorf("%s: got %s, want %s", name, res.Body, want)
		}
	}
	expectUnknown("by POST", post("", salted, extensions(hash)))
	expectUnknown("by GET", get(salted, extensions(hash)))
	first := post(document, salted, extensions(hash))
	if !strings.Contains(string(first.Body), `"username":"Salted"`) {
		t.Fatalf("with its text: %s", first.Body)
	}
	for name, res := range map[string]apptest.Response{
		"by POST": post("", salted, extensions(hash)), "by GET": get(salted, extensions(hash)),
		"in capitals": post("", salted, extensions(strings.ToUpper(hash))),
	} {
		if !bytes.Equal(withoutCacheExtension(res.Body), withoutCacheExtension(first.Body)) || !res.Hit() {
			t.Errorf("%s: %s, %s", name, res.Header.Get("Cache-Status"), res.Body)
		}
	}
	if other := post("", okapi, extensions(hash)); !strings.Contains(string(other.Body), `"username":"Okapi"`) {
		t.Errorf("other variables: %s", other.Body)
	}
	res := get(salted, extensions(hash))
	get(salted, extensions(hash), "If-None-Match", res.Header.Get("ETag")).Expect(t, "304", 304, "Cache-Control",
		"max-age=120, private")
	// A document may be sent by GET too; a SHARED response is public.
	seasons := "{guildSeasons{nodes{number}}}"
	shared := extensions(hashOf(seasons))
	path := "/graphql?query=" + seasons + "&extensions=" + url.QueryEscape(shared)
	svc.Request("GET", path, "").Expect(t, "with its text", 200)
	get("{}", shared).Expect(t, "shared", 200, "Cache-Control", "max-age=600, public", "Access-Control-Allow-Origin", "*")

	for name, extensions := range map[string]string{
		"another hash":    extensions(strings.Repeat("0", 64)),
		"a short hash":    extensions("abc"),
		"no hash":         extensions(""),
		"no hexadecimals": extensions(strings.Repeat("z", 64)),
		"a long hash":     extensions(strings.Repeat("0", 10_000)),
		"an operator":     `{"persistedQuery":{"version":1,"sha256Hash":{"$ne":""}}}`,
		"a list":          `{"persistedQuery":[]}`,
		"another version": `{"persistedQuery":{"version":2,"sha256Hash":"` + hash + `"}}`,
		"no version":      `{"persistedQuery":{"sha256Hash":"` + hash + `"}}`,
	} {
		post(document, salted, extensions).Expect(t, name, 400, "Cache-Control", "max-age=0, private, no-store")
	}
	post(document, salted, `{"persistedQuery":null,"other":1}`).Expect(t, "none", 200)
	// An invalid document is not stored.
	nonsense := extensions(hashOf("{nonsense"))
	post("{nonsense", "{}", nonsense).Expect(t, "nonsense", 200)
	expectUnknown("nonsense", post("", "{}", nonsense))
}
