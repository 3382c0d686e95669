package oauth

import (
	"context"
	"net/http"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// RevokePath is the path of the revocation endpoint (RFC 7009).
const RevokePath = "/oauth/revoke"

// Revoke serves POST /oauth/revoke: an application revokes one of its access tokens. Admission, form and client
// authentication work as in Token. An unknown token and a token of another application get the same response as a
// revoked one.
func (e *Endpoint) Revoke(w http.ResponseWriter, r *http.Request) {
	httpapi.SetRoute(r.Context(), httpapi.APIOther, RevokePath, "OAuthRevoke")
	form, ok := e.readForm(w, r)
	if !ok {
		return
	}
	req, basic, bad := parseRevocationRequest(form, r.Header.Values("Authorization"))
	if bad != nil {
		e.api.Errors.WriteOAuth(w, r, bad.Name, bad.Text, basic)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), e.timeout)
	defer cancel()
	if err := e.accounts.Grants.RevokeToken(ctx, req); err != nil {
		e.writeError(ctx, w, r, err, basic)
		return
	}
	httpapi.WriteResponse(w, r, httpapi.Response{Body: []byte("{}"), Scope: graph.User})
}
