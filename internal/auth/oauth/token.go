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

// allow names the methods of the token endpoint.
const allow = "POST, OPTIONS"

// Token answers POST /v3/oauth/token (WIRE §5.3): an access token for an authorization code.
// The order is that of WIRE §2.2, except that credentials are a part of the form.
func (e *Endpoint) Token(w http.ResponseWriter, r *http.Request) {
	httpapi.Name(w, httpapi.DoorREST, "/v3/oauth/token", "OAuthToken")
	h := w.Header()
	h.Set("Allow", allow)
	h.Set("Pragma", "no-cache")
	httpapi.AsApplication(w)
	switch {
	case r.Method == http.MethodOptions:
		e.door.Options(w, r, httpapi.Shared, allow)
		return
	case r.Method != http.MethodPost:
		e.door.MethodNotAllowed(w, r, allow)
		return
	case !e.door.Admit(w, r, httpapi.Shared, 1):
		return
	}
	form, bad := httpapi.ReadForm(w, r, e.door.MaxBody())
	if bad != nil {
		if bad.Code == graph.MalformedPayload { // it broke off
			e.door.OAuthError(w, r, errForm.Name, errForm.Text, false)
			return
		}
		e.door.Error(w, r, bad)
		return
	}
	x, basic, refused := exchange(string(form), r.Header.Values("Authorization"))
	if refused != nil {
		e.door.OAuthError(w, r, refused.Name, refused.Text, basic)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), e.timeout)
	defer cancel()
	value, granted, err := e.accounts.Redeem(ctx, x)
	switch {
	case errors.As(err, &refused):
		e.door.OAuthError(w, r, refused.Name, refused.Text, basic)
	case errors.Is(err, mongo.ErrUnavailable):
		e.door.Error(w, r, graph.ErrUnavailable)
	case err != nil:
		e.log.Error("exchange of a code", "error", err)
		e.door.Error(w, r, graph.ErrInternal)
	default:
		e.give(w, r, value, granted)
	}
}

// give answers with the token, this once.
func (e *Endpoint) give(w http.ResponseWriter, r *http.Request, value string, granted *model.AccessToken) {
	body, err := json.Marshal(struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
		ExpiresIn   int    `json:"expires_in"`
		Scope       string `json:"scope"`
	}{value, "bearer", int(auth.AccessTokenLifetime.Seconds()), strings.Join(granted.Scopes, " ")})
	if err != nil { // strings and a number always marshal
		e.door.Error(w, r, graph.ErrInternal)
		return
	}
	e.door.Write(w, r, httpapi.Answer{Body: body, Scope: graph.User})
}
