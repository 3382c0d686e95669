package auth

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// A device is known for the account that signed in with it, for half a year or until the password changes, and for no
// other. The cookie contains no name.
func TestDevices(t *testing.T) {
	d := newFixture(t)
	brindle, err := d.SignUp(t.Context(), "Brindle", password)
	d.must(err)
	_, err = d.SignUp(t.Context(), "Okapi", password)
	d.must(err)
	remember := func(name, cookie string) string {
		t.Helper()
		cookie, err := d.Devices.Remember(t.Context(), name, cookie)
		d.must(err)
		if strings.Contains(strings.ToLower(cookie), strings.ToLower(name)) {
			t.Errorf("the cookie contains the name: %s", cookie)
		}
		return cookie
	}
	known := func(name, cookie string) string {
		t.Helper()
		id, err := d.Devices.Known(t.Context(), name, cookie)
		d.must(err)
		return id
	}
	first := remember("Brindle", "")
	for _, name := range []string{"Brindle", "bRINDLE"} {
		if known(name, first) == "" {
			t.Errorf("%s: the device is unknown", name)
		}
	}
	for _, name := range []string{"Okapi", "Salted", "Nobody", ""} {
		if id := known(name, first); id != "" {
			t.Errorf("%s: got the device %s of another account", name, id)
		}
	}
	for i := range len(first) { // forged
		for _, c := range []string{"0", "x"} {
			forged := first[:i] + c + first[i+1:]
			if forged != first && known("Brindle", forged) != "" {
				t.Errorf("%s is known, which differs from %s", forged, first)
			}
		}
	}
	for _, forged := range []string{"", "~", "..", first + "x", first[1:], strings.Repeat(first[:20]+"~", 500)} {
		if known("Brindle", forged) != "" {
			t.Errorf("%q is known", forged)
		}
	}

	// Several accounts share a browser; the device of a repeated sign-in replaces the one before.
	both := remember("Okapi", first)
	if known("Brindle", both) != known("Brindle", first) || known("Okapi", both) == "" {
		t.Errorf("%s does not know both accounts", both)
	}
	again := remember("Brindle", both)
	if id := known("Brindle", again); id == "" || id == known("Brindle", both) || strings.Count(again, "~") != 1 ||
		known("Okapi", again) != known("Okapi", both) {
		t.Errorf("%s after %s", again, both)
	}
	for _, name := range []string{"Nettlewick", "Bramblefoot", "Cloverfield"} {
		_, err := d.SignUp(t.Context(), name, password)
		d.must(err)
		again = remember(name, again)
	}
	if strings.Count(again, "~") != maxDevices-1 || known("Cloverfield", again) == "" || known("Okapi", again) != "" {
		t.Errorf("%s does not know the last %d accounts", again, maxDevices)
	}
	if junk := remember("Brindle", "junk~"+strings.Repeat("a", 3000)); strings.Contains(junk, "~") {
		t.Errorf("%s repeats what was no device", junk)
	}

	d.wait(DeviceLifetime - time.Second)
	if known("Brindle", first) == "" {
		t.Error("the device is forgotten too early")
	}
	d.wait(time.Second)
	if known("Brindle", first) != "" {
		t.Error("the device has not expired")
	}
	fresh := remember("Brindle", "")
	d.must(d.SetPassword(t.Context(), brindle.ID, "another password"))
	if known("Brindle", fresh) != "" {
		t.Error("the device outlives the password")
	}
	if _, err := d.Devices.Remember(t.Context(), "Nobody", ""); !errors.Is(err, ErrNoAccount) {
		t.Errorf("an unknown account: got %v, want ErrNoAccount", err)
	}
}
