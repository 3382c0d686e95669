package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// signInForm sends the form of the sign-in page from any address with any device cookie.
type signInForm struct {
	t           *testing.T
	base        string
	cookie, key string // of the form
}

func newSignInForm(t *testing.T, p *program) signInForm {
	t.Helper()
	guest := newWebUser(t, p).open("/account/sign-in")
	return signInForm{t, p.base, guest.cookies["__Host-form"], attribute(find(guest.page, hidden), "value")}
}

func (f signInForm) send(address, device, name, password string) response {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), http.MethodPost, f.base+"/account/sign-in", nil)
	if err != nil {
		f.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("X-Forwarded-For", address)
	r.AddCookie(&http.Cookie{Name: "__Host-form", Value: f.cookie})
	if device != "" {
		r.AddCookie(&http.Cookie{Name: "__Host-device", Value: device})
	}
	return send(f.t, r, []byte(url.Values{"form": {f.key}, "name": {name}, "password": {password}}.Encode()))
}

// deviceOf returns the device cookie that a response sets, "" for none.
func deviceOf(res response) string {
	for _, c := range (&http.Response{Header: res.header}).Cookies() {
		if c.Name == "__Host-device" {
			return c.Value
		}
	}
	return ""
}

// A hundred wrong passwords from 13 addresses lock a name for unknown devices, and not for its owner on a known one.
// A stolen or forged device cookie does not help to guess passwords.
func TestOwnerSignsInDuringAttack(t *testing.T) {
	t.Parallel()
	p, _ := serveDemo(t, "--guest-rate", "1000", "--trusted-proxies", "127.0.0.0/8")
	owner, eve := newWebUser(t, p), newWebUser(t, p)
	owner.signUp("Salted").expect(200)
	eve.signUp("Eve").expect(200)
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
				if res := form.send(attacker(i), "", "Salted", "a wrong password"); res.status == 303 {
					t.Error("a wrong password was accepted")
				}
			}
		})
	}
	attack.Wait()
	expect := func(name string, res response, status int) response {
		t.Helper()
		if res.status != status || status == 429 && res.header.Get("Retry-After") == "" {
			t.Errorf("%s: got %d %v, want %d", name, res.status, res.header, status)
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
		for h := range res.header {
			headers = append(headers, h)
		}
		slices.Sort(headers)
		return fmt.Sprint(res.status, headers, strings.ReplaceAll(string(res.body), name, ""))
	}
	if eve, unknown := shape("Eve"), shape("Nob"); eve != unknown {
		t.Errorf("an account and none differ:\n%s\n%s", eve, unknown)
	}
	p.stop()
	if strings.Contains(p.stdout.String()+p.stderr.String(), device) {
		t.Error("a device is in the log")
	}
}
