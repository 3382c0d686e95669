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
	form, ok := e.readForm(w, r)
	if !ok {
		return
	}
	req, basic, oauthErr := parseTokenRequest(form, r.Header.Values("Authorization"))
	if oauthErr != nil {
		e.api.Errors.WriteOAuth(w, r, oauthErr.Name, oauthErr.Text, basic)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), e.timeout)
	defer cancel()
	secret, token, err := e.accounts.Grants.Redeem(ctx, req)
	if err != nil {
		e.writeError(ctx, w, r, err, basic)
		return
	}
	e.writeToken(w, r, secret, token)
}

// readForm admits a request of an application and reads its form. If it returns false, it wrote the response.
func (e *Endpoint) readForm(w http.ResponseWriter, r *http.Request) (string, bool) {
	w.Header().Set("Pragma", "no-cache")
	httpapi.IgnoreCredentials(r.Context())
	if !e.api.AllowsMethod(w, r, httpapi.Shared, allow) || !e.api.Limits.Authorize(w, r, httpapi.Shared, 1) {
		return "", false
	}
	form, bad := httpapi.ReadForm(w, r, httpapi.DefaultMaxBody)
	switch {
	case bad == nil:
		return string(form), true
	case bad.Code == graph.MalformedPayload: // the body was cut off
		e.api.Errors.WriteOAuth(w, r, errForm.Name, errForm.Text, false)
	default:
		e.api.Errors.Write(w, r, bad)
	}
	return "", false
}

// writeError writes the response to a request that failed under ctx; basic says that the client used HTTP Basic.
func (e *Endpoint) writeError(ctx context.Context, w http.ResponseWriter, r *http.Request, err error, basic bool) {
	var oauthErr *auth.OAuthError
	switch {
	case errors.As(err, &oauthErr):
		e.api.Errors.WriteOAuth(w, r, oauthErr.Name, oauthErr.Text, basic)
	case errors.Is(err, mongo.ErrUnavailable), ctx.Err() != nil:
		e.api.Errors.Write(w, r, graph.ErrUnavailable)
	default:
		e.log.Error("request of an application failed", "path", r.URL.Path, "error", err)
		e.api.Errors.Write(w, r, graph.ErrInternal)
	}
}

func (e *Endpoint) writeToken(w http.ResponseWriter, r *http.Request, secret string, token *model.AccessToken) {
	body, err := json.Marshal(struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
		ExpiresIn   int    `json:"expires_in"`
		Scope       string `json:"scope"`
	}{secret, "bearer", int(auth.AccessTokenLifetime.Seconds()), strings.Join(token.Scopes, " ")})
	if err != nil { // never fails: only strings and a number
		e.api.Errors.Write(w, r, graph.ErrInternal)
		return
	}
	httpapi.WriteResponse(w, r, httpapi.Response{Body: body, Scope: graph.User})
}
