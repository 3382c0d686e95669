package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

// A request whose response contains the response of a request within it ends in every content encoding, whatever the
// sizes of both: as on a socket, the client waits for the end of one response before it sends the next request.
func TestNestedRequests(t *testing.T) {
	inner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Path[1:])
		httpapi.WriteResponse(w, r, httpapi.Response{Body: []byte(strings.Repeat("x", n))})
	})
	h := httpapitest.Serve(t, nil, func(api *httpapi.API) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rec := httpapi.NewRecorder()
			target := &url.URL{Path: r.URL.Path}
			ctx := context.WithoutCancel(r.Context())
			nested := httpapi.Nested(ctx, r, http.MethodGet, target, httpapi.NestedHeader(r.Header), nil)
			api.Middleware(inner).ServeHTTP(rec, nested)
			body := rec.Body.Bytes()
			if r.URL.RawQuery == "length" {
				body = fmt.Append(nil, len(body))
			}
			httpapi.WriteResponse(w, r, httpapi.Response{Body: body})
		})
	})
	for _, n := range []int{0, 1, 1023, 1024, 3000, 3700, 4000, 4095, 4096, 4097, 5000, 8191, 8192, 8193, 100_000} {
		for _, encoding := range []string{"identity", "gzip", "zstd"} {
			t.Run(fmt.Sprint(encoding, " ", n), func(t *testing.T) {
				res := h.Do(http.MethodGet, "/"+strconv.Itoa(n), "", "Accept-Encoding", encoding)
				if text := httpapitest.Decompress(t, res.Header.Get("Content-Encoding"), res.Text); text != strings.Repeat("x", n) {
					t.Errorf("got %d bytes, want %d", len(text), n)
				}
				h.Do(http.MethodGet, "/"+strconv.Itoa(n)+"?length", "", "Accept-Encoding", encoding)
				head := h.Do(http.MethodHead, "/"+strconv.Itoa(n), "", "Accept-Encoding", encoding)
				if head.Text != "" || head.ContentLength != res.ContentLength {
					t.Errorf("HEAD: got %d bytes, %d in the header, want %d", len(head.Text), head.ContentLength, res.ContentLength)
				}
			})
		}
	}
}
