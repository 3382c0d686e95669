package httpapi

import (
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gamedata/internal/tabular"
)

// qualities reads the lines of an Accept or Accept-Encoding header (RFC 9110, section 12.5): each name and its quality,
// 1 by default. It skips parts with an invalid quality, and codings with other parameters, which only media ranges may
// have.
func qualities(lines []string, mediaRanges bool) iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for _, line := range lines {
			for part := range strings.SplitSeq(line, ",") {
				name, params, _ := strings.Cut(part, ";")
				q, ok := quality(params, mediaRanges)
				name = strings.TrimSpace(name)
				if ok && name != "" && !yield(name, q) {
					return
				}
			}
		}
	}
}

// quality finds the q parameter.
func quality(params string, others bool) (float64, bool) {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return q, err == nil && q >= 0 && q <= 1
		}
		if !others && strings.TrimSpace(p) != "" {
			return 0, false
		}
	}
	return 1, true
}

// Media types of responses.
const (
	mediaHTML            = "text/html"
	mediaJSON            = "application/json"
	mediaGraphQLResponse = "application/graphql-response+json"
	mediaEventStream     = "text/event-stream"
)

// mediaQuality returns the highest quality that Accept gives to any of the types, and whether it names one.
func mediaQuality(h http.Header, types ...string) (best float64, named bool) {
	for name, q := range qualities(h["Accept"], true) {
		if slices.ContainsFunc(types, func(t string) bool { return strings.EqualFold(t, name) }) {
			best, named = max(best, q), true
		}
	}
	return best, named
}

// rangeQuality returns the quality that wildcards in Accept give to JSON.
func rangeQuality(h http.Header) float64 {
	q, named := mediaQuality(h, "application/*")
	if !named {
		q, _ = mediaQuality(h, "*/*")
	}
	return q
}

// PrefersHTML reports whether Accept names text/html and ranks it at least as high as JSON.
func PrefersHTML(h http.Header) bool {
	html, _ := mediaQuality(h, mediaHTML)
	json, _ := mediaQuality(h, mediaJSON)
	return html > 0 && html >= json
}

// PrefersGraphQLResponse reports whether Accept names application/graphql-response+json and ranks it at least as high
// as application/json.
func PrefersGraphQLResponse(h http.Header) bool {
	graphql, _ := mediaQuality(h, mediaGraphQLResponse)
	if graphql == 0 {
		return false
	}
	json, named := mediaQuality(h, mediaJSON)
	if !named {
		json = rangeQuality(h)
	}
	return graphql >= json
}

// AcceptsEventStream reads Accept. accepted means that it names text/event-stream, preferred that it also ranks it
// above JSON. GraphQL clients list it after JSON in every request.
func AcceptsEventStream(h http.Header) (accepted, preferred bool) {
	stream, _ := mediaQuality(h, mediaEventStream)
	json, _ := mediaQuality(h, mediaJSON, mediaGraphQLResponse)
	return stream > 0, stream > json
}

// tables maps media types to table formats.
var tables = map[string]tabular.Format{"text/csv": tabular.CSV, "application/x-ndjson": tabular.NDJSON}

// TableFormat reads Accept. It must name CSV or NDJSON and rank it above JSON, or equal to JSON if only a wildcard
// accepts JSON. The higher quality wins, then the first.
func TableFormat(h http.Header) tabular.Format {
	best, quality := tabular.None, 0.0
	for name, q := range qualities(h["Accept"], true) {
		if format, ok := tables[strings.ToLower(name)]; ok && q > quality {
			best, quality = format, q
		}
	}
	if best == tabular.None {
		return best
	}
	json, named := mediaQuality(h, mediaJSON, mediaGraphQLResponse)
	if named && json >= quality || !named && rangeQuality(h) > quality {
		return tabular.None
	}
	return best
}

// coding is a content encoding of bodies.
type coding int

// The codings in order of preference. If a request accepts several with equal quality, the last one is sent.
const (
	identity coding = iota
	gzipped
	zstdded
	codings
)

// contentEncoding holds the values of Content-Encoding, shared by all responses.
var contentEncoding = [codings][]string{gzipped: {"gzip"}, zstdded: {"zstd"}}

// minCompressed is the size in bytes below which compressing saves less than it costs.
const minCompressed = 1024

// codingFor chooses the coding for a body of size bytes: gzip before zstd, because some clients name zstd and cannot
// read it, and both before identity. If nothing is acceptable, it sends identity: better an unwanted coding than no
// body.
func codingFor(h http.Header, size int) coding {
	accepted := acceptedCodings(h)
	best := identity
	for c := gzipped; c < codings; c++ {
		if accepted[c] > accepted[best] || best == identity && accepted[c] > 0 && accepted[c] == accepted[identity] {
			best = c
		}
	}
	if size == 0 || size < minCompressed && accepted[identity] > 0 {
		return identity
	}
	return best
}

// AcceptsGzip reports whether a request accepts gzip, even if it prefers another coding.
func AcceptsGzip(h http.Header) bool { return acceptedCodings(h)[gzipped] > 0 }

// acceptedCodings reads the quality of each coding from Accept-Encoding, 0 for unacceptable codings. Identity comes
// last unless it is named. The wildcard means gzip alone: clients that can read zstd name it.
func acceptedCodings(h http.Header) [codings]float64 {
	const absent, leastIdentity = -1, 0.0001 // below any quality that a client can send
	out, wildcard := [codings]float64{absent, absent, absent}, float64(absent)
	for name, q := range qualities(h["Accept-Encoding"], false) {
		switch {
		case strings.EqualFold(name, "zstd"):
			out[zstdded] = q
		case strings.EqualFold(name, "gzip"), strings.EqualFold(name, "x-gzip"):
			out[gzipped] = q
		case strings.EqualFold(name, "identity"):
			out[identity] = q
		case name == "*":
			wildcard = q
		}
	}
	out[zstdded] = max(0, out[zstdded])
	if out[gzipped] == absent {
		out[gzipped] = max(0, wildcard)
	}
	if out[identity] == absent {
		out[identity] = leastIdentity
		if wildcard == 0 {
			out[identity] = 0
		}
	}
	return out
}
