package graphqlhttp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"gamedata/internal/graphqlhttp"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

// post is the body of a POST with that query.
func post(query string) string {
	body, _ := json.Marshal(map[string]string{"query": query})
	return string(body)
}

func get(query string) string { return "/graphql?query=" + url.QueryEscape(query) }

// bypass ends the body of an operation that is not cacheable.
const bypass = `"cache":{"maxAge":0,"scope":"USER","status":"bypass","age":0,"ttl":0,"filledBy":"graphql"}}}`

// miss ends the body of a new response.
func miss(maxAge int, scope string) string {
	return fmt.Sprintf(`"cache":{"maxAge":%d,"scope":"%s","status":"miss","age":0,"ttl":%[1]d,"filledBy":"graphql"}}}`,
		maxAge, scope)
}

func TestGraphQL(t *testing.T) {
	const path = "/graphql"
	cases := map[string]struct {
		method, path, body string
		status             int
		response           string // whole body
		headers            []string
	}{
		"POST": {
			"POST", path, post("{ items }"), 200,
			`{"data":{"items":"items for guest at invalid IP"},"extensions":{"cost":{"ITEMS":1},` + miss(3600, "SHARED"),
			[]string{
				"Cache-Control", "max-age=3600, public", "RateLimit-Bucket", "ITEMS", "RateLimit-Remaining", "49", "Allow", "",
			},
		},
		"GET": {
			"GET", get("{ player }"), "", 200,
			`{"data":{"player":"player for guest at invalid IP"},"extensions":{"cost":{"PLAYER":1},` +
				`"cache":{"maxAge":120,"scope":"USER"}}}`,
			[]string{"Cache-Control", "max-age=120, private", "RateLimit-Bucket", "PLAYER", "Access-Control-Allow-Origin", "*"},
		},
		"several buckets": {
			"POST", path, post("{ a: items b: items items player shared }"), 200, "",
			[]string{"Cache-Control", "max-age=60, private", "RateLimit-Bucket", "ITEMS", "RateLimit-Remaining", "47"},
		},
		"no store": {
			"GET", get("{ whoami items }"), "", 200, "",
			[]string{"Cache-Control", "max-age=0, private, no-store", "ETag", "", "Access-Control-Allow-Origin", ""},
		},
		"mutation": {
			"POST", path, `{"query": "mutation M($n: String!) { rename(name: $n) }", "variables": {"n": "Moss"}}`,
			200,
			`{"data":{"rename":"Moss"},"extensions":{"cost":{"PLAYER":1},` + bypass,
			[]string{"Cache-Control", "max-age=0, private, no-store"},
		},
		"chosen operation": {
			"POST", path, `{"query": "query A { items } query B { player }", ` +
				`"operationName": "B", "extra": 1, "extensions": {}, "variables": null}`, 200,
			`{"data":{"player":"player for guest at invalid IP"},"extensions":{"cost":{"PLAYER":1},` + miss(120, "USER"), nil,
		},
		"variables by GET": {
			"GET", get("query($p: Int) { items(page: $p) }") + "&variables=" + url.QueryEscape(`{"p": 2}`),
			"", 200, "", nil,
		},
		"field error": {
			"POST", path, post("{ missing player }"), 200,
			`{"errors":[{"message":"Resource not found.","path":["missing"],` +
				`"locations":[{"line":1,"column":3}],"extensions":{"code":"NOT_FOUND"}}],` +
				`"data":{"missing":null,"player":"player for guest at invalid IP"},"extensions":{"cost":{"PLAYER":2},` + bypass,
			[]string{"Cache-Control", "max-age=0, private, no-store", "ETag", ""},
		},
		"nothing left": {
			"POST", path, post("{ needed }"), 200,
			`{"errors":[{"message":"Resource not found.","path":["needed"],"locations":[{"line":1,"column":3}],` +
				`"extensions":{"code":"NOT_FOUND"}}],` +
				`"data":null,"extensions":{"cost":{"PLAYER":1},` + bypass, nil,
		},
		"hidden error": {
			"POST", path, post("{ broken }"), 200,
			`{"errors":[{"message":"Internal error.","path":["broken"],"locations":[{"line":1,"column":3}],` +
				`"extensions":{"code":"INTERNAL"}}],` +
				`"data":{"broken":null},"extensions":{"cost":{"PLAYER":1},` + bypass, nil,
		},
		"deadline": {
			"POST", path, post("{ slow }"), 200,
			`{"errors":[{"message":"The service is not available right now.","path":["slow"],` +
				`"locations":[{"line":1,"column":3}],` +
				`"extensions":{"code":"SERVICE_UNAVAILABLE"}}],` +
				`"data":{"slow":null},"extensions":{"cost":{"PLAYER":1},` + bypass, nil,
		},
		"introspection": {"POST", path, post("{ __typename }"), 200, "", []string{"RateLimit-Bucket", "SHARED"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g := serveGraphQL(t, nil).Do(c.method, c.path, c.body)
			g.HasCommonHeaders(t)
			g.Has(t, c.status, c.headers...)
			if c.response != "" && g.Text != c.response {
				t.Errorf("body %s\nwant %s", g.Text, c.response)
			}
			if strings.Contains(g.Text, "secret") {
				t.Errorf("body shows %s", g.Text)
			}
		})
	}
}

func TestGraphQLRefuses(t *testing.T) {
	const path, malformed, invalid = "/graphql", "MALFORMED_PAYLOAD", "INVALID_QUERY_PARAMS"
	const unsupported, invalidDocument = "UNSUPPORTED_MEDIA_TYPE", "GRAPHQL_VALIDATION_FAILED"
	const rename, missing = `mutation { rename(name: "x") }`, "query($p: Int!) { items(page: $p) }"
	const withPage, twice = `{"query": "query($p: Int) { items(page: $p) }", "variables": `, `{"p": 1, "p": 2}`
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	ofQuery := []string{"Content-Type", "application/graphql"}
	bearer, two := []string{"Authorization", "Bearer gd_x"}, []string{"Authorization", "a", "Authorization", "b"}
	cases := map[string]struct {
		method, path, body string
		headers            []string
		status             int
		code               string
	}{
		"no body":                {"POST", path, "", nil, 400, malformed},
		"no query":               {"POST", path, `{}`, nil, 400, malformed},
		"null query":             {"POST", path, `{"query": null}`, nil, 400, malformed},
		"name in capitals":       {"POST", path, `{"QUERY": "{ items }"}`, nil, 400, malformed},
		"query is a number":      {"POST", path, `{"query": 1}`, nil, 400, malformed},
		"variables are a list":   {"POST", path, `{"query": "{ items }", "variables": []}`, nil, 400, malformed},
		"operation is a number":  {"POST", path, `{"query": "{ items }", "operationName": 1}`, nil, 400, malformed},
		"extensions are text":    {"POST", path, `{"query": "{ items }", "extensions": ""}`, nil, 400, malformed},
		"batch":                  {"POST", path, `[{"query": "{ items }"}]`, nil, 400, malformed},
		"duplicate query":        {"POST", path, `{"query": "{ items }", "query": "{ id }"}`, nil, 400, malformed},
		"duplicate variable":     {"POST", path, withPage + twice + `}`, nil, 400, malformed},
		"null":                   {"POST", path, `null`, nil, 400, malformed},
		"text":                   {"POST", path, `"{ items }"`, nil, 400, malformed},
		"not JSON":               {"POST", path, `{ items }`, nil, 400, malformed},
		"tail":                   {"POST", path, post("{ items }") + `{}`, nil, 400, malformed},
		"form":                   {"POST", path, `query=x`, form, 415, unsupported},
		"application/graphql":    {"POST", path, `{ items }`, ofQuery, 415, unsupported},
		"1 MB":                   {"POST", path, post(strings.Repeat("{ items }", 120_000)), nil, 413, "PAYLOAD_TOO_LARGE"},
		"nested braces":          {"POST", path, post(strings.Repeat("{", 60_000)), nil, 400, ""},
		"nested brackets":        {"POST", path, post("{ items(id: " + strings.Repeat("[", 60_000)), nil, 400, ""},
		"NUL":                    {"POST", path, post("{ items \x00 }"), nil, 400, "GRAPHQL_PARSE_FAILED"},
		"not UTF-8":              {"POST", path, "{\"query\": \"{ items } # \xff\"}", nil, 400, malformed},
		"unknown field":          {"POST", path, post("{ salt }"), nil, 400, invalidDocument},
		"many aliases":           {"POST", path, post("{ " + strings.Repeat("a: items ", 2000) + "}"), nil, 400, ""},
		"unknown operation":      {"POST", path, `{"query": "{ items }", "operationName": "X"}`, nil, 400, invalidDocument},
		"wrong variable":         {"POST", path, withPage + `{"p": "x"}}`, nil, 400, "BAD_VARIABLES"},
		"missing variable":       {"POST", path, post(missing), nil, 400, "BAD_VARIABLES"},
		"GET without query":      {"GET", path, "", nil, 400, malformed},
		"GET twice":              {"GET", get("{ items }") + "&query=x", "", nil, 400, invalid},
		"GET not UTF-8":          {"GET", path + "?query=%ff", "", nil, 400, invalid},
		"GET malformed":          {"GET", path + "?query=%zz", "", nil, 400, invalid},
		"GET wrong variables":    {"GET", get("{ items }") + "&variables=x", "", nil, 400, invalid},
		"GET duplicate variable": {"GET", get("{ items }") + "&variables=" + url.QueryEscape(twice), "", nil, 400, invalid},
		"GET variables list":     {"GET", get("{ items }") + "&variables=[]", "", nil, 400, malformed},
		"GET mutation":           {"GET", get(rename), "", nil, 405, "METHOD_NOT_ALLOWED"},
		"HEAD mutation":          {"HEAD", get(rename), "", nil, 405, ""},
		"PUT":                    {"PUT", path, post("{ items }"), nil, 405, "METHOD_NOT_ALLOWED"},
		"bearer":                 {"POST", path, post("{ items }"), bearer, 401, "INVALID_TOKEN"},
		"two credentials":        {"POST", path, post("{ items }"), two, 400, malformed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := serveGraphQL(t, nil)
			g := h.Do(c.method, c.path, c.body, c.headers...)
			g.HasCommonHeaders(t)
			inJSON := c.status
			if strings.Contains(g.Text, "GRAPHQL_") || strings.Contains(g.Text, "BAD_VARIABLES") ||
				strings.Contains(g.Text, "LIMIT_EXCEEDED") {
				inJSON = 200
			}
			g.Has(t, inJSON, "Cache-Control", "max-age=0, private, no-store", "RateLimit-Bucket", "SHARED",
				"RateLimit-Remaining", "49", "Content-Type", "application/json")
			typed := append([]string{"Accept", "application/json;q=0.9, application/graphql-response+json"}, c.headers...)
			h.Do(c.method, c.path, c.body, typed...).Has(t, c.status, "Content-Type",
				"application/graphql-response+json; charset=utf-8")
			if c.method == "HEAD" {
				return
			}
			var body struct {
				Errors []struct {
					Message    string
					Extensions struct{ Code string }
				}
			}
			if err := json.Unmarshal([]byte(g.Text), &body); err != nil || len(body.Errors) == 0 {
				t.Fatalf("body %s: %v", g.Text, err)
			}
			if got := body.Errors[0].Extensions.Code; got == "" || c.code != "" && got != c.code {
				t.Errorf("code %q, want %q: %s", got, c.code, g.Text)
			}
			if strings.Contains(g.Text, `"data"`) {
				t.Errorf("body %s", g.Text)
			}
		})
	}
}

// What is rejected before the endpoint has its form of errors, too.
func TestGraphQLRejectedByMiddleware(t *testing.T) {
	h := httpapitest.Serve(t, nil, func(api *httpapi.API) http.Handler {
		graphQL := graphqlhttp.New(api, mossExecutor(t), graphqlhttp.Options{})
		return api.CheckHost(func(r *http.Request) bool { return r.Header.Get("X-Host") == "" })(graphQL)
	})
	for _, c := range []struct {
		path, host string
		status     int
		code       string
	}{
		{get("{ items } # " + strings.Repeat("a", 9000)), "", 414, "URI_TOO_LONG"},
		{get("{ items }"), "rebind.evil", 421, "MISDIRECTED_REQUEST"},
	} {
		g := h.Do("GET", c.path, "", "X-Host", c.host)
		g.HasCommonHeaders(t)
		g.Has(t, c.status, "Content-Type", "application/json", "RateLimit-Bucket", "SHARED")
		if !strings.HasPrefix(g.Text, `{"errors":[{"message":"`) ||
			!strings.HasSuffix(g.Text, `"extensions":{"code":"`+c.code+`"}}]}`) {
			t.Errorf("got %s", g.Text)
		}
		const typed = "application/graphql-response+json"
		h.Do("GET", c.path, "", "X-Host", c.host, "Accept", typed).Has(t, c.status, "Content-Type", typed+"; charset=utf-8")
	}
}

// The query string of a GET is not the body of a POST, even if an operation is cached for it.
func TestGraphQLMethodsShareNoOperations(t *testing.T) {
	h := serveGraphQL(t, nil)
	query := strings.TrimPrefix(get("{ items }"), "/graphql")
	h.Do("GET", "/graphql"+query, "").Has(t, 200)
	for _, body := range []string{query, strings.TrimPrefix(query, "?")} {
		h.Do("POST", "/graphql", body).Has(t, 400)
	}
	h.Do("POST", "/graphql", post("{ items }")).Has(t, 200)
	h.Do("GET", "/graphql?"+url.PathEscape(post("{ items }")), "").Has(t, 400)
}

// A fault that a document repeats is one error, and so is a document with too many directives.
func TestGraphQLRepeatedFault(t *testing.T) {
	h := serveGraphQL(t, nil)
	for query, want := range map[string]int{
		"{ __typename " + strings.Repeat("@a", 12) + " }":                        1,
		"{ __typename " + strings.Repeat("@a", 200) + " }":                       1,
		"{ ... " + strings.Repeat("@a", 5) + " { items } }":                      1,
		"query " + strings.Repeat("@a", 5) + " { items }":                        1,
		"query($p: Int " + strings.Repeat("@a", 5) + ") { items(page: $p) }":     1,
		"{ ...f } fragment f on Query " + strings.Repeat("@a", 5) + " { items }": 1,
		"{ ...f " + strings.Repeat("@a", 5) + " } fragment f on Query { items }": 1,
		"{ items salt pepper salt }":                                             2,
	} {
		g := h.Do("POST", "/graphql", post(query))
		if n := strings.Count(g.Text, `"message"`); n != want {
			t.Errorf("%.40s: got %d with %d errors, want %d: %.200s", query, g.StatusCode, n, want, g.Text)
		}
	}
}

func TestGraphQLCharges(t *testing.T) {
	h := serveGraphQL(t, nil)
	expensive := post("{ " + aliases("items", 20) + " player }")
	for _, left := range []string{"30", "10"} {
		h.Do("POST", "/graphql", expensive).Has(t, 200, "RateLimit-Bucket", "ITEMS", "RateLimit-Remaining", left)
	}
	g := h.Do("POST", "/graphql", expensive)
	g.HasCommonHeaders(t)
	g.Has(t, 429, "Retry-After", "12", "RateLimit-Bucket", "ITEMS", "RateLimit-Remaining", "10", "RateLimit-Reset", "48")
	if want := `{"errors":[{"message":"Too many requests in bucket ITEMS, try again in 12 seconds.",` +
		`"extensions":{"code":"TOO_MANY_REQUESTS","retryAfter":12}}]}`; g.Text != want {
		t.Errorf("body %s", g.Text)
	}
	// The refused operation was not charged to PLAYER either.
	h.Do("POST", "/graphql", post("{ player }")).Has(t, 200, "RateLimit-Bucket", "PLAYER", "RateLimit-Remaining", "47")
	h.Advance(12 * time.Second)
	h.Do("POST", "/graphql", expensive).Has(t, 200, "RateLimit-Remaining", "0")
	for i := range 51 {
		g = h.Do("POST", "/graphql", "{")
		if want := map[bool]int{true: 400, false: 429}[i < 50]; g.StatusCode != want {
			t.Fatalf("bad request %d: %d", i, g.StatusCode)
		}
	}
	g.Has(t, 429, "RateLimit-Bucket", "SHARED", "Retry-After", "2")
}

// An operation that costs more than a full counter holds is rejected without a time to wait.
func TestGraphQLNeverPasses(t *testing.T) {
	h := serveGraphQL(t, func(o *httpapi.Options) {
		o.RateLimit.Rates = httpapi.DefaultRates()
		for kind, rate := range o.RateLimit.Rates {
			rate.Limit = 10
			o.RateLimit.Rates[kind] = rate
		}
	})
	g := h.Do("POST", "/graphql", post("{ "+aliases("items", 11)+" }"))
	g.Has(t, 200, "Retry-After", "")
	if !strings.Contains(g.Text, `This operation costs 11 in bucket ITEMS, more than its limit of 10.`) ||
		!strings.Contains(g.Text, "LIMIT_EXCEEDED") {
		t.Errorf("body %s", g.Text)
	}
}

func TestGraphQLConditional(t *testing.T) {
	h := serveGraphQL(t, func(o *httpapi.Options) { o.OnDone = httpapi.AccessLog(o.Log, httpapi.LogOptions{Every: 1}) })
	first := h.Do("GET", get("{ items }"), "")
	g := h.Do("GET", get("{ items }"), "", "If-None-Match", first.Header.Get("ETag"))
	g.HasCommonHeaders(t)
	g.Has(t, 304, "RateLimit-Remaining", "48", "ETag", first.Header.Get("ETag"))
	h.Do("HEAD", get("{ items }"), "").Has(t, 200, "Content-Length", first.Header.Get("Content-Length"))
	h.Do("OPTIONS", "/graphql", "").Has(t, 204, "Allow", "GET, HEAD, POST, OPTIONS", "Access-Control-Allow-Methods",
		"GET, HEAD, POST, OPTIONS")
	h.Do("POST", "/graphql", post("query Moss { items }"))
	if !strings.Contains(h.Log.String(), `"operation":"Moss"`) {
		t.Error("the log does not name the operation")
	}
	h.Do("POST", "/graphql", post("query "+strings.Repeat("N", 500)+" { items }"))
	if strings.Contains(h.Log.String(), strings.Repeat("N", 65)) {
		t.Error("the log takes a name of any length")
	}
	const plain, typed = "application/json", "application/graphql-response+json; charset=utf-8"
	for accept, want := range map[string]string{
		"application/graphql-response+json":                         typed,
		"application/json, APPLICATION/GRAPHQL-RESPONSE+JSON":       typed,
		"application/graphql-response+json, */*;q=0.1":              typed,
		"application/graphql-response+json;q=0.5, application/json": plain,
		"application/graphql-response+json;q=0":                     plain,
		"*/*":                                                       plain,
		"application/*":                                             plain,
		"text/html":                                                 plain,
	} {
		g := h.Do("POST", "/graphql", post("{ items }"), "Accept", accept)
		if got := g.Header.Get("Content-Type"); g.StatusCode != 200 || got != want {
			t.Errorf("Accept %s: got %d %s, want %s", accept, g.StatusCode, got, want)
		}
	}
}

// aliases is n uses of a field under different names.
func aliases(field string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(" a" + string(rune('a'+i)) + ": " + field)
	}
	return b.String()
}
