package app_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// Clients may send a document once and then refer to it by its hash, by POST and by GET, as Apollo's clients do.
func TestPersistedQueries(t *testing.T) {
	svc := newTestService(t)
	const document = `query Page($name: String!) { player(by:{reference:$name}) { username rank } }`
	sum := sha256.Sum256([]byte(document))
	hash := hex.EncodeToString(sum[:])
	extensions := func(hash string) string {
		return `{"persistedQuery":{"version":1,"sha256Hash":"` + hash + `"}}`
	}
	const salted, okapi = `{"name":"Salted"}`, `{"name":"Okapi"}`
	post := func(query, variables, extensions string) response {
		members := map[string]any{"variables": json.RawMessage(variables), "extensions": json.RawMessage(extensions)}
		if query != "" {
			members["query"] = query
		}
		body, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		return svc.request("POST", "/graphql", string(body))
	}
	get := func(variables, extensions string, headers ...string) response {
		path := "/graphql?variables=" + url.QueryEscape(variables) + "&extensions=" + url.QueryEscape(extensions)
		return svc.request("GET", path, "", headers...)
	}
	expectUnknown := func(name string, res response) {
		t.Helper()
		var body struct {
			Errors []struct {
				Message    string
				Extensions struct{ Code string }
			}
		}
		err := json.Unmarshal(res.body, &body)
		if res.expect(t, name, 200, "Cache-Control", "max-age=0, private, no-store", "ETag", ""); err != nil ||
			len(body.Errors) != 1 ||
			body.Errors[0].Message != "PersistedQueryNotFound" || body.Errors[0].Extensions.Code != "PERSISTED_QUERY_NOT_FOUND" {
			t.Errorf("%s: %s", name, res.body)
		}
	}
	expectUnknown("by POST", post("", salted, extensions(hash)))
	expectUnknown("by GET", get(salted, extensions(hash)))
	first := post(document, salted, extensions(hash))
	if !strings.Contains(string(first.body), `"username":"Salted"`) {
		t.Fatalf("with its text: %s", first.body)
	}
	for name, res := range map[string]response{
		"by POST": post("", salted, extensions(hash)), "by GET": get(salted,
			extensions(hash)),
		"in capitals": post("", salted, extensions(strings.ToUpper(hash))),
	} {
		if !bytes.Equal(withoutCacheExtension(res.body), withoutCacheExtension(first.body)) || !res.isHit() {
			t.Errorf("%s: %s, %s", name, res.header.Get("Cache-Status"), res.body)
		}
	}
	if other := post("", okapi, extensions(hash)); !strings.Contains(string(other.body), `"username":"Okapi"`) {
		t.Errorf("other variables: %s", other.body)
	}
	res := get(salted, extensions(hash))
	get(salted, extensions(hash), "If-None-Match", res.header.Get("ETag")).expect(t, "304", 304, "Cache-Control",
		"max-age=120, private")
	// A document may be sent by GET too; a SHARED response is public.
	seasons := "{guildSeasons{nodes{number}}}"
	sum = sha256.Sum256([]byte(seasons))
	shared := extensions(hex.EncodeToString(sum[:]))
	path := "/graphql?query=" + seasons + "&extensions=" + url.QueryEscape(shared)
	svc.request("GET", path, "").expect(t, "with its text", 200)
	get("{}", shared).expect(t, "shared", 200, "Cache-Control", "max-age=600, public", "Access-Control-Allow-Origin", "*")

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
		post(document, salted, extensions).expect(t, name, 400, "Cache-Control", "max-age=0, private, no-store")
	}
	post(document, salted, `{"persistedQuery":null,"other":1}`).expect(t, "none", 200)
	// An invalid document is not stored.
	sum = sha256.Sum256([]byte("{nonsense"))
	nonsense := extensions(hex.EncodeToString(sum[:]))
	post("{nonsense", "{}", nonsense).expect(t, "nonsense", 200)
	expectUnknown("nonsense", post("", "{}", nonsense))
}
