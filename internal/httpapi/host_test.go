package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"gamedata/internal/httpapi"
)

// A request is answered under the names that are allowed and under those of the own machine,
// with any port and in any case; any other name gets the documented body and nothing else.
func TestHosts(t *testing.T) {
	h := open(t, nil, func(d *httpapi.Door) http.Handler {
		return d.Hosts([]string{"Data.example", "[2001:db8::1]:8443"}, http.HandlerFunc(func(w http.ResponseWriter,
			r *http.Request,
		) {
			d.Write(w, r, httpapi.Answer{Body: []byte(`{}`)})
		}))
	})
	for host, status := range map[string]int{
		"data.example": 200, "DATA.example.:8080": 200, "[2001:db8::1]": 200, "localhost:8080": 200, "127.0.0.9": 200,
		"[::1]:80":     200,
		"evil.example": 421, "data.example.evil.example": 421, "127.0.0.1.evil.example": 421, "xdata.example": 421,
		"10.0.0.1": 421, "2001:db8::2": 421,
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", h.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		res, err := plain.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		g := received(t, res)
		g.has(t, status)
		if status == 421 {
			g.has(t, 421, "Access-Control-Allow-Origin", "", "Cache-Control", "max-age=0, private, no-store")
			if !strings.HasPrefix(g.body, `{"error":"MisdirectedRequest","detail":`) || strings.Contains(g.body, "example") {
				t.Error(g.body)
			}
			g.always(t)
		}
	}
}
