package webhook_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gamedata/graph/model"
)

// A name that resolves to this machine is refused when the connection is made, whatever the URL looks like.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	f := newFixture(t, false)
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the request was sent")
	}))
	defer server.Close()
	hook := f.create(model.CreateWebhookInput{URL: strings.Replace(server.URL, "127.0.0.1", "localhost", 1)})
	d := f.sender().Test(t.Context(), hook)
	if d.Error == nil || *d.Error != "the address is not public" || d.Status != nil {
		t.Errorf("got %+v", d)
	}
	// Addresses in a URL are refused with it; this one is as if it had been stored before.
	hook.URL = server.URL
	if d := f.sender().Test(t.Context(), hook); d.Error == nil || *d.Error != "the address is not public" {
		t.Errorf("got %+v", d)
	}
}

// A redirect is a failure, and is not followed.
func TestRedirect(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	mux := http.NewServeMux()
	mux.Handle("/to", http.RedirectHandler("/from", http.StatusTemporaryRedirect))
	mux.HandleFunc("/from", func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") })
	server := httptest.NewServer(mux)
	defer server.Close()
	d := f.sender().Test(t.Context(), f.create(model.CreateWebhookInput{URL: server.URL + "/to"}))
	if d.Error == nil || *d.Status != http.StatusTemporaryRedirect {
		t.Errorf("got %+v", d)
	}
}

// Why there is no response is said in words, without the address, which may be a secret.
func TestReasons(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	defer untrusted.Close()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for name, c := range map[string]struct{ url, want string }{
		"closed":      {closed.URL + "/secret", "the connection failed"},
		"certificate": {untrusted.URL + "/secret", "the certificate is not valid"},
		"name":        {"https://secret.invalid", "the host name cannot be resolved"},
	} {
		hook := f.create(model.CreateWebhookInput{URL: c.url})
		d := f.sender().Test(t.Context(), hook)
		for d.Milliseconds >= 3000 { // a busy machine needs longer for a handshake than a test may take
			d = f.sender().Test(t.Context(), hook)
		}
		if d.Error == nil || *d.Error != c.want {
			t.Errorf("%s: got %+v, want %s", name, d, c.want)
		}
	}
}
