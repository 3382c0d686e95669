package app

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"gamedata/internal/config"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// An instance that waits for its demo world is alive, says that it is not ready, and responds 503 to everything else.
func TestStarting(t *testing.T) {
	t.Parallel()
	store, server := mongotest.Open(t)
	uri := "mongodb://" + mongotest.NewProxy(server).Listen(t, server.Address(t)) +
		"/?directConnection=true&retryWrites=false"
	var listen [2]string
	for n := range listen {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listen[n] = free.Addr().String()
		_ = free.Close()
	}
	var c config.Service
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	c.Add(flags)
	if err := flags.Parse([]string{
		"--demo", "--mongo-uri", uri, "--mongo-database", server.Options().Database, "--listen", listen[0],
		"--admin-listen", listen[1],
	}); err != nil {
		t.Fatal(err)
	}
	err := store.Leases.With(t.Context(), "demo", "another", func(ctx context.Context, _ *mongo.Lease) error {
		ctx, cancel := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() {
			_, err := New(ctx, &c, io.Discard, io.Discard)
			ended <- err
		}()
		accept := ""
		get := func(url string) (int, string, http.Header) {
			for {
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Accept", accept)
				res, err := http.DefaultClient.Do(req)
				if err != nil && len(ended) == 0 {
					continue // it does not listen yet
				}
				if err != nil {
					t.Fatal(err, <-ended)
				}
				body, _ := io.ReadAll(res.Body)
				_ = res.Body.Close()
				return res.StatusCode, string(body), res.Header
			}
		}
		for _, address := range listen {
			base := "http://" + address
			if status, body, _ := get(base + "/livez"); status != 200 {
				t.Errorf("/livez: %d %s", status, body)
			}
			for body, status := "", 0; !strings.Contains(body, "creating the demo world"); {
				if status, body, _ = get(base + "/readyz"); status != 503 {
					t.Fatalf("/readyz: %d %s", status, body)
				}
			}
			for path, want := range map[string]string{
				"/": `{"error":"ServiceUnavailable","detail":"The service starts`, "/graphql": `"code":"SERVICE_UNAVAILABLE"`,
			} {
				if status, body, h := get(base + path); status != 503 || h.Get("Retry-After") == "" || !strings.Contains(body, want) {
					t.Errorf("%s: %d %s %v", path, status, body, h)
				}
			}
			accept = "text/html,application/xhtml+xml,*/*;q=0.8" // of a browser
			if status, body, h := get(base + "/players"); status != 503 || h.Get("Retry-After") == "" ||
				!strings.Contains(body, "<p>The service starts: creating the demo world") {
				t.Errorf("in a browser: %d %s %v", status, body, h)
			}
			accept = ""
		}
		cancel()
		if err := <-ended; err == nil {
			t.Error("it started")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Links never contain an address that stands for all addresses.
func TestAddressOfLinks(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		":80": "localhost", "0.0.0.0:80": "localhost", "[::]:80": "localhost", "[::ffff:0.0.0.0]:80": "localhost",
		"127.0.0.1:80": "127.0.0.1", "[::1]:80": "[::1]",
	} {
		to, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := urlOf(to); got != "http://"+want+":80" {
			t.Errorf("%s: got %s", address, got)
		}
		if all := (&config.Service{Listen: address}).ListensOnAll(); all != (want == "localhost") {
			t.Errorf("%s: got %v", address, all)
		}
	}
}
