package door

import "net/http"

// spelled are the headers whose documented spelling is not the one net/http gives them, as far
// as they are not set by setAll. A header's case means nothing, yet there are clients that
// compare it.
var spelled = map[string]string{
	"Territorylasttick": "territorylasttick",
	"Www-Authenticate":  "WWW-Authenticate",
}

// spell gives headers their documented spelling, right before they are written: from then
// on Get and Set do not find them.
func spell(h http.Header) {
	for canonical, documented := range spelled {
		if values, ok := h[canonical]; ok {
			delete(h, canonical)
			h[documented] = values
		}
	}
}
