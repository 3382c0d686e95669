package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/auth"
	"gamedata/internal/httpapi"
	"gamedata/mongo"
)

const allow = "POST, OPTIONS"

// Token serves POST /v3/oauth/token: it exchanges an authorization code for an access token. Checks run
// in the order of docs/spec/wire.md; the client's credentials are part of the form.
func (e *Endpoint) Token(w http.ResponseWriter, r *http.Request) {
	httpapi.SetRoute(r.Context(), httpapi.APIREST, "/v3/oauth/token", "OAuthToken")
	h := w.Header()
	h.Set("Pragma", "no-cache")
	httpapi.IgnoreCredentials(r.Context())
	switch {
	case r.Method == http.MethodOptions:
		e.api.WriteOptions(w, r, httpapi.Shared, allow)
		return
	case r.Method != http.MethodPost:
		e.api.MethodNotAllowed(w, r, allow)
		return
	case !e.api.Limits.Authorize(w, r, httpapi.Shared, 1):
		return
	}
	form, bad := httpapi.ReadForm(w, r, e.api.MaxBody)
	if bad != nil {
		if bad.Code == graph.MalformedPayload { // the body was cut off
			e.api.Errors.WriteOAuth(w, r, errForm.Name, errForm.Text, false)
			return
		}
		e.api.Errors.Write(w, r, bad)
		return
	}
	req, basic, oauthErr := parseTokenRequest(string(form), r.Header.Values("Authorization"))
	if oauthErr != nil {
		e.api.Errors.WriteOAuth(w, r, oauthErr.Name, oauthErr.Text, basic)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), e.timeout)
	defer cancel()
	secret, token, err := e.accounts.Redeem(ctx, req)
	switch {
	case errors.As(err, &oauthErr):
		e.api.Errors.WriteOAuth(w, r, oauthErr.Name, oauthErr.Text, basic)
	case errors.Is(err, mongo.ErrUnavailable), err != nil && ctx.Err() != nil:
		e.api.Errors.Write(w, r, graph.ErrUnavailable)
	case err != nil:
		e.log.Error("exchanging authorization code failed", "error", err)
		e.api.Errors.Write(w, r, graph.ErrInternal)
	default:
		e.writeToken(w, r, secret, token)
	}
}

func (e *Endpoint) writeToken(w http.ResponseWriter, r *http.Request, secret string, token *model.AccessToken) {
	body, err := json.Marshal(struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
		ExpiresIn   int    `json:"expires_in"`
		Scope       string `json:"scope"`
	}{secret, "bearer", int(auth.AccessTokenLifetime.Seconds()), strings.Join(token.Scopes, " ")})
	if err != nil { // cannot fail: strings and a number
		e.api.Errors.Write(w, r, graph.ErrInternal)
		return
	}
	httpapi.WriteResponse(w, r, httpapi.Response{Body: body, Scope: graph.User})
}
