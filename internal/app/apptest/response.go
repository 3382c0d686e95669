package apptest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Client does not follow redirects.
var Client = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Response is a received response.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Request sends a request; headers are name, value, name, value… An empty value sends no header. A body is JSON unless
// a header says otherwise.
func Request(t testing.TB, method, url, body string, headers ...string) Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	r.Host = r.Header.Get("Host")
	return Do(t, r, []byte(body))
}

// Get requests a URL; headers are as in Request.
func Get(t testing.TB, url string, headers ...string) Response {
	t.Helper()
	return Request(t, http.MethodGet, url, "", headers...)
}

// Do sends a request with a body and reads the response.
func Do(t testing.TB, r *http.Request, body []byte) Response {
	t.Helper()
	r.Body = io.NopCloser(bytes.NewReader(body))
	res, err := Client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return Read(t, res)
}

// Read reads a response to its end.
func Read(t testing.TB, res *http.Response) Response {
	t.Helper()
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Response{res.StatusCode, res.Header, body}
}

// RequestOK returns the body of a response with status 200.
func RequestOK(t testing.TB, base, method, path, body string) []byte {
	t.Helper()
	res := Request(t, method, base+path, body, "Content-Type", "application/json")
	if res.Status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", method, path, res.Status, res.Body)
	}
	return res.Body
}

// Await polls until a condition holds, for ten minutes at most: the machine may be slow.
func Await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within ten minutes", what)
		}
	}
}

// GetWithToken gets a path with an API token or access token, none when empty, and decodes the body.
func GetWithToken(t testing.TB, p *Program, token, path string) (Response, map[string]any) {
	t.Helper()
	if token != "" {
		token = "Bearer " + token
	}
	res := Get(t, p.Base+path, "Authorization", token)
	return res, Decode[map[string]any](t, res.Body)
}

// Has reports whether the body contains a text.
func (res Response) Has(text string) bool { return bytes.Contains(res.Body, []byte(text)) }

// Hit reports whether a response comes from the cache.
func (res Response) Hit() bool { return strings.Contains(res.Header.Get("Cache-Status"), "; hit") }

// Expect fails unless a response has the status and the headers: name, value, name, value… An empty value means a
// missing header. For Cache-Status the first parameters suffice.
func (res Response) Expect(t testing.TB, name string, status int, headers ...string) {
	t.Helper()
	if res.Status != status {
		t.Errorf("%s: got %d, want %d: %.300s", name, res.Status, status, res.Body)
	}
	for i := 0; i < len(headers); i += 2 {
		v, want := res.Header.Get(headers[i]), headers[i+1]
		if headers[i] == "Cache-Status" && want != "" && strings.HasPrefix(v, want+";") {
			continue
		}
		if v != want {
			t.Errorf("%s: got %s: %q, want %q", name, headers[i], v, headers[i+1])
		}
	}
}

// Decode decodes a JSON body.
func Decode[T any](t testing.TB, body []byte) (out T) {
	t.Helper()
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatalf("%v: %.300s", err, body)
	}
	return out
}

// ExpectSameJSON fails unless two JSON values are equal, whatever the order of members.
func ExpectSameJSON(t testing.TB, name string, want, got []byte) {
	t.Helper()
	var w, g any
	for text, to := range map[*[]byte]*any{&want: &w, &got: &g} {
		dec := json.NewDecoder(bytes.NewReader(*text))
		dec.UseNumber()
		if err := dec.Decode(to); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if reflect.DeepEqual(w, g) { // cmp needs seconds for large bodies
		return
	}
	if d := cmp.Diff(w, g); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", name, d[:min(len(d), 2000)])
	}
}

// GraphQL posts a GraphQL document; variables may be nil, headers are as in Request.
func GraphQL(t testing.TB, base, query string, variables map[string]any, headers ...string) Response {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	return Request(t, http.MethodPost, base+"/graphql", string(body), headers...)
}

// Query returns the data of a GraphQL query that succeeds.
func Query[T any](t testing.TB, base, query string) T {
	t.Helper()
	got := GraphQL(t, base, query, nil)
	got.Expect(t, query, http.StatusOK)
	res := Decode[struct {
		Data   T
		Errors []any
	}](t, got.Body)
	if len(res.Errors) > 0 {
		t.Fatalf("%s: %v", query, res.Errors)
	}
	return res.Data
}

// ReadFile returns the content of a file.
func ReadFile(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
