package account

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gamedata/graph/model"
	"gamedata/internal/auth"
)

// authorizationRequest is an application's request to a user (RFC 6749, section 4.1.1).
type authorizationRequest struct {
	RedirectURI string
	State       string
	Scopes      []string // in the order of model.ScopeNames, always with identify
	Challenge   string
}

// Errors that are sent to the application at its redirect URI.
var (
	errDenied       = &auth.OAuthError{Name: auth.AccessDenied, Text: "The user refused."}
	errDuplicate    = auth.InvalidRequestError("A parameter was sent twice.")
	errResponseType = &auth.OAuthError{Name: auth.UnsupportedResponseType, Text: "response_type must be code."}
	errScope        = &auth.OAuthError{
		Name: auth.InvalidScope,
		Text: "A scope is unknown, or the application is not registered for it.",
	}
	errNoChallenge = auth.InvalidRequestError("A public application must send code_challenge.")
	errMethod      = auth.InvalidRequestError("code_challenge_method must be S256.")
	errChallenge   = auth.InvalidRequestError("code_challenge must have 43 characters of base64url.")
)

// single returns the value of a parameter; empty when it is missing or sent twice.
func single(q url.Values, name string) string {
	if len(q[name]) != 1 {
		return ""
	}
	return q[name][0]
}

// redirectURI returns the redirect_uri of a request, or "" unless the application registered it byte for byte: then the
// browser must not be redirected. A native application, which has no secret, listens on any free port, so the port of a
// loopback address may differ (RFC 8252 §7.3).
func redirectURI(app *model.Application, q url.Values) string {
	uri := single(q, "redirect_uri")
	registered := slices.Contains(app.RedirectURIs, uri)
	if anyPort := withoutPort(uri); !app.Private() && anyPort != "" {
		registered = slices.ContainsFunc(app.RedirectURIs, func(s string) bool { return withoutPort(s) == anyPort })
	}
	if !registered {
		return ""
	}
	return uri
}

var loopback = regexp.MustCompile(`^(http://(?:127\.0\.0\.1|\[::1\]))(?::([1-9]\d{0,4}))?((?:[/?].*)?)$`)

// withoutPort returns a URI of a loopback address without its port; empty for other URIs.
func withoutPort(uri string) string {
	m := loopback.FindStringSubmatch(uri)
	if m == nil {
		return ""
	}
	if _, err := strconv.ParseUint(m[2], 10, 16); err != nil && m[2] != "" {
		return ""
	}
	return m[1] + m[3]
}

// parseAuthorizationRequest reads a request whose redirect URI is registered. State is set even if there is an error.
func parseAuthorizationRequest(app *model.Application, q url.Values) (out authorizationRequest, bad *auth.OAuthError) {
	out = authorizationRequest{
		RedirectURI: redirectURI(app, q), State: single(q, "state"), Challenge: single(q, "code_challenge"),
	}
	for _, name := range []string{"response_type", "scope", "state", "code_challenge", "code_challenge_method"} {
		if len(q[name]) > 1 {
			return out, errDuplicate
		}
	}
	if single(q, "response_type") != "code" {
		return out, errResponseType
	}
	requested := strings.Fields(single(q, "scope"))
	for _, s := range requested {
		if s != model.IdentifyScope && !slices.Contains(app.Scopes, s) {
			return out, errScope
		}
	}
	for _, s := range model.ScopeNames {
		if s == model.IdentifyScope || slices.Contains(requested, s) {
			out.Scopes = append(out.Scopes, s)
		}
	}
	switch method := single(q, "code_challenge_method"); {
	case out.Challenge == "" && !app.Private():
		return out, errNoChallenge
	case out.Challenge == "" && method == "":
		return out, nil
	case out.Challenge == "":
		return out, errChallenge
	case method != "S256":
		return out, errMethod
	case !auth.ValidChallenge(out.Challenge):
		return out, errChallenge
	}
	return out, nil
}

// responseURI returns the redirect URI with the parameters of the response, names and values in turn, and the state.
func (r authorizationRequest) responseURI(pairs ...string) string {
	if r.State != "" {
		pairs = append(pairs, "state", r.State)
	}
	var b strings.Builder
	b.WriteString(r.RedirectURI)
	switch {
	case !strings.Contains(r.RedirectURI, "?"):
		b.WriteByte('?')
	case !strings.HasSuffix(r.RedirectURI, "?") && !strings.HasSuffix(r.RedirectURI, "&"):
		b.WriteByte('&')
	}
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(pairs[i] + "=" + url.QueryEscape(pairs[i+1]))
	}
	return b.String()
}

func (r authorizationRequest) errorURI(e *auth.OAuthError) string {
	return r.responseURI("error", e.Name, "error_description", e.Text)
}

// destination returns the origin of a redirect URI, or its private-use scheme, for the page.
func destination(redirect string) string {
	u, err := url.Parse(redirect)
	switch {
	case err != nil: // it was never registered
		return redirect
	case u.Scheme != "https" && u.Scheme != "http":
		return u.Scheme + ":"
	}
	return u.Scheme + "://" + u.Host
}
