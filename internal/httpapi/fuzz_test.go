package httpapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http/httptest"
	"testing"
	"time"

	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
)

// Whatever is sent to /graphql, the answer is JSON with a status below 500.
func FuzzGraphQL(f *testing.F) {
	for _, seed := range []string{
		post("{ items }"), post("{ a: player ...F } fragment F on Query { shared }"), post("{{{{"),
		post("query($a: Int = 1) { items(page: $a) }"),
		post("{ items(id: [[[1]]]) @skip(if: true) }"), post(`mutation { rename(name: """x""") }`),
		post("{ __schema { types { name } } }"),
		`{"query": "{ items }", "variables": {"p": 1e999}}`, `[]`, `null`, `{"query": "\ud800"}`, "\x00", "",
	} {
		f.Add([]byte(seed))
	}
	d := httpapi.New(httpapi.Options{
		Exec:    mossExecutor(f),
		Limiter: ratelimit.New(ratelimit.Options{}),
		Rates:   httpapi.Rates{"guest": {Limit: 1 << 30, Per: time.Minute}},
		Timeout: time.Second,
	})
	handler := d.GraphQL()
	f.Fuzz(func(t *testing.T, body []byte) {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("POST", "/graphql", bytes.NewReader(body)))
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

// What ReadJSON lets through is what encoding/json reads to its end, numbers of any size included:
// who needs one of them knows its range.
func FuzzReadJSON(f *testing.F) {
	for _, seed := range []string{`{}`, `[[]]`, `"\"["`, `{} x`, "\"\xff\"", `{"a":{"a":[1,null]}}`, ` 1 `, `1E700`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r := httptest.NewRequest("POST", "/", bytes.NewReader(body))
		text, refused := httpapi.ReadJSON(httptest.NewRecorder(), r, 0)
		if refused != nil || len(text) == 0 {
			return
		}
		var v any
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		err := decoder.Decode(&v)
		if _, after := decoder.Token(); err != nil || after != io.EOF || !bytes.Equal(text, body) {
			t.Errorf("%q was read as %q: %v", body, text, err)
		}
	})
}
