package account

import (
	"cmp"
	"crypto/rand"
	"maps"
	"net/http"
	"net/url"

	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

const (
	// formCookie holds the secret for form tokens when there is no session.
	formCookie = "__Host-form"
	// deviceCookie holds the known devices of auth; it survives signing out.
	deviceCookie = "__Host-device"
)

type request struct {
	pages   *Pages
	route   route
	w       http.ResponseWriter
	r       *http.Request
	viewer  viewer.Viewer
	account string // id; empty without a session
	session string // secret of the session cookie, valid or not; empty without one
	device  string // device cookie, valid or not; empty without one
	form    url.Values
	expired bool // the form is not from this session: show it again with the typed values
}

func (p *Pages) newRequest(w http.ResponseWriter, r *http.Request, route route) *request {
	q := &request{pages: p, route: route, w: w, r: r, viewer: httpapi.ViewerFrom(r.Context())}
	if c := r.CookiesNamed(httpapi.SessionCookie); len(c) == 1 {
		q.session = c[0].Value
	}
	if c := r.CookiesNamed(deviceCookie); len(c) == 1 {
		q.device = c[0].Value
	}
	if q.viewer.Is(viewer.Session) {
		q.account = q.viewer.Account
	}
	return q
}

// setCookie sets a cookie that scripts and other sites cannot read. Browsers accept it over HTTPS, and most accept it
// from localhost over plain HTTP.
func (q *request) setCookie(name, value string, maxAge int) {
	http.SetCookie(q.w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: maxAge, Secure: true, HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	})
}

// nameCookie contains the name of the signed-in account, for the top bar of pages cached for everyone. It is no
// credential: the service only checks whether it is up to date.
const nameCookie = "__Host-account"

// showName sets the name cookie to the name of the account, or deletes it without a session.
func (q *request) showName(name string) {
	shown := ""
	if c, err := q.r.Cookie(nameCookie); err == nil {
		shown = c.Value
	}
	value, maxAge := url.PathEscape(name), int(auth.SessionLifetime.Seconds())
	switch {
	case name == "" && q.account == "" && shown != "":
		maxAge = -1
	case name == "" || value == shown:
		return
	}
	http.SetCookie(q.w, &http.Cookie{
		Name: nameCookie, Value: value, Path: "/", MaxAge: maxAge, Secure: true, SameSite: http.SameSiteLaxMode,
	})
}

// formSecret returns the secret behind this browser's form tokens: its session, else the form cookie; empty when it has
// neither.
func (q *request) formSecret() string {
	if q.account != "" {
		return q.session
	}
	if c := q.r.CookiesNamed(formCookie); len(c) == 1 && len(c[0].Value) == len(rand.Text()) {
		return c[0].Value
	}
	return ""
}

// formToken returns the token for the forms of a page and sets the form cookie if it needs one.
func (q *request) formToken() string {
	secret := q.formSecret()
	if secret == "" {
		secret = rand.Text()
		q.setCookie(formCookie, secret, int(auth.SessionLifetime.Seconds()))
		q.r.AddCookie(&http.Cookie{Name: formCookie, Value: secret})
	}
	return q.pages.accounts.Sessions.FormToken(secret)
}

const (
	unreadableForm = "The form could not be read."
	expiredForm    = "This form had expired, so nothing was changed. Check it and send it again. " +
		"If it keeps happening, your browser is blocking our cookie: use HTTPS."
	foreignForm = "This form was sent from another site, so nothing was changed."
	// maxForm bounds the body of a form in bytes. It is generous, so that a form with an overlong list is shown again
	// with the reason.
	maxForm = 1 << 20
)

// readForm reads the form of a POST, which may have expired. It writes the response and returns false when the form is
// malformed or comes from another site.
func (q *request) readForm() bool {
	text, bad := httpapi.ReadForm(q.w, q.r, maxForm)
	if bad != nil {
		status, _ := httpapi.Status(bad.Code)
		q.errorPage(status, unreadableForm+" "+bad.Detail)
		return false
	}
	form, err := url.ParseQuery(string(text))
	if err != nil {
		q.errorPage(http.StatusBadRequest, unreadableForm)
		return false
	}
	if q.pages.csrf.Check(q.r) != nil {
		q.errorPage(http.StatusForbidden, foreignForm)
		return false
	}
	q.form, q.expired = form, !q.pages.accounts.Sessions.IsFormToken(q.formSecret(), form.Get("form"))
	return true
}

// value returns a parameter from the page's address or from its form.
func (q *request) value(name string) string {
	return cmp.Or(q.r.URL.Query().Get(name), q.form.Get(name))
}

// redirect sends the browser to another address: 303 after a form, 302 back to an application.
func (q *request) redirect(status int, location string) {
	q.w.Header().Set("Location", location)
	q.w.Header().Set("Content-Length", "0")
	q.w.WriteHeader(status)
}

// savedForm is the form of a user whose session has ended. The page sends it again after they sign in.
type savedForm struct {
	SignIn, Action string
	Fields         url.Values
}

// requireSession reports whether the caller has a session. Without one it redirects to the sign-in, which returns to
// next, a path with its query. It keeps a form on a page that sends it again.
func (q *request) requireSession(next string) bool {
	switch {
	case q.account != "":
		return true
	case q.expired:
		saved := savedForm{signInPath + "?next=" + url.QueryEscape(next), q.r.URL.RequestURI(), maps.Clone(q.form)}
		for _, secret := range []string{"form", "password", "newPassword", "again"} {
			saved.Fields.Del(secret)
		}
		q.render(http.StatusForbidden, "saved", page{
			Layout: web.Layout{Title: "Sign in again"}, Body: saved,
			Wrong: "You are no longer signed in, so nothing was changed.",
		})
		return false
	}
	location := signInPath
	if next != accountPath {
		location += "?next=" + url.QueryEscape(next)
	}
	q.redirect(http.StatusSeeOther, location)
	return false
}
