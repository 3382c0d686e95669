package oauth

import (
	"encoding/base64"
	"net/url"
	"strings"
	"unicode/utf8"

	"gamedata/internal/auth"
)

// Refusals of a form before anything is looked up (WIRE §5.3).
var (
	errForm    = auth.InvalidRequestError("The form cannot be read.")
	errTwice   = auth.InvalidRequestError("A field was sent twice.")
	errGrant   = auth.InvalidRequestError("grant_type must be authorization_code.")
	errNoGrant = &auth.OAuthError{
		Name: auth.UnsupportedGrantType,
		Text: "Only the grant type authorization_code is supported.",
	}
	errCode     = auth.InvalidRequestError("code is missing.")
	errRedirect = auth.InvalidRequestError("redirect_uri is missing.")
	errClient   = auth.InvalidRequestError("client_id is missing.")
	errVerifier = auth.InvalidRequestError("code_verifier must have 43 to 128 characters of A-Z a-z 0-9 - . _ ~")
	errBasic    = auth.InvalidRequestError("The Authorization header of the application cannot be read.")
	errBoth     = auth.InvalidRequestError("Send the client secret (client_secret) in the form or by HTTP Basic, not both.")
	errOther    = auth.InvalidRequestError("client_id in the form and by HTTP Basic differ.")
)

// fields reads a form. An empty value counts as absent, yet no field may stand there twice.
func fields(form string) (url.Values, *auth.OAuthError) {
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

// exchange reads what an application asks for from its form and its Authorization headers;
// basic tells whether it names itself by HTTP Basic. Unknown fields are ignored.
func exchange(form string, authorization []string) (x auth.TokenRequest, basic bool, bad *auth.OAuthError) {
	id, secret, basic, bad := basicAuth(authorization)
	if bad != nil {
		return x, basic, bad
	}
	f, bad := fields(form)
	if bad != nil {
		return x, basic, bad
	}
	x = auth.TokenRequest{
		Client: f.Get("client_id"), Secret: f.Get("client_secret"), Code: f.Get("code"),
		RedirectURI: f.Get("redirect_uri"), Verifier: f.Get("code_verifier"),
	}
	if basic {
		switch {
		case x.Secret != "":
			return x, basic, errBoth
		case x.Client != "" && x.Client != id:
			return x, basic, errOther
		}
		x.Client, x.Secret = id, secret
	}
	switch grant := f.Get("grant_type"); {
	case grant == "":
		return x, basic, errGrant
	case grant != "authorization_code":
		return x, basic, errNoGrant
	case x.Code == "":
		return x, basic, errCode
	case x.RedirectURI == "":
		return x, basic, errRedirect
	case x.Client == "":
		return x, basic, errClient
	case x.Verifier != "" && !auth.ValidVerifier(x.Verifier):
		return x, basic, errVerifier
	}
	return x, basic, nil
}

// basicAuth reads client_id and client_secret from HTTP Basic, each form-encoded (RFC 6749
// §2.3.1). Another scheme is ignored.
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
		if secret, err = url.QueryUnescape(right); err != nil || !utf8.ValidString(id+secret) {
			return "", "", true, errBasic
		}
	}
	return id, secret, basic, nil
}
