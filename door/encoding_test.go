package door

import (
	"net/http"
	"testing"
)

func TestAcceptsGzip(t *testing.T) {
	cases := []struct {
		accept        string
		accepts, only bool
	}{
		{"", false, false},
		{"gzip", true, false},
		{"GZIP", true, false},
		{"x-gzip", true, false},
		{"br, gzip;q=0.5", true, false},
		{"gzip;q=0", false, false},
		{"gzip;q=0.000", false, false},
		{"gzip; Q=1", true, false},
		{"deflate, br", false, false},
		{"*", true, false},
		{"*;q=0", false, false},
		{"gzip, *;q=0", true, true},
		{"gzip;q=0, *", false, false},
		{"identity;q=0", false, false},
		{"identity;q=0, gzip", true, true},
		{"identity;q=0, *", true, true},
		{"identity, gzip;q=0.5", false, false},
		{"identity;q=0.5, gzip;q=0.5", true, false},
		{"gzip;q=2", false, false},
		{"gzip;q=nan", false, false},
		{"gzip;level=9", false, false},
		{",,gzip,,", true, false},
	}
	for _, c := range cases {
		accepts, only := acceptsGzip(http.Header{"Accept-Encoding": {c.accept}})
		if accepts != c.accepts || only != c.only {
			t.Errorf("%q: accepts %v only %v, want %v %v", c.accept, accepts, only, c.accepts, c.only)
		}
	}
}

func TestNotModified(t *testing.T) {
	const tag = `"abc"`
	cases := []struct {
		method string
		values []string
		want   bool
	}{
		{"GET", nil, false},
		{"GET", []string{`"abc"`}, true},
		{"HEAD", []string{`"abc"`}, true},
		{"POST", []string{`"abc"`}, false},
		{"GET", []string{`W/"abc"`}, true},
		{"GET", []string{`*`}, true},
		{"GET", []string{`"x", "abc"`}, true},
		{"GET", []string{`"x"`, `"abc"`}, true},
		{"GET", []string{`"a,b" ,W/"y","abc"`}, true},
		{"GET", []string{`"x,"abc"`}, false},
		{"GET", []string{`abc`}, false},
		{"GET", []string{`"abc`}, false},
		{"GET", []string{`"abc-g1"`}, false},
		{"GET", []string{`"x", *`}, false},
	}
	for _, c := range cases {
		r := &http.Request{Method: c.method, Header: http.Header{"If-None-Match": c.values}}
		if got := notModified(r, tag); got != c.want {
			t.Errorf("%s %q: %v, want %v", c.method, c.values, got, c.want)
		}
	}
}
