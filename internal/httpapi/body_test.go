package httpapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

func TestReadJSON(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	json := []string{"Content-Type", "application/json"}
	cases := map[string]struct {
		body    string
		headers []string
		code    graph.Code // "" = read
	}{
		"object":            {`{"a": 1}`, json, ""},
		"no type":           {`{"a": 1}`, nil, ""},
		"charset":           {`{}`, []string{"Content-Type", "Application/JSON; charset=UTF-8"}, ""},
		"other charset":     {`{}`, []string{"Content-Type", "application/json; charset=latin1"}, graph.UnsupportedMediaType},
		"text":              {`{}`, []string{"Content-Type", "text/plain"}, graph.UnsupportedMediaType},
		"empty type":        {`{}`, []string{"Content-Type", ""}, graph.UnsupportedMediaType},
		"compressed":        {`{}`, []string{"Content-Encoding", "gzip"}, graph.UnsupportedMediaType},
		"empty":             {``, nil, ""},
		"white space":       {" \n", nil, graph.MalformedPayload},
		"list":              {`[1, 2]`, nil, ""},
		"null":              {`null`, nil, ""},
		"as long as may be": {`"` + strings.Repeat("a", 98) + `"`, nil, ""},
		"one byte more":     {`"` + strings.Repeat("a", 99) + `"`, nil, graph.PayloadTooLarge},
		"cut off":           {`{"a": `, nil, graph.MalformedPayload},
		"tail":              {`{} {}`, nil, graph.MalformedPayload},
		"not UTF-8":         {"{\"a\": \"\xff\"}", nil, graph.MalformedPayload},
		"byte order mark":   {"\ufeff{}", nil, graph.MalformedPayload},
		"nested 45":         {nested(45), nil, ""},
		"brackets in text":  {`"` + strings.Repeat("[", 80) + `\"["`, nil, ""},
		"duplicate keys":    {`{"a": 1, "a": 2}`, nil, ""},
	}
	for name, c := range cases {
		for _, chunked := range []bool{false, true} {
			r := httptest.NewRequest("POST", "/", strings.NewReader(c.body))
			if chunked {
				r = httptest.NewRequest("POST", "/", io.NopCloser(strings.NewReader(c.body)))
				r.ContentLength = -1
			}
			for i := 0; i < len(c.headers); i += 2 {
				r.Header.Add(c.headers[i], c.headers[i+1])
			}
			body, err := httpapi.ReadJSON(httptest.NewRecorder(), r, 100)
			if c.code == "" && (err != nil || string(body) != c.body) || c.code != "" && (err == nil || err.Code != c.code) {
				t.Errorf("%s (chunked %v): %q, %+v, want %q", name, chunked, body, err, c.code)
			}
		}
	}
	for depth, code := range map[int]graph.Code{64: "", 65: graph.MalformedPayload, 30_000: graph.MalformedPayload} {
		_, err := httpapi.ReadJSON(httptest.NewRecorder(), httptest.NewRequest("POST", "/", strings.NewReader(nested(depth))),
			0)
		if (err == nil) != (code == "") || err != nil && err.Code != code {
			t.Errorf("depth %d: %+v", depth, err)
		}
	}
}

// A body with too large a Content-Length is rejected before any of it is read.
func TestReadJSONBeforeReading(t *testing.T) {
	r := httptest.NewRequest("POST", "/", unread{t})
	r.ContentLength = 1 << 40
	w := httptest.NewRecorder()
	if _, err := httpapi.ReadJSON(w, r, 0); err == nil || err.Code != graph.PayloadTooLarge ||
		w.Header().Get("Connection") != "close" {
		t.Errorf("%+v, %v", err, w.Header())
	}
}

// Who sends a compressed body learns that it must not be, not that the type is wrong.
func TestCompressedBodies(t *testing.T) {
	for name, read := range map[string]func(http.ResponseWriter, *http.Request, int64) ([]byte, *graph.Error){
		"application/json": httpapi.ReadJSON, "application/x-www-form-urlencoded": httpapi.ReadForm,
	} {
		r, w := httptest.NewRequest("POST", "/", strings.NewReader("{}")), httptest.NewRecorder()
		r.Header.Set("Content-Type", name)
		r.Header.Set("Content-Encoding", "zstd")
		_, err := read(w, r, 0)
		if err == nil || err.Code != graph.UnsupportedMediaType || err.Detail != "Send the body uncompressed." ||
			w.Header().Get("Accept-Encoding") != "identity" {
			t.Errorf("%s: %+v, %v", name, err, w.Header())
		}
	}
}

type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}
