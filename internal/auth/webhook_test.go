package auth

import (
	"net/netip"
	"testing"

	"gamedata/graph/model"
)

// Webhooks reach machines on the internet, and no others by whatever spelling.
func TestPublicAddress(t *testing.T) {
	for _, text := range []string{"8.8.8.8", "1.1.1.1", "162.159.135.232", "2606:4700::6810:84e5", "::ffff:8.8.8.8"} {
		if !PublicAddress(netip.MustParseAddr(text)) {
			t.Errorf("%s is refused", text)
		}
	}
	for _, text := range []string{
		"127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
		"100.64.0.1", "100.127.255.254", "192.0.0.8", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
		"::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "::ffff:127.0.0.1",
		"::ffff:10.0.0.1", "::7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "2001:db8::1", "100::1",
	} {
		if PublicAddress(netip.MustParseAddr(text)) {
			t.Errorf("%s is allowed", text)
		}
	}
	if PublicAddress(netip.Addr{}) {
		t.Error("no address is allowed")
	}
}

// An account has ten webhooks, however many are created at once, and each has a separate secret, which depends on the
// pepper.
func TestWebhookLimit(t *testing.T) {
	d := newFixture(t)
	in := model.CreateWebhookInput{URL: "https://board.example/", Format: model.WebhookFormatJSON}
	if n := d.concurrently(40, ErrWebhookLimit, func(int) error {
		_, err := d.Webhooks.Create(t.Context(), d.salted.ID, in)
		return err
	}); n != model.MaxWebhooks {
		t.Errorf("created %d, want %d", n, model.MaxWebhooks)
	}
	hooks, err := d.Webhooks.Of(t.Context(), d.salted.ID)
	d.must(err)
	secrets := map[string]bool{}
	for _, of := range []*Accounts{d.Accounts, New(d.store, Options{Pepper: "another"})} {
		for _, w := range hooks {
			secrets[of.Webhooks.Secret(w)] = true
		}
	}
	if len(secrets) != 2*model.MaxWebhooks {
		t.Errorf("got %d different secrets, want %d", len(secrets), 2*model.MaxWebhooks)
	}
	d.must(d.deleteBelongings(t.Context(), d.salted.ID))
	hooks, err = d.Webhooks.Of(t.Context(), d.salted.ID)
	if err != nil || len(hooks) > 0 {
		t.Errorf("after the account was deleted: %d webhooks, %v", len(hooks), err)
	}
}
