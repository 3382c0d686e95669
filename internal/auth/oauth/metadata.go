package oauth

import (
	"encoding/json"
	"net/http"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/httpapi"
)

// MetadataPath is where programs look for Metadata (RFC 8414).
const MetadataPath = "/.well-known/oauth-authorization-server"

// AuthorizePath is the consent page.
const AuthorizePath = "/oauth/authorize"

// metadataAge is how long the metadata may be kept.
const metadataAge = time.Hour

// Metadata returns the handler of the server's metadata (RFC 8414). Issuer is the address
// under which applications know the service, without a slash at the end.
func (e *Endpoint) Metadata(issuer string) (http.Handler, error) {
	body, err := json.Marshal(struct {
		Issuer        string   `json:"issuer"`
		Authorization string   `json:"authorization_endpoint"`
		Token         string   `json:"token_endpoint"`
		Scopes        []string `json:"scopes_supported"`
		ResponseTypes []string `json:"response_types_supported"`
		ResponseModes []string `json:"response_modes_supported"`
		GrantTypes    []string `json:"grant_types_supported"`
		AuthMethods   []string `json:"token_endpoint_auth_methods_supported"`
		Challenges    []string `json:"code_challenge_methods_supported"`
	}{
		issuer, issuer + AuthorizePath, issuer + "/v3/oauth/token", model.ScopeNames,
		[]string{"code"},
		[]string{"query"},
		[]string{"authorization_code"},
		[]string{"client_secret_basic", "client_secret_post", "none"},
		[]string{"S256"},
	})
	if err != nil {
		return nil, err
	}
	answer := httpapi.Answer{Body: body, MaxAge: metadataAge, Scope: graph.Shared}.Seal()
	const allow = "GET, HEAD, OPTIONS"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpapi.Name(w, httpapi.DoorOther, MetadataPath, "metadata")
		w.Header().Set("Allow", allow)
		switch {
		case r.Method == http.MethodOptions:
			e.door.Options(w, r, httpapi.Shared, allow)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			e.door.MethodNotAllowed(w, r, allow)
		case e.door.Admit(w, r, httpapi.Shared, 1):
			e.door.Write(w, r, answer)
		}
	}), nil
}
