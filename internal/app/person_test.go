package app_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// person uses the pages as a browser does, without scripts: it keeps cookies, and sends the
// forms that stand on the page with their hidden fields.
type person struct {
	t       *testing.T
	base    string
	cookies map[string]string
	page    *html.Node
	text    string
	at      *url.URL
	answer  *http.Response
	headers http.Header // sent with everything
}

func newBrowser(t *testing.T, p *program) *person {
	return &person{t: t, base: p.base, cookies: map[string]string{}, headers: http.Header{}}
}

// open opens an address of the service and follows redirects that stay there; one that leaves
// is cached as the answer.
func (v *person) open(path string) *person {
	v.t.Helper()
	v.send(http.MethodGet, path, nil)
	return v
}

func (v *person) send(method, path string, form url.Values) {
	v.t.Helper()
	for range 5 {
		r, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, strings.NewReader(form.Encode()))
		if err != nil {
			v.t.Fatal(err)
		}
		for name, values := range v.headers {
			r.Header[name] = values
		}
		if method == http.MethodPost {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		for name, value := range v.cookies {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
		if v.answer, err = client.Do(r); err != nil {
			v.t.Fatal(err)
		}
		body, err := io.ReadAll(v.answer.Body)
		_ = v.answer.Body.Close()
		if err != nil {
			v.t.Fatal(err)
		}
		v.at, v.text = r.URL, string(body)
		for _, c := range v.answer.Cookies() {
			if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" ||
				c.SameSite != http.SameSiteLaxMode {
				v.t.Errorf("the cookie %s is %+v", c.Name, c)
			}
			if v.cookies[c.Name] = c.Value; c.MaxAge < 0 {
				delete(v.cookies, c.Name)
			}
		}
		to := v.answer.Header.Get("Location")
		if to == "" || !strings.HasPrefix(to, "/") {
			break
		}
		method, path, form = http.MethodGet, to, nil
	}
	var err error
	if v.page, err = html.Parse(strings.NewReader(v.text)); err != nil {
		v.t.Fatal(err)
	}
}

// fill sends the first form whose action begins with a text and that holds the given fields'
// values as they stand there; pairs are names and values that the person types, scopes as many
// as wanted. A name given with "-" before it is left out.
func (v *person) fill(action string, pairs ...string) *person {
	v.t.Helper()
	form := find(v.page, func(n *html.Node) bool {
		return n.Data == "form" && strings.HasPrefix(attribute(n, "action"),
			action)
	})
	if form == nil {
		v.t.Fatalf("%s has no form %s: %s", v.at, action, v.text)
	}
	values := url.Values{}
	for n := range form.Descendants() {
		if n.Type == html.ElementNode && n.Data == "input" && (attribute(n, "type") == "hidden" ||
			attribute(n, "type") == "") {
			values.Set(attribute(n, "name"), attribute(n, "value"))
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		if name, out := strings.CutPrefix(pairs[i], "-"); out {
			values.Del(name)
		} else if pairs[i] == "scopes" {
			values.Add(pairs[i], pairs[i+1])
		} else {
			values.Set(pairs[i], pairs[i+1])
		}
	}
	v.send(http.MethodPost, attribute(form, "action"), values)
	return v
}

// has checks status and text of the page.
func (v *person) has(status int, texts ...string) *person {
	v.t.Helper()
	if v.answer.StatusCode != status {
		v.t.Errorf("%s: %d, want %d: %s", v.at, v.answer.StatusCode, status, v.text)
	}
	for _, text := range texts {
		if !strings.Contains(v.text, text) {
			v.t.Errorf("%s does not say %q: %s", v.at, text, v.text)
		}
	}
	return v
}

// value is what stands in the field with an id.
func (v *person) value(id string) string {
	v.t.Helper()
	n := find(v.page, func(n *html.Node) bool { return attribute(n, "id") == id })
	if n == nil {
		v.t.Fatalf("%s has no %s: %s", v.at, id, v.text)
	}
	return attribute(n, "value")
}

// signUp makes an account and signs in.
func (v *person) signUp(name string) *person {
	v.t.Helper()
	return v.open("/account/sign-up").fill("/account/sign-up", "name", name, "password", "a long password", "again",
		"a long password")
}

func find(root *html.Node, is func(*html.Node) bool) *html.Node {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && is(n) {
			return n
		}
	}
	return nil
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// hidden is the field that binds a form to the browser.
func hidden(n *html.Node) bool { return attribute(n, "name") == "form" }
