package httpapi

import (
	"net/http"
	"strconv"
	"strings"
)

// minCompressed is the size in bytes below which compressing saves less than it costs.
const minCompressed = 1024

// coding is a form in which bodies are sent.
type coding int

// The codings, the most liked last: of those a request likes equally the last is sent.
const (
	identity coding = iota
	gzipped
	zstdded
	codings
)

// contentEncoding are the values of Content-Encoding, shared by all answers.
var contentEncoding = [codings][]string{gzipped: {"gzip"}, zstdded: {"zstd"}}

// codingFor chooses the form of a body of size bytes by Accept-Encoding (RFC 9110 §12.5.3).
// Identity is sent when nothing else is possible, also to callers who refuse it: a body they
// might not want is better than none.
func codingFor(r *http.Request, size int) coding {
	likes := accepted(r.Header)
	best := identity
	for c := gzipped; c < codings; c++ {
		if likes[c] > 0 && likes[c] >= likes[best] {
			best = c
		}
	}
	if size == 0 || size < minCompressed && likes[identity] > 0 {
		return identity
	}
	return best
}

// accepted reads how much a request likes each coding, 0 for what it does not take. Identity is
// liked least of all unless it is named. The star stands for gzip alone: whoever can read zstd
// says so.
func accepted(h http.Header) [codings]float64 {
	const unsaid = -1
	likes, star := [codings]float64{unsaid, unsaid, unsaid}, float64(unsaid)
	for part := range strings.SplitSeq(strings.Join(h["Accept-Encoding"], ","), ",") {
		name, params, _ := strings.Cut(part, ";")
		q, ok := quality(params)
		if !ok {
			continue
		}
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, "zstd"):
			likes[zstdded] = q
		case strings.EqualFold(name, "gzip"), strings.EqualFold(name, "x-gzip"):
			likes[gzipped] = q
		case strings.EqualFold(name, "identity"):
			likes[identity] = q
		case name == "*":
			star = q
		}
	}
	likes[zstdded] = max(0, likes[zstdded])
	if likes[gzipped] == unsaid {
		likes[gzipped] = max(0, star)
	}
	if likes[identity] == unsaid {
		likes[identity] = 0.0001 // less than what can be said
		if star == 0 {
			likes[identity] = 0
		}
	}
	return likes
}

// quality reads the weight of a coding, 1 when none is given.
func quality(params string) (float64, bool) {
	name, value, found := strings.Cut(strings.TrimSpace(params), "=")
	if !found {
		return 1, strings.TrimSpace(params) == ""
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return q, strings.EqualFold(strings.TrimSpace(name), "q") && err == nil && q >= 0 && q <= 1
}
