package httpapi_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/internal/cache"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

// A session cookie that has expired is deleted, and its caller gets what a guest gets. No cache may store the
// response, which would delete the cookies of others.
func TestExpiredSession(t *testing.T) {
	const deleted = "__Host-session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax"
	h := httpapitest.Serve(t, func(o *httpapi.Options) {
		responses, err := cache.New[httpapi.Response](cache.Options{MaxBytes: 1 << 20, Now: o.Now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(responses.Close)
		o.Authenticator, o.Cache.Responses = register{}, responses
	}, func(api *httpapi.API) http.Handler {
		mux := http.NewServeMux()
		mux.Handle("/", site(api))
		mux.HandleFunc("/cached", func(w http.ResponseWriter, r *http.Request) {
			if !api.Limits.Authorize(w, r, "ITEMS", 1) {
				return
			}
			q := httpapi.CacheRequest{Key: "items", MaxAge: time.Hour, Scope: graph.User}
			api.Cache.Serve(w, r, q, func(context.Context) httpapi.Response {
				return httpapi.Response{Body: []byte(`["items"]`), MaxAge: q.MaxAge, Scope: q.Scope}
			})
		})
		mux.HandleFunc("/sign-in", func(w http.ResponseWriter, _ *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: httpapi.SessionCookie, Value: "s.new"})
		})
		return mux
	})
	for _, path := range []string{"/items", "/cached", "/whoami", "/nowhere"} {
		guest := h.Do("GET", path, "")
		for _, cookie := range []string{"stale", "", "s.salted; __Host-session=s.brindle"} {
			g := h.Do("GET", path, "", "Cookie", "__Host-session="+cookie)
			g.HasCommonHeaders(t)
			g.Has(t, guest.StatusCode, "Set-Cookie", deleted, "Cache-Control", "max-age=0, private, no-store",
				"Expires", g.Header.Get("Date"), "ETag", "", "Age", "",
				"Access-Control-Allow-Origin", guest.Header.Get("Access-Control-Allow-Origin"))
			if g.Text != guest.Text {
				t.Errorf("%s with the cookie %q: got %s, want %s", path, cookie, g.Text, guest.Text)
			}
		}
		if after := h.Do("GET", path, ""); after.Header.Get("Set-Cookie") != "" ||
			after.Header.Get("Cache-Control") != guest.Header.Get("Cache-Control") {
			t.Errorf("%s without a cookie: got %v", path, after.Header)
		}
	}
	h.Do("GET", "/items", "", "Cookie", "__Host-session=s.salted").Has(t, 200, "Set-Cookie", "",
		"Cache-Control", "max-age=3600, public")
	both := []string{"Cookie", "__Host-session=stale", "Authorization", "Bearer bad"}
	h.Do("GET", "/items", "", both...).Has(t, 401, "Set-Cookie", "")
	if g := h.Do("GET", "/sign-in", "", "Cookie", "__Host-session=stale"); !slices.Equal(g.Header.Values("Set-Cookie"),
		[]string{"__Host-session=s.new"}) {
		t.Errorf("a response with a new session: got %q", g.Header.Values("Set-Cookie"))
	}
}
