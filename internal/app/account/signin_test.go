package account

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

// signInForm sends the form of the sign-in page from any address with any device cookie.
type signInForm struct {
	t           *testing.T
	base        string
	cookie, key string // of the form
}

func newSignInForm(t *testing.T, p *apptest.Program) signInForm {
	t.Helper()
	guest := newWebUser(t, p).open("/account/sign-in")
	return signInForm{t, p.Base, guest.cookies["__Host-form"], attribute(find(guest.page, hidden), "value")}
}

func (f signInForm) send(address, device, name, password string) apptest.Response {
	f.t.Helper()
	cookie := "__Host-form=" + f.cookie
	if device != "" {
		cookie += "; __Host-device=" + device
	}
	form := url.Values{"form": {f.key}, "name": {name}, "password": {password}}
	return apptest.Request(f.t, http.MethodPost, f.base+"/account/sign-in", form.Encode(), "Cookie", cookie,
		"Content-Type", "application/x-www-form-urlencoded", "X-Forwarded-For", address)
}

// deviceOf returns the device cookie that a response sets, "" for none.
func deviceOf(res apptest.Response) string {
	for _, c := range (&http.Response{Header: res.Header}).Cookies() {
		if c.Name == "__Host-device" {
			return c.Value
		}
	}
	return ""
}

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
	form := newSignInForm(t, p)
	attacker := func(i int) string { return fmt.Sprintf("192.0.2.%d", i) }
	var attack sync.WaitGroup
	for i := range 13 {
		attack.Go(func() {
			for range 8 {
				if res := form.send(attacker(i), "", "Salted", "a wrong password"); res.Status == 303 {
					t.Error("a wrong password was accepted")
				}
			}
		})
	}
	attack.Wait()
	expect := func(name string, res apptest.Response, status int) apptest.Response {
		t.Helper()
		if res.Status != status || status == 429 && res.Header.Get("Retry-After") == "" {
			t.Errorf("%s: got %d %v, want %d", name, res.Status, res.Header, status)
		}
		return res
	}
	const right, wrong, elsewhere = "a long password", "a wrong password", "198.51.100.7"
	expect("an unknown device", form.send(elsewhere, "", "Salted", right), 429)
	expect("a device of another account", form.send(elsewhere, eve.cookies["__Host-device"], "Salted", right), 429)
	forged := device[:len(device)-1] + map[bool]string{true: "B", false: "A"}[strings.HasSuffix(device, "A")]
	expect("a forged device", form.send(elsewhere, forged, "Salted", right), 429)
	expect("a forged list", form.send(elsewhere, strings.Repeat(forged+"~", 9)+device, "Salted", right), 429)
	second := deviceOf(expect("the owner's device", form.send(attacker(1), device, "Salted", right), 303))
	if second == "" || second == device {
		t.Errorf("the sign-in sets the device %q after %q", second, device)
	}

	// The attempts of a device are bounded, and the bound of one does not touch another.
	for range 9 {
		res := expect("a stolen device", form.send(elsewhere, device, "Salted", wrong), 403)
		if deviceOf(res) != "" {
			t.Error("a failed sign-in sets a device")
		}
	}
	expect("a stolen device after ten attempts", form.send(elsewhere, device, "Salted", right), 429)
	expect("the owner's device", form.send(elsewhere, second, "sALTED", right), 303)

	// Nothing distinguishes a name that exists from one that does not.
	shape := func(name string) string {
		res := form.send("203.0.113.9", second, name, wrong)
		var headers []string
		for h := range res.Header {
			headers = append(headers, h)
		}
		slices.Sort(headers)
		return fmt.Sprint(res.Status, headers, strings.ReplaceAll(string(res.Body), name, ""))
	}
	if eve, unknown := shape("Eve"), shape("Nob"); eve != unknown {
		t.Errorf("an account and none differ:\n%s\n%s", eve, unknown)
	}
	p.Stop()
	if strings.Contains(p.Stdout.String()+p.Stderr.String(), device) {
		t.Error("a device is in the log")
	}
}
