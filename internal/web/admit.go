package web

import (
	"net/http"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// Charge charges costs by bucket, whatever the credential. It returns the error of a request that is rejected.
func Charge(api *httpapi.API, w http.ResponseWriter, r *http.Request, costs map[string]int) *graph.Error {
	decision, bad := api.Limits.ChargeAll(r.Context(), costs)
	if bad != nil {
		return bad
	}
	httpapi.SetRateHeaders(w, r, decision)
	if !decision.Allowed {
		return TooManyRequests(decision.RetryAfter)
	}
	return nil
}

// Admit charges costs by bucket and checks the credential. It returns the error of a request that is rejected.
func Admit(api *httpapi.API, w http.ResponseWriter, r *http.Request, costs map[string]int) *graph.Error {
	if bad := Charge(api, w, r, costs); bad != nil {
		return bad
	}
	return httpapi.CredentialError(r.Context())
}
