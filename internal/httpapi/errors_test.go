package httpapi_test

import (
	"errors"
	"net/http"
	"testing"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

// The table of WIRE §2.2, code by code.
func TestStatus(t *testing.T) {
	cases := map[graph.Code]struct {
		status int
		name   string
	}{
		graph.MultipleObjectsReturned: {300, "MultipleObjectsReturned"},
		graph.NoCharacterFound:        {400, "NoCharacterFound"},
		graph.InvalidCharacterUUID:    {400, "InvalidCharacterUUID"},
		graph.InvalidTree:             {400, "InvalidTree"},
		graph.InvalidLeaderboardType:  {400, "InvalidLeaderboardType"},
		graph.MalformedPrefix:         {400, "MalformedPrefixError"},
		graph.InvalidQueryParams:      {400, "InvalidQueryParamsError"},
		graph.MalformedPayload:        {400, "MalformedPayload"},
		graph.InvalidForm:             {400, "InvalidFormError"},
		graph.InvalidToken:            {401, "InvalidTokenError"},
		graph.Forbidden:               {403, "Forbidden"},
		graph.CrossSite:               {403, "CSRFError"},
		graph.NotFound:                {404, "NotFound"},
		graph.MethodNotAllowed:        {405, "MethodNotAllowed"},
		graph.PayloadTooLarge:         {413, "PayloadTooLarge"},
		graph.URITooLong:              {414, "URITooLong"},
		graph.UnsupportedMediaType:    {415, "UnsupportedMediaType"},
		graph.TooManyRequests:         {429, "TooManyRequest"},
		graph.Internal:                {500, "InternalError"},
		graph.ServiceUnavailable:      {503, "ServiceUnavailable"},
		graph.ParseFailed:             {400, "MalformedPayload"},
		graph.PersistedQueryNotFound:  {200, "PersistedQueryNotFound"},
		graph.SessionRequired:         {403, "Forbidden"},
		"UNKNOWN":                     {500, "InternalError"},
	}
	for code, want := range cases {
		if status, name := httpapi.Status(code); status != want.status || name != want.name {
			t.Errorf("%s: %d %s, want %d %s", code, status, name, want.status, want.name)
		}
	}
}

func TestError(t *testing.T) {
	for name, c := range map[string]struct {
		err                *graph.Error
		status             int
		name, detail       string
		wait, authenticate string // headers
	}{
		"not found":   {graph.ErrNotFound, 404, "NotFound", "Resource not found.", "", ""},
		"unavailable": {graph.ErrUnavailable, 503, "ServiceUnavailable", graph.ErrUnavailable.Detail, "5", ""},
		"token": {
			graph.ErrInvalidToken, 401, "InvalidTokenError", graph.ErrInvalidToken.Detail, "", `Bearer error="invalid_token"`,
		},
		"quoted":                  {graph.Errorf(graph.InvalidForm, `"a" < b`), 400, "InvalidFormError", `"a" < b`, "", ""},
		"none":                    {nil, 500, "InternalError", "Internal error.", "", ""},
		"candidates without JSON": {graph.ErrMultiple([]any{broken{}}), 500, "InternalError", "Internal error.", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := httpapitest.Serve(t, nil, func(api *httpapi.API) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { api.Errors.Write(w, r, c.err) })
			})
			g := h.Do("GET", "/", "")
			g.HasCommonHeaders(t)
			checkError(t, g, c.status, c.name, c.detail)
			g.Has(t, c.status, "Retry-After", c.wait, "WWW-Authenticate", c.authenticate)
		})
	}
}

type broken struct{}

func (broken) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }
