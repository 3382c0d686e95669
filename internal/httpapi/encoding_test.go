package httpapi

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// What is sent of a large body and of a small one.
func TestCodingFor(t *testing.T) {
	for accept, want := range map[string][2]string{
		"":                                 {"", ""},
		"gzip":                             {"gzip", ""},
		"x-gzip":                           {"gzip", ""},
		"zstd":                             {"zstd", ""},
		"gzip, deflate, br, zstd":          {"gzip", ""}, // as browsers send it
		"zstd, gzip":                       {"gzip", ""},
		"gzip;q=0.9, zstd":                 {"zstd", ""},
		"gzip;q=1.0, zstd;q=0.9":           {"gzip", ""},
		"zstd;q=0, gzip":                   {"gzip", ""},
		"zstd;q=0.5, gzip;q=0":             {"zstd", ""},
		"br, zstd;q=0, *, identity;q=0":    {"gzip", "gzip"},
		"br, gzip;q=0.5":                   {"gzip", ""},
		"gzip;q=0":                         {"", ""},
		"deflate, br":                      {"", ""},
		"*":                                {"gzip", ""},
		"gzip, *;q=0":                      {"gzip", "gzip"},
		"zstd, *;q=0":                      {"zstd", "zstd"},
		"gzip;q=0, *":                      {"", ""},
		"identity;q=0":                     {"", ""}, // nothing is possible: better than none
		"identity;q=0, gzip":               {"gzip", "gzip"},
		"identity;q=0, *":                  {"gzip", "gzip"},
		"identity, gzip;q=0.5":             {"", ""},
		"identity, zstd;q=0.5, gzip;q=0.7": {"", ""},
		"identity;q=0.5, gzip;q=0.5":       {"gzip", ""},
		"gzip;q=2":                         {"", ""},
	} {
		r := &http.Request{Header: http.Header{"Accept-Encoding": {accept}}}
		for i, size := range []int{minCompressed, minCompressed - 1} {
			got := ""
			if e := contentEncoding[codingFor(r.Header, size)]; e != nil {
				got = e[0]
			}
			if got != want[i] {
				t.Errorf("%q, %d bytes: %q, want %q", accept, size, got, want[i])
			}
		}
	}
}

// A decoder reads the body and its suffix, and the same text always gives the same bytes.
func TestCompress(t *testing.T) {
	for _, body := range []string{"", "{", strings.Repeat(`{"salt":"moss"},`, 20_000)} {
		for _, suffix := range []string{"", "}", strings.Repeat(" ", 500) + "}}}"} {
			for c := range codings {
				text := c.compress([]byte(body), []byte(suffix))
				if !bytes.Equal(text, c.compress([]byte(body), []byte(suffix))) {
					t.Errorf("coding %d gives other bytes each time", c)
				}
				var from io.Reader = bytes.NewReader(text)
				var err error
				switch c {
				case gzipped:
					from, err = gzip.NewReader(from)
				case zstdded:
					var z *zstd.Decoder
					z, err = zstd.NewReader(from, zstd.WithDecoderMaxWindow(8<<20))
					if err == nil {
						defer z.Close()
					}
					from = z
				}
				if err != nil {
					t.Fatal(err)
				}
				if got, err := io.ReadAll(from); err != nil || string(got) != body+suffix {
					t.Errorf("coding %d, %d bytes and %q: %d bytes, %v", c, len(body), suffix, len(got), err)
				}
			}
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
		{"GET", []string{`"abc"x`}, false},
		{"GET", []string{`"abc", x`}, false},
		{"GET", []string{`"abc" "x"`}, false},
		{"GET", []string{`"x"y, "abc"`}, false},
		{"GET", []string{`"abc" ,, "x",`}, true},
	}
	for _, c := range cases {
		r := &http.Request{Method: c.method, Header: http.Header{"If-None-Match": c.values}}
		if got := notModified(r, tag, false); got != c.want {
			t.Errorf("%s %q: %v, want %v", c.method, c.values, got, c.want)
		}
		if got := notModified(r, tag, true); c.method == "POST" && !got {
			t.Errorf("a query by %s: %v", c.method, got)
		}
	}
}
