package httpapi

import (
	"context"
	"net/http"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// Refusals of mutations that the user of a session may not have meant.
var (
	errMutationMethod = graph.Errorf(graph.MethodNotAllowed, "Send mutations by POST.")
	errMutationHeader = graph.Errorf(graph.CrossSite,
		"Send mutations with the header X-Requested-With, whatever its value.")
)

// askedHeader is what only pages of the own host can send with a request: a page of another
// site would need a preflight that is never granted.
const askedHeader = "X-Requested-With"

// admitMutation refuses a mutation that does not come by POST, and one that a page of another
// site may have made the browser of somebody send who is signed in. It asks for three things,
// each of which is enough in today's browsers: the site that the browser tells, a type of the
// body and a header that other sites cannot send.
func admitMutation(w http.ResponseWriter, r *http.Request) *graph.Error {
	NoCORS(w.Header())
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST, OPTIONS")
		return errMutationMethod
	}
	v := Asker(w)
	switch {
	case !v.Is(viewer.Session): // nothing comes by itself; the operation will refuse
		return nil
	case v.CrossSite:
		return graph.ErrCrossSite
	case len(r.Header.Values("Content-Type")) == 0:
		return graph.ErrUnsupportedMediaType
	case r.Header.Get(askedHeader) == "":
		return errMutationHeader
	}
	return nil
}

func isMutation(op *graph.Operation) bool { return op.Def.Operation == ast.Mutation }

// mutate runs a mutation. A session that has ended with it leaves the browser, which would be
// refused for it everywhere.
func (d *Door) mutate(ctx context.Context, r *http.Request, a *asked) Answer {
	out := d.runGraphQL(ctx, a)
	if !viewer.From(ctx).Is(viewer.Session) {
		return out
	}
	for _, c := range r.CookiesNamed(SessionCookie) {
		if _, bad := d.o.Credentials.Session(ctx, c.Value); bad != nil && bad.Code == graph.InvalidToken {
			gone := http.Cookie{
				Name: SessionCookie, Path: "/", MaxAge: -1, Secure: true, HttpOnly: true,
				SameSite: http.SameSiteLaxMode,
			}
			if out.Header == nil {
				out.Header = http.Header{}
			}
			out.Header.Set("Set-Cookie", gone.String())
		}
	}
	return out
}
