package oauth

import (
	"encoding/json"
	"net/http"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/httpapi"
)

// MetadataPath is the path of the metadata (RFC 8414).
const MetadataPath = "/.well-known/oauth-authorization-server"

// AuthorizePath is the path of the consent page.
const AuthorizePath = "/oauth/authorize"

const metadataMaxAge = time.Hour

// Metadata returns the handler of the server's metadata (RFC 8414). The issuer is the service's public
// URL without a final slash.
func (e *Endpoint) Metadata(issuer string) (http.Handler, error) {
	authMethods := []string{"client_secret_basic", "client_secret_post", "none"}
	body, err := json.Marshal(struct {
		Issuer        string   `json:"issuer"`
		Authorization string   `json:"authorization_endpoint"`
		Token         string   `json:"token_endpoint"`
		Revocation    string   `json:"revocation_endpoint"`
		Scopes        []string `json:"scopes_supported"`
		ResponseTypes []string `json:"response_types_supported"`
		ResponseModes []string `json:"response_modes_supported"`
		GrantTypes    []string `json:"grant_types_supported"`
		AuthMethods   []string `json:"token_endpoint_auth_methods_supported"`
		RevokeMethods []string `json:"revocation_endpoint_auth_methods_supported"`
		Challenges    []string `json:"code_challenge_methods_supported"`
	}{
		issuer, issuer + AuthorizePath, issuer + "/v3/oauth/token", issuer + RevokePath, model.ScopeNames,
		[]string{"code"},
		[]string{"query"},
		[]string{"authorization_code"},
		authMethods, authMethods,
		[]string{"S256"},
	})
	if err != nil {
		return nil, err
	}
	resp := httpapi.Response{Body: body, MaxAge: metadataMaxAge, Scope: graph.Shared}.Precompute()
	const allow = "GET, HEAD, OPTIONS"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpapi.SetRoute(r.Context(), httpapi.APIOther, MetadataPath, "metadata")
		if e.api.AllowsMethod(w, r, httpapi.Shared, allow) && e.api.Limits.Authorize(w, r, httpapi.Shared, 1) {
			httpapi.WriteResponse(w, r, resp)
		}
	}), nil
}
