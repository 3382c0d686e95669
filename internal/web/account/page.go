package account

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/mongo"
)

// policy lets a page use its own style sheet and send forms to its own host, nothing else.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func setHeaders(h http.Header) {
	httpapi.NoCORS(h)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
}

// words are the functions of the templates.
var words = template.FuncMap{
	"has":  slices.Contains[[]string],
	"day":  func(t time.Time) string { return t.UTC().Format("2 January 2006") },
	"time": func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
	"uses": uses,
}

// uses says in words what something was used for.
func uses(last *time.Time, in []charged) string {
	if last == nil {
		return "never used"
	}
	text := "last used " + last.UTC().Format("2 January 2006, 15:04 UTC")
	for i, b := range in {
		sep := ", "
		if i == 0 {
			sep = "; in the last 31 days "
		}
		text += sep + b.Bucket + " " + strconv.FormatInt(b.Charged, 10)
	}
	return text
}

// page is what every page shows.
type page struct {
	Title string
	Form  string // token of its forms
	Name  string // of the account; empty while nobody is signed in
	Done  string // what was done just now
	Wrong string // why something was not done
	Body  any
}

// write renders a page. The form token is made here, so every page may hold forms.
func (v *visit) write(status int, name string, pg page) {
	pg.Form = v.formToken()
	var b bytes.Buffer
	if err := v.p.html.ExecuteTemplate(&b, name, pg); err != nil {
		v.p.o.Log.Error("page", "name", name, "error", err)
		http.Error(v.w, "Internal error.", http.StatusInternalServerError)
		return
	}
	v.w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write(b.Bytes()) // an error means that the browser has left
	}
}

// script serves the one script.
func (p *Pages) script(_ context.Context, v *visit) {
	v.w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	v.w.Header().Set("Cache-Control", "max-age=300, public")
	http.ServeFileFS(v.w, v.r, files, copyScript)
}

// problem is a page that says one thing.
func (v *visit) problem(status int, text string) {
	v.write(status, "problem", page{Title: "Sorry", Wrong: text})
}

func (v *visit) wait(d time.Duration) {
	n := httpapi.WholeSeconds(d)
	v.w.Header().Set("Retry-After", strconv.Itoa(n))
	v.problem(http.StatusTooManyRequests, "Too many requests, try again in "+seconds(n)+".")
}

func (v *visit) unavailable() {
	v.w.Header().Set("Retry-After", "5")
	v.problem(http.StatusServiceUnavailable, "The service is not available right now. Try again in a moment.")
}

// refused shows the account page with what an operation refused, or that it failed.
func (v *visit) refused(ctx context.Context, bad *graph.Error) {
	switch bad.Code {
	case graph.ServiceUnavailable:
		v.unavailable()
	case graph.Internal: // the executor has logged it
		v.problem(http.StatusInternalServerError, sorry)
	case graph.SessionRequired: // the account is gone
		v.cookie(httpapi.SessionCookie, "", -1)
		v.goTo(signIn)
	default:
		if bad.RetryAfter > 0 {
			v.w.Header().Set("Retry-After", strconv.Itoa(bad.RetryAfter))
		}
		status, _ := httpapi.Status(bad.Code)
		v.overview(ctx, status, page{Wrong: bad.Detail}, nil)
	}
}

const sorry = "Something went wrong here. It was written down."

// failed answers an error that nobody can do anything about.
func (v *visit) failed(ctx context.Context, err error) {
	if errors.Is(err, mongo.ErrUnavailable) || errors.Is(err, graph.ErrUnavailable) || ctx.Err() != nil {
		v.unavailable()
		return
	}
	v.p.o.Log.Error("page", "path", v.r.URL.Path, "error", err)
	v.problem(http.StatusInternalServerError, sorry)
}
