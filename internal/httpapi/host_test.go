package httpapi_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

// Allowed names and names of the local machine are accepted, with any port and in any case; any other
// name gets the documented error.
func TestCheckHost(t *testing.T) {
	h := httpapitest.Serve(t, nil, func(api *httpapi.API) http.Handler {
		allowed := httpapi.AllowedHost([]string{"Data.example", "[2001:DB8:0::1]:8443"})
		return api.CheckHost(allowed)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			httpapi.WriteResponse(w, r, httpapi.Response{Body: []byte(`{}`)})
		}))
	})
	own, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for host, status := range map[string]int{
		"data.example": 200, "DATA.example.:8080": 200, "[2001:db8::1]": 200, "[2001:db8:0:0::1]": 200,
		"localhost:8080": 200, "127.0.0.9": 200, "[::1]:80": 200, "[::ffff:127.0.0.1]:1": 200, "play.localhost:8080": 200,
		own: 200, strings.ToUpper(own) + ".:80": 200,
		"evil.example": 421, "data.example.evil.example": 421, "127.0.0.1.evil.example": 421, "xdata.example": 421,
		"10.0.0.1": 421, "2001:db8::2": 421, "localhost.evil.example": 421, "xlocalhost": 421, "[]": 421,
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", h.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		res, err := httpapitest.Client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		g := httpapitest.Read(t, res)
		g.Has(t, status)
		if status == 421 {
			g.Has(t, 421, "Access-Control-Allow-Origin", "", "Cache-Control", "max-age=0, private, no-store")
			if !strings.HasPrefix(g.Text, `{"error":"MisdirectedRequest","detail":`) || strings.Contains(g.Text, "example") {
				t.Error(g.Text)
			}
			g.HasCommonHeaders(t)
		}
	}
}
