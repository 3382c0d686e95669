package main

import (
	"strings"
	"testing"
)

// BenchmarkAuthenticated asks for a kept answer with an API token, in turns with a guest who asks
// for the same: what knowing the caller costs.
func BenchmarkAuthenticated(b *testing.B) {
	k := keep(b)
	account, err := k.users.Create(b.Context(), "Reader")
	if err != nil {
		b.Fatal(err)
	}
	token, _, err := k.users.CreateToken(b.Context(), account.ID, "laptop", "", false)
	if err != nil {
		b.Fatal(err)
	}
	for _, row := range []struct{ name, path string }{{"player", "/v3/player/Salted"}, {"classes", "/v3/classes"}} {
		b.Run(row.name, func(b *testing.B) {
			guest, _ := raw(b, "GET", row.path, "", "identity", "")
			member := strings.Replace(guest, "\r\n", "\r\nAuthorization: Bearer "+token+"\r\n", 1)
			var members, guests []*peer
			for range 4 {
				members, guests = append(members, dial(b, k.url, member)), append(guests, dial(b, k.url, guest))
			}
			const turn = 200
			elapsed(b, members, turn)
			elapsed(b, guests, turn)
			var t turns
			for b.Loop() {
				m := elapsed(b, members, turn)
				t.take(m, elapsed(b, guests, turn))
			}
			for len(t.ratios) < fewestTurns {
				m := elapsed(b, members, turn)
				t.take(m, elapsed(b, guests, turn))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(t.our)*1e6/turn, "µs")
			b.ReportMetric(median(t.their)*1e6/turn, "guest-µs")
			b.ReportMetric(median(t.ratios), "ratio")
			compared(comparison{row.name + ", kept, with a token", milliseconds(median(t.our) / turn), milliseconds(median(t.their) / turn), median(t.ratios), atMost(1.15)})
		})
	}
}
