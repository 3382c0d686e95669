package bench

import (
	"fmt"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// BenchmarkCredential requests a cached response with an API token, in turns with a guest. The ratio is the relative
// duration with authentication, the token's quota and usage counting.
func BenchmarkCredential(b *testing.B) {
	svc := apptest.NewService(b)
	token, _ := svc.CreateOwner("Veiled")
	const path = "/v3/player/Salted"
	text, _ := rawRequest(b, "GET", path, "", "identity", "")
	with := strings.Replace(text, "\r\n\r\n", "\r\nAuthorization: "+token+"\r\n\r\n", 1)
	for _, header := range [][]string{nil, {"Authorization", token}} {
		svc.Request("GET", path, "", header...)
		if res := svc.Request("GET", path, "", header...); res.Status != 200 || !res.Hit() {
			b.Fatalf("%d %v", res.Status, res.Header)
		}
	}
	var known, guests []*peer
	for range 4 {
		known, guests = append(known, dial(b, svc.URL, with)), append(guests, dial(b, svc.URL, text))
	}
	turn := 400
	var t turns
	t.measure(b, 1, 1, func() {
		o := elapsed(b, known, turn)
		t.take(o, elapsed(b, guests, turn))
	})
	ratio := median(t.ratios)
	addComparison(b, comparison{
		"an API token beside a guest, cached", fmt.Sprintf("%.0f/s", float64(turn)/median(t.our)),
		fmt.Sprintf("%.0f/s", float64(turn)/median(t.their)), ratio, atMost(1.15),
	})
}
