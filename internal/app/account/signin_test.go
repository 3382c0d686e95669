package account

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

// A hundred wrong passwords from 13 addresses lock a name for unknown devices, and not for its owner on a known one.
// A stolen or forged device cookie does not help to guess passwords.
func TestOwnerSignsInDuringAttack(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--guest-rate", "1000", "--trusted-proxies", "127.0.0.0/8")
	owner, eve := signedUp(t, p, "Salted"), signedUp(t, p, "Eve")
	device := owner.cookies["__Host-device"]
	owner.submit("/account/sign-out")
	if device == "" || owner.cookies["__Host-device"] != device {
		t.Fatalf("signing out changed the device from %q to %q", device, owner.cookies["__Host-device"])
	}
	attempt := func(address, device, name, password string) *webUser {
		user := newWebUser(t, p)
		user.headers.Set("X-Forwarded-For", address)
		if device != "" {
			user.cookies["__Host-device"] = device
		}
		return user.signIn(name, password)
	}
	attacker := func(i int) string { return fmt.Sprintf("192.0.2.%d", i) }
	const right, wrong, elsewhere = "a long password", "a wrong password", "198.51.100.7"
	var attack sync.WaitGroup
	for i := range 13 {
		attack.Go(func() {
			for range 8 {
				if attempt(attacker(i), "", "Salted", wrong).cookies["__Host-session"] != "" {
					t.Error("a wrong password was accepted")
				}
			}
		})
	}
	attack.Wait()
	expect := func(name string, user *webUser, status int) (device string) {
		t.Helper()
		got := user.response.StatusCode
		if got != status || status == 429 && user.response.Header.Get("Retry-After") == "" ||
			(user.cookies["__Host-session"] != "") != (status == 200) {
			t.Errorf("%s: got %d %v, want %d", name, got, user.response.Header, status)
		}
		return user.cookies["__Host-device"]
	}
	expect("an unknown device", attempt(elsewhere, "", "Salted", right), 429)
	expect("a device of another account", attempt(elsewhere, eve.cookies["__Host-device"], "Salted", right), 429)
	forged := device[:len(device)-1] + map[bool]string{true: "B", false: "A"}[strings.HasSuffix(device, "A")]
	expect("a forged device", attempt(elsewhere, forged, "Salted", right), 429)
	expect("a forged list", attempt(elsewhere, strings.Repeat(forged+"~", 9)+device, "Salted", right), 429)
	second := expect("the owner's device", attempt(attacker(1), device, "Salted", right), 200)
	if second == "" || second == device {
		t.Errorf("the sign-in sets the device %q after %q", second, device)
	}

	// The attempts of a device are bounded, and the bound of one does not touch another.
	for range 9 {
		if expect("a stolen device", attempt(elsewhere, device, "Salted", wrong), 403) != device {
			t.Error("a failed sign-in sets a device")
		}
	}
	expect("a stolen device after ten attempts", attempt(elsewhere, device, "Salted", right), 429)
	expect("the owner's device", attempt(elsewhere, second, "sALTED", right), 200)

	// Nothing distinguishes a name that exists from one that does not.
	spy := attempt("203.0.113.9", second, "Nobody", wrong)
	shape := func(name string) string {
		spy.submit("/account/sign-in", "name", name, "password", wrong)
		return fmt.Sprint(spy.response.StatusCode, slices.Sorted(maps.Keys(spy.response.Header)),
			strings.ReplaceAll(spy.text, name, ""))
	}
	if eve, unknown := shape("Eve"), shape("Nob"); eve != unknown {
		t.Errorf("an account and none differ:\n%s\n%s", eve, unknown)
	}
	p.Stop()
	if strings.Contains(p.Stdout.String()+p.Stderr.String(), device) {
		t.Error("a device is in the log")
	}
}
