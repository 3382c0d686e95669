package account

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"gamedata/internal/app/apptest"
)

// webUser uses the pages as a browser without scripts does: it stores cookies and sends the forms of the page with
// their hidden fields.
type webUser struct {
	t        *testing.T
	base     string
	cookies  map[string]string
	page     *html.Node
	text     string
	url      *url.URL
	response *http.Response
	headers  http.Header // sent with everything
}

func newWebUser(t *testing.T, p *apptest.Program) *webUser {
	return &webUser{t: t, base: p.Base, cookies: map[string]string{}, headers: http.Header{}}
}

// open opens a path of the service. It follows redirects within the service; another one is the response.
func (user *webUser) open(path string) *webUser {
	user.t.Helper()
	user.send(http.MethodGet, path, nil)
	return user
}

func (user *webUser) send(method, path string, form url.Values) {
	user.t.Helper()
	for range 5 {
		r, err := http.NewRequestWithContext(user.t.Context(), method, user.base+path, strings.NewReader(form.Encode()))
		if err != nil {
			user.t.Fatal(err)
		}
		for name, values := range user.headers {
			r.Header[name] = values
		}
		if method == http.MethodPost {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		for name, value := range user.cookies {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
		if user.response, err = apptest.Client.Do(r); err != nil {
			user.t.Fatal(err)
		}
		body, err := io.ReadAll(user.response.Body)
		_ = user.response.Body.Close()
		if err != nil {
			user.t.Fatal(err)
		}
		user.url, user.text = r.URL, string(body)
		for _, c := range user.response.Cookies() {
			readable := c.Name == "__Host-account" // the name that the top bar shows
			if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || c.HttpOnly == readable || c.Path != "/" || c.Domain != "" ||
				c.SameSite != http.SameSiteLaxMode {
				user.t.Errorf("the cookie %s is %+v", c.Name, c)
			}
			user.cookies[c.Name] = c.Value
			if c.MaxAge < 0 {
				delete(user.cookies, c.Name)
			}
		}
		to := user.response.Header.Get("Location")
		if to == "" || !strings.HasPrefix(to, "/") {
			break
		}
		method, path, form = http.MethodGet, to, nil
	}
	var err error
	if user.page, err = html.Parse(strings.NewReader(user.text)); err != nil {
		user.t.Fatal(err)
	}
}

func (user *webUser) cookieHeader() string {
	var cookies []string
	for name, value := range user.cookies {
		cookies = append(cookies, name+"="+value)
	}
	return strings.Join(cookies, "; ")
}

// submit sends the first form whose action begins with the given one, with the values of its fields: hidden ones, lines
// of text and ticked scopes. pairs are names and values that replace them; scopes may be repeated. A name with the
// prefix "-" removes the field.
func (user *webUser) submit(action string, pairs ...string) *webUser {
	user.t.Helper()
	form := find(user.page, func(n *html.Node) bool {
		return n.Data == "form" && strings.HasPrefix(attribute(n, "action"),
			action)
	})
	if form == nil {
		user.t.Fatalf("%s has no form %s: %s", user.url, action, user.text)
	}
	values := url.Values{}
	for n := range form.Descendants() {
		if n.Type == html.ElementNode && n.Data == "input" && (attribute(n, "type") == "hidden" ||
			attribute(n, "type") == "") {
			values.Set(attribute(n, "name"), attribute(n, "value"))
		}
		if n.Type == html.ElementNode && attribute(n, "name") == "scopes" && hasAttribute(n, "checked") {
			values.Add("scopes", attribute(n, "value"))
		}
	}
	if slices.Contains(pairs, "scopes") {
		values.Del("scopes")
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
	user.send(http.MethodPost, attribute(form, "action"), values)
	return user
}

// confirm follows the first link to the page that confirms an action, and sends its form.
func (user *webUser) confirm(action string, pairs ...string) *webUser {
	user.t.Helper()
	link := find(user.page, func(n *html.Node) bool {
		return n.Data == "a" && strings.HasPrefix(attribute(n, "href"), action)
	})
	if link == nil {
		user.t.Fatalf("%s has no link to %s: %s", user.url, action, user.text)
	}
	return user.open(attribute(link, "href")).expect(200, "Cancel").submit(action, pairs...)
}

// expect checks status and text of the page.
func (user *webUser) expect(status int, texts ...string) *webUser {
	user.t.Helper()
	if user.response.StatusCode != status {
		user.t.Errorf("%s: %d, want %d: %s", user.url, user.response.StatusCode, status, user.text)
	}
	for _, text := range texts {
		if !strings.Contains(user.text, text) {
			user.t.Errorf("%s: got no %q: %s", user.url, text, user.text)
		}
	}
	return user
}

// rejected checks that the page marks a field as wrong, says why beside it, and has some texts, such as what was typed.
func (user *webUser) rejected(status int, field, reason string, texts ...string) *webUser {
	user.t.Helper()
	return user.expect(status, append(texts, `aria-invalid="true" aria-describedby="fault-`+field+`"`,
		`id="fault-`+field+`">`+reason)...)
}

func (user *webUser) fieldValue(id string) string {
	user.t.Helper()
	n := find(user.page, func(n *html.Node) bool { return attribute(n, "id") == id })
	if n == nil {
		user.t.Fatalf("%s has no %s: %s", user.url, id, user.text)
	}
	return attribute(n, "value")
}

func (user *webUser) signUp(name string) *webUser {
	user.t.Helper()
	return user.open("/account/sign-up").submit("/account/sign-up", "name", name, "password", "a long password", "again",
		"a long password")
}

func signedUp(t *testing.T, p *apptest.Program, name string) *webUser {
	t.Helper()
	return newWebUser(t, p).signUp(name).expect(200)
}

// link links a player of the cast by the code that the game shows.
func (user *webUser) link(dir, player string) *webUser {
	user.t.Helper()
	return user.open("/account/players").
		submit("/account/players/link", "code", apptest.LinkCode(user.t, dir, player)).expect(200, "Player linked.")
}

// register registers a public application, or what the fields of the form in pairs say.
func (user *webUser) register(pairs ...string) (id string) {
	user.t.Helper()
	fields := []string{"name", "Moss board", "private", "", "redirectUris", redirectURI}
	user.open("/account/applications").submit("/account/applications/create", append(fields, pairs...)...).expect(200)
	return user.fieldValue("created-id")
}

// authorizePath is the page on which a user allows an application its scopes.
func authorizePath(app, scope string) string {
	return "/oauth/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {app}, "redirect_uri": {redirectURI}, "scope": {scope},
		"code_challenge": {rfcChallenge}, "code_challenge_method": {"S256"},
	}.Encode()
}

// allow allows an application what it wants and returns the token that it gets.
func (user *webUser) allow(p *apptest.Program, app, scope string) (token string) {
	user.t.Helper()
	user.open(authorizePath(app, scope)).submit("/oauth/authorize", "decision", "allow").expect(302)
	_, body := exchange(user.t, p, codeForm(app, user.redirected().Get("code")))
	token, _ = body["access_token"].(string)
	return token
}

func (user *webUser) redirected() url.Values {
	user.t.Helper()
	to, err := url.Parse(user.response.Header.Get("Location"))
	if err != nil {
		user.t.Fatal(err)
	}
	return to.Query()
}

func (user *webUser) signIn(name, password string) *webUser {
	user.t.Helper()
	return user.open("/account/sign-in").submit("/account/sign-in", "name", name, "password", password)
}

func find(root *html.Node, is func(*html.Node) bool) *html.Node {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && is(n) {
			return n
		}
	}
	return nil
}

func hasAttribute(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// hidden reports whether a node is the hidden field that binds a form to the session.
func hidden(n *html.Node) bool { return attribute(n, "name") == "form" }
