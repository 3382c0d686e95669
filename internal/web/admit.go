package web

import (
	"net/http"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// Charge charges a page in the bucket for pages, whatever the credential. It returns an error if the request is
// rejected.
func Charge(api *httpapi.API, w http.ResponseWriter, r *http.Request, cost int) *graph.Error {
	decision, bad := api.Limits.ChargeAll(r.Context(), map[string]int{httpapi.Pages: cost})
	if bad != nil {
		return bad
	}
	httpapi.SetRateHeaders(w, r, decision)
	if !decision.Allowed {
		return TooManyRequests(decision.RetryAfter)
	}
	return nil
}

// Admit charges a page and checks the credential. It returns an error if the request is rejected.
func Admit(api *httpapi.API, w http.ResponseWriter, r *http.Request, cost int) *graph.Error {
	if bad := Charge(api, w, r, cost); bad != nil {
		return bad
	}
	return httpapi.CredentialError(r.Context())
}
