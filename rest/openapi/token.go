package openapi

import (
	"net/http"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// ExchangeName is the operation id of the endpoint without an operation.
const ExchangeName = "OAuthToken"

// exchange describes the token endpoint, which has no operation: it takes a form and returns an access token.
func (b *builder) exchange() object {
	responses := object{
		{"200", part("exchanged").with("headers", refs(always))},
		{"400", b.oauthError(http.StatusBadRequest, "The form, the code, its verifier or the grant type is invalid.",
			"invalid_request", "invalid_grant", "unsupported_grant_type")},
		{"401", b.oauthError(http.StatusUnauthorized, "The application is unknown, or its secret is missing or wrong.",
			"invalid_client")},
	}
	for _, e := range []*graph.Error{
		graph.ErrMethodNotAllowed, graph.ErrPayloadTooLarge, graph.ErrURITooLong, graph.ErrUnsupportedMediaType,
		graph.Errorf(graph.TooManyRequests, "Too many requests, try again in 2 seconds."), graph.ErrInternal,
		graph.ErrUnavailable,
	} {
		code, name := httpapi.Status(e.Code)
		responses = append(responses, member{status(code), b.oauthError(code, e.Detail, name)})
	}
	return append(part("exchange"), append(object{{"responses", responses}}, part("exchangePolicy")...)...)
}

func (b *builder) oauthError(code int, about string, names ...string) object {
	narrow := object{{"error", object{{"enum", names}}}, {"code", object{{"const", code}}}}
	s := errorStatus{status: code}
	example := object{{"error", names[0]}, {"error_description", about}, {"detail", about}, {"code", code}}
	for _, c := range b.cases["/oauth/token"] {
		if c.Want.Status == code && len(c.Want.Body) > 0 {
			if v, ok := decode(c.Want.Body).(object); ok {
				example = v
				break
			}
		}
	}
	return object{
		{"description", about},
		{"headers", refs(always, s.headers())},
		{"content", jsonContent(append(ref("schemas", "OAuthError"), member{"properties", narrow}),
			object{{"example", example}})},
	}
}
