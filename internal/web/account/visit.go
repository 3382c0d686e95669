package account

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strconv"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
)

// formCookie holds the secret that forms are bound to while nobody is signed in.
const formCookie = "__Host-form"

// visit is one request of a browser.
type visit struct {
	p       *Pages
	w       http.ResponseWriter
	r       *http.Request
	asker   viewer.Viewer
	account string // id; empty while nobody is signed in
	session string // secret of the session cookie, valid or not; empty without one
	form    url.Values
}

func (p *Pages) visit(w http.ResponseWriter, r *http.Request) *visit {
	v := &visit{p: p, w: w, r: r, asker: httpapi.Asker(w)}
	if c := r.CookiesNamed(httpapi.SessionCookie); len(c) == 1 {
		v.session = c[0].Value
	}
	if v.asker.Is(viewer.Session) {
		v.account = v.asker.Account
	}
	return v
}

// admit counts the request as every other, in the bucket SHARED, and ends it when the limit is
// reached, when nobody can tell now who asks, and when an Authorization header is bad. A session
// that has ended is taken for none.
func (p *Pages) admit(v *visit) bool {
	dec := p.door.Take(v.w, httpapi.Shared, 1)
	p.door.SetRateHeaders(v.w, dec)
	if !dec.Allowed {
		v.wait(dec.RetryAfter)
		return false
	}
	httpapi.ForgetSession(v.w)
	switch bad := httpapi.Refused(v.w); {
	case bad == nil:
		return true
	case bad.Code == graph.ServiceUnavailable:
		v.unavailable()
	default:
		if bad.Code == graph.InvalidToken {
			httpapi.Unauthorized(v.w.Header())
		}
		status, _ := httpapi.Status(bad.Code)
		v.problem(status, bad.Detail)
	}
	return false
}

// cookie sets a cookie that scripts and other sites do not see. Browsers take it over HTTPS, and
// most over plain HTTP from their own machine.
func (v *visit) cookie(name, value string, seconds int) {
	http.SetCookie(v.w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: seconds, Secure: true, HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	})
}

// formSecret is what forms for this browser are bound to: its session, else a cookie that is
// made when there is none.
func (v *visit) formSecret() string {
	if v.account != "" {
		return v.session
	}
	if c := v.r.CookiesNamed(formCookie); len(c) == 1 && len(c[0].Value) == len(rand.Text()) {
		return c[0].Value
	}
	return ""
}

// formToken is for the forms of a page that is about to be written.
func (v *visit) formToken() string {
	secret := v.formSecret()
	if secret == "" {
		secret = rand.Text()
		v.cookie(formCookie, secret, int(auth.SessionLifetime.Seconds()))
		v.r.AddCookie(&http.Cookie{Name: formCookie, Value: secret})
	}
	return v.p.accounts.FormToken(secret)
}

// readForm reads the form of a POST and reports whether it came from a page of ours, in this
// browser. When it reports false the refusal is already written.
func (v *visit) readForm() bool {
	text, bad := httpapi.ReadForm(v.w, v.r, v.p.door.MaxBody())
	if bad != nil {
		status, _ := httpapi.Status(bad.Code)
		v.problem(status, "The form could not be read.")
		return false
	}
	form, err := url.ParseQuery(string(text))
	if err != nil {
		v.problem(http.StatusBadRequest, "The form could not be read.")
		return false
	}
	if v.asker.CrossSite || !v.p.accounts.IsFormToken(v.formSecret(), form.Get("form")) {
		v.problem(http.StatusForbidden, "The form is not from this page any more. Open the page again. If it happens again, your browser does not keep its cookie: open the page over HTTPS.")
		return false
	}
	v.form = form
	return true
}

// goTo sends the browser to a page of ours.
func (v *visit) goTo(path string) {
	v.w.Header().Set("Location", path)
	v.w.Header().Set("Content-Length", "0")
	v.w.WriteHeader(http.StatusSeeOther)
}

// signedIn reports whether somebody is signed in; else the browser is sent to sign in and come
// back to next, a path with its query.
func (v *visit) signedIn(next string) bool {
	if v.account != "" {
		return true
	}
	if next == home {
		v.goTo(signIn)
	} else {
		v.goTo(signIn + "?next=" + url.QueryEscape(next))
	}
	return false
}

func seconds(n int) string {
	if n == 1 {
		return "1 second"
	}
	return strconv.Itoa(n) + " seconds"
}
