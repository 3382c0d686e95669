package api

import (
	"net/http"
	"testing"

	"gamedata/internal/app/apptest"
)

// Without settings, a service on a loopback address is reached by no name that a page of another site could have.
func TestForeignHostIsRejected(t *testing.T) {
	p := apptest.Shared(t)
	for path, status := range map[string]int{
		"/": 200, "/graphql?query={classes{id}}": 200, "/v3/classes": 200, "/v3/nowhere": 404, "/docs": 200,
		"/playground": 200, "/page.css": 200, "/account/sign-in": 200, "/schema.graphqls": 200,
	} {
		built := path != "/playground" // it may be missing in tests
		for host, allowed := range map[string]bool{
			"localhost:8080": true, "play.localhost": true, "127.0.0.1": true,
			"evil.example": false, "127.0.0.1.evil.example": false,
		} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.Base+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = host
			want := status
			if !allowed {
				want = http.StatusMisdirectedRequest
			}
			res := apptest.Do(t, r, nil)
			if rejected := res.Status == http.StatusMisdirectedRequest; rejected == allowed || res.Status != want && built {
				t.Errorf("%s for the host %s: got %d, want %d", path, host, res.Status, want)
			}
		}
	}
}
