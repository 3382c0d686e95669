package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// startTamperingProxy starts a proxy that changes the body of one path, and returns its URL.
func startTamperingProxy(t *testing.T, base, path, old, with string) string {
	t.Helper()
	target, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = target.Host
			r.Out.Header.Del("Accept-Encoding") // so that the transport decompresses what is changed
		},
		ModifyResponse: func(r *http.Response) error {
			if r.Request.URL.Path != path || r.Request.URL.RawQuery != "" || r.Header.Get("Content-Encoding") != "" {
				return nil
			}
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			body = bytes.Replace(body, []byte(old), []byte(with), 1)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			r.Header.Set("Content-Length", strconv.Itoa(len(body)))
			return nil
		},
	}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	return s.URL
}

// verify passes for the service and reports a missing key and a wrong type.
func TestVerify(t *testing.T) {
	if testing.Short() {
		t.Skip("make race leaves out the longest tests")
	}
	t.Parallel()
	p := apptest.Shared(t)
	for _, args := range [][]string{{}, {"--exact"}} {
		said := expect(t, 0, " 0 failed", append([]string{"verify", "--target", p.Base}, args...)...)
		if strings.Contains(said, "cases: 0 passed") {
			t.Errorf("verify %v: %s", args, said)
		}
	}
	for name, c := range map[string]struct{ old, with, exact, loose string }{
		"a key less":         {`"online":`, `"onlime":`, "body.online: missing", "online"},
		"a value of a kind":  {`"username":"Salted"`, `"username":7`, `body.username: 7, want "Salted"`, "username"},
		"a value of another": {`"username":"Salted"`, `"username":"Pepper"`, `body.username: "Pepper", want "Salted"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			proxy := startTamperingProxy(t, p.Base, "/v3/player/Salted", c.old, c.with)
			expect(t, 1, c.exact, "verify", "--target", proxy, "--only", "player", "--exact")
			code, out, _ := run("verify", "--target", proxy, "--only", "player")
			if differs := strings.Contains(out, "/v3/player/Salted\n"); differs != (c.loose != "") || differs && (code != 1 ||
				!strings.Contains(out, c.loose)) {
				t.Errorf("%s, without --exact: got exit status %d and %s, want %q", name, code, out, c.loose)
			}
		})
	}
}

// verify gives up on a service that is too busy for longer than --max-wait, and rejects a name of no case.
func TestVerifyTarget(t *testing.T) {
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer busy.Close()
	expect(t, 1, "too busy", "verify", "--target", busy.URL)
	expect(t, 2, "--only", "verify", "--target", busy.URL, "--only=none")
}
