package rest

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/mux"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/graph/viewer"
	"gamedata/internal/httpapi"
	"gamedata/internal/ratelimit"
	"gamedata/rest/transform"
)

// serve opens the rows on a real socket, without anything behind the fields: a request that
// passes every check ends in a 500. Guests have a number of requests a minute.
func serve(t *testing.T, requests int, log *slog.Logger) (base string, h *Handler) {
	t.Helper()
	base, h, err := open(t, requests, Options{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	return base, h
}

func open(t *testing.T, requests int, o Options) (base string, h *Handler, err error) {
	t.Helper()
	log := o.Log
	exec := graph.New(generated.NewExecutableSchema(generated.Config{}), graph.Options{Log: log})
	now := time.Date(2026, 3, 19, 12, 0, 0, 0, time.UTC)
	api := httpapi.New(httpapi.Options{
		RateLimit: httpapi.RateLimitOptions{
			Counters: ratelimit.New(ratelimit.Options{Now: func() time.Time { return now }}),
			Rates:    httpapi.Rates{viewer.Guest: {Limit: requests, Per: time.Minute}},
		},
		Log: log,
	})
	v3, err := New(api, exec, Load(exec.Schema()), o)
	if err != nil {
		return "", nil, err
	}
	router := mux.NewRouter().UseEncodedPath().SkipClean(true)
	v3.Register(router)
	server := httptest.NewServer(v3.SkipRouting(router))
	t.Cleanup(server.Close)
	return server.URL, v3, nil
}

// send sends a request and reads the response.
func send(t *testing.T, method, url, token, body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(got)
}

// The first error in this order is returned: path, method, credentials, rate limit, query parameters,
// body, lookup.
func TestOrderOfChecks(t *testing.T) {
	base, _ := serve(t, 100, slog.New(slog.DiscardHandler))
	broken := `{"type":`
	for _, c := range []struct {
		name, method, path, token, body string
		status                          int
		wantBody, bucket                string
	}{
		{"path", "DELETE", "/v3/items/search?fullResult=x", "bad", broken, 404, "NotFound", "SHARED"},
		{"method", "PUT", "/v3/item/search?fullResult=x", "bad", broken, 405, "MethodNotAllowed", "SHARED"},
		{"credentials", "POST", "/v3/item/search?fullResult=x", "bad", broken, 401, "InvalidTokenError", "ITEMS"},
		{
			"query", "POST", "/v3/item/search?fullResult=x", "", broken, 400, "fullResult is a flag and takes no value.",
			"ITEMS",
		},
		{"body", "POST", "/v3/item/search?page=1", "", broken, 400, "MalformedPayload", "ITEMS"},
		{
			"form", "POST", "/v3/item/search", "", `{"levelRange":1.5}`, 400, "levelRange must be one or two integers.",
			"ITEMS",
		},
		{"lookup", "POST", "/v3/item/search", "", `{}`, 500, "Internal error.", "ITEMS"},
	} {
		resp, body := send(t, c.method, base+c.path, c.token, c.body)
		if resp.StatusCode != c.status || !strings.Contains(body, c.wantBody) ||
			resp.Header.Get("RateLimit-Bucket") != c.bucket {
			t.Errorf("%s: got %d %s in %s, want %d %s in %s", c.name, resp.StatusCode, body,
				resp.Header.Get("RateLimit-Bucket"), c.status, c.wantBody, c.bucket)
		}
	}
}

// A bad credential is charged to the address: 401 while the address has quota left, 429 when it has none. The rate
// limit comes before query parameters and body.
func TestOrderOfCredentialsAndRateLimit(t *testing.T) {
	base, _ := serve(t, 2, slog.New(slog.DiscardHandler))
	for _, c := range []struct {
		name, path, token, body string
		status                  int
		want                    string
	}{
		{"bad credential", "/v3/item/search?fullResult=x", "bad", `{"type":`, 401, "InvalidTokenError"},
		{"guest", "/v3/item/search?fullResult=x", "", `{"type":`, 400, "InvalidQueryParamsError"},
		{"bad credential without quota", "/v3/item/search?fullResult=x", "bad", `{"type":`, 429, "TooManyRequest"},
		{"guest without quota", "/v3/item/search?fullResult=x", "", `{"type":`, 429, "TooManyRequest"},
		{"another path without quota", "/v3/nothing", "bad", "", 404, "NotFound"},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, body := send(t, "POST", base+c.path, c.token, c.body)
			if resp.StatusCode != c.status || !strings.Contains(body, c.want) {
				t.Errorf("got %d %s, want %d %s", resp.StatusCode, body, c.status, c.want)
			}
			if c.status == 401 && resp.Header.Get("WWW-Authenticate") == "" {
				t.Error("got no WWW-Authenticate")
			}
			if c.status == 429 && resp.Header.Get("Retry-After") == "" {
				t.Error("got no Retry-After")
			}
		})
	}
}

// Every row serves only its methods.
func TestMethods(t *testing.T) {
	base, _ := serve(t, 1000, slog.New(slog.DiscardHandler))
	for _, row := range Rows {
		if row.Operation == "" {
			continue // Options.Exchange checks the method
		}
		path := base + Prefix + strings.NewReplacer("{", "", "}", "").Replace(row.Path)
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
			resp, body := send(t, method, path, "", "")
			serves, allow := method == row.Method || method == "HEAD" && row.Method == "GET", ""
			if !serves {
				allow = row.allow()
			}
			if got := resp.Header.Get("Allow"); (resp.StatusCode == 405) == serves || got != allow {
				t.Errorf("%s %s: got status %d with Allow %q", method, row.Path, resp.StatusCode, resp.Header.Get("Allow"))
			}
			if (method == "HEAD") != (body == "") {
				t.Errorf("%s %s: got body %q", method, row.Path, body)
			}
		}
	}
}

// Responses that depend on the client's address have no CORS headers, whatever their status.
func TestAddressFields(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	base, _, err := open(t, 4, Options{Log: log, AddressFields: []string{"playerLocations"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path, token string
		status              int
		open                bool
	}{
		{"OPTIONS", "/map/locations/player", "", 204, false},
		{"GET", "/map/locations/player", "", 500, false},
		{"HEAD", "/map/locations/player", "", 500, false},
		{"GET", "/map/locations/player", "bad", 401, false},
		{"POST", "/map/locations/player", "", 405, false},
		{"GET", "/map/locations/player", "", 500, false},
		{"GET", "/map/locations/player", "", 429, false},
		{"OPTIONS", "/player/whoami", "", 204, true},
		{"OPTIONS", "/map/locations/markers", "", 204, true},
	} {
		resp, _ := send(t, c.method, base+Prefix+c.path, c.token, "")
		for name := range resp.Header {
			if cors := strings.HasPrefix(name, "Access-Control-"); cors && !c.open {
				t.Errorf("%s %s: %d with %s", c.method, c.path, resp.StatusCode, name)
			}
		}
		if resp.StatusCode != c.status || c.open != (resp.Header.Get("Access-Control-Allow-Origin") == "*") {
			t.Errorf("%s %s: %d %v", c.method, c.path, resp.StatusCode, resp.Header)
		}
	}
	if _, _, err := open(t, 1, Options{Log: log, AddressFields: []string{"playerLocation"}}); err == nil {
		t.Error("an unknown address field: got no error")
	}
}

// A failed transform is an internal error for the caller and a line in the log.
func TestTransformFailureIsLogged(t *testing.T) {
	var lines bytes.Buffer
	base, h := serve(t, 100, slog.New(slog.NewTextHandler(&lines, nil)))
	for _, e := range h.endpoints {
		if e.Operation == "Classes" {
			typename, errs := e.exec.Parse("{__typename}", "")
			if errs != nil {
				t.Fatal(errs)
			}
			e.prepared = typename // its data lacks the operation's field
		}
	}
	resp, body := send(t, "GET", base+"/v3/classes", "", "")
	if resp.StatusCode != 500 || !strings.Contains(body, "Internal error.") || !strings.Contains(lines.String(),
		"operation=Classes") || !strings.Contains(lines.String(), transform.ErrData.Error()) {
		t.Errorf("%d %s, logged %s", resp.StatusCode, body, lines.String())
	}
}
