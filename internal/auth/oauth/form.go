package oauth

import (
	"encoding/base64"
	"net/url"
	"strings"
	"unicode/utf8"

	"gamedata/internal/auth"
)

// Errors of a malformed request.
var (
	errForm    = auth.InvalidRequestError("The form cannot be read.")
	errTwice   = auth.InvalidRequestError("A field was sent twice.")
	errGrant   = auth.InvalidRequestError("grant_type must be authorization_code.")
	errNoGrant = &auth.OAuthError{
		Name: auth.UnsupportedGrantType, Text: "Only the grant type authorization_code is supported.",
	}
	errCode     = auth.InvalidRequestError("code is missing.")
	errRedirect = auth.InvalidRequestError("redirect_uri is missing.")
	errClient   = auth.InvalidRequestError("client_id is missing.")
	errToken    = auth.InvalidRequestError("token is missing.")
	errVerifier = auth.InvalidRequestError("code_verifier must have 43 to 128 characters of A-Z a-z 0-9 - . _ ~")
	errBasic    = auth.InvalidRequestError("The Authorization header of the application cannot be read.")
	errBoth     = auth.InvalidRequestError(
		"Send the client secret (client_secret) in the form or by HTTP Basic, not both.")
	errOther = auth.InvalidRequestError("client_id in the form and by HTTP Basic differ.")
)

// parseForm parses a form. An empty value counts as missing; no field may be repeated.
func parseForm(form string) (url.Values, *auth.OAuthError) {
	values, err := url.ParseQuery(form)
	if err != nil {
		return nil, errForm
	}
	for _, v := range values {
		if len(v) > 1 {
			return nil, errTwice
		}
		if !utf8.ValidString(v[0]) {
			return nil, errForm
		}
	}
	return values, nil
}

// parseTokenRequest parses the form and Authorization headers of a token request; basic reports whether
// the application identifies itself by HTTP Basic. Unknown fields are ignored.
func parseTokenRequest(form string, authorization []string) (req auth.TokenRequest, basic bool, bad *auth.OAuthError) {
	f, basic, bad := parseClientForm(form, authorization)
	if bad != nil {
		return req, basic, bad
	}
	req = auth.TokenRequest{
		Client: f.Get("client_id"), Secret: f.Get("client_secret"), Code: f.Get("code"),
		RedirectURI: f.Get("redirect_uri"), Verifier: f.Get("code_verifier"),
	}
	switch grant := f.Get("grant_type"); {
	case grant == "":
		return req, basic, errGrant
	case grant != "authorization_code":
		return req, basic, errNoGrant
	case req.Code == "":
		return req, basic, errCode
	case req.RedirectURI == "":
		return req, basic, errRedirect
	case req.Client == "":
		return req, basic, errClient
	case req.Verifier != "" && !auth.ValidVerifier(req.Verifier):
		return req, basic, errVerifier
	}
	return req, basic, nil
}

// parseRevocationRequest is parseTokenRequest for a revocation request (RFC 7009). There is one kind of token, so the
// field token_type_hint is ignored.
func parseRevocationRequest(form string, authorization []string) (
	req auth.RevocationRequest, basic bool, bad *auth.OAuthError,
) {
	f, basic, bad := parseClientForm(form, authorization)
	if bad != nil {
		return req, basic, bad
	}
	req = auth.RevocationRequest{Client: f.Get("client_id"), Secret: f.Get("client_secret"), Token: f.Get("token")}
	switch {
	case req.Token == "":
		return req, basic, errToken
	case req.Client == "":
		return req, basic, errClient
	}
	return req, basic, nil
}

// parseClientForm parses a form and adds client_id and client_secret of HTTP Basic if it is used.
func parseClientForm(form string, authorization []string) (f url.Values, basic bool, bad *auth.OAuthError) {
	id, secret, basic, bad := basicAuth(authorization)
	if bad != nil {
		return nil, basic, bad
	}
	f, bad = parseForm(form)
	if bad != nil || !basic {
		return f, basic, bad
	}
	switch {
	case f.Get("client_secret") != "":
		return f, basic, errBoth
	case f.Get("client_id") != "" && f.Get("client_id") != id:
		return f, basic, errOther
	}
	f.Set("client_id", id)
	f.Set("client_secret", secret)
	return f, basic, nil
}

// basicAuth parses client_id and client_secret from HTTP Basic, each form-encoded (RFC 6749 §2.3.1). It
// ignores other schemes.
func basicAuth(authorization []string) (id, secret string, basic bool, bad *auth.OAuthError) {
	for _, h := range authorization {
		scheme, encoded, _ := strings.Cut(h, " ")
		if !strings.EqualFold(scheme, "Basic") {
			continue
		}
		if basic {
			return "", "", true, errBasic
		}
		basic = true
		text, err := base64.StdEncoding.DecodeString(strings.TrimLeft(encoded, " "))
		left, right, ok := strings.Cut(string(text), ":")
		if err != nil || !ok {
			return "", "", true, errBasic
		}
		if id, err = url.QueryUnescape(left); err != nil {
			return "", "", true, errBasic
		}
		secret, err = url.QueryUnescape(right)
		if err != nil || !utf8.ValidString(id+secret) {
			return "", "", true, errBasic
		}
	}
	return id, secret, basic, nil
}
