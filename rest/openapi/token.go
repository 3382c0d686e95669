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
	form := object{{"type", "object"}, {"properties", object{
		{"grant_type", object{{"type", "string"}, {"const", "authorization_code"}}},
		{"code", text("The code of the redirect. It works once, for 5 minutes.")},
		{"redirect_uri", text("The redirect URI of the authorization request.")},
		{"client_id", text("The application, unless HTTP Basic is used.")},
		{"client_secret", text("The secret of a private application, here or by HTTP Basic. " +
			"A public application must not send it.")},
		{"code_verifier", object{
			{"type", "string"},
			{"pattern", "^[A-Za-z0-9._~-]{43,128}$"},
			{"description", "The verifier of the challenge (S256). A public application must send it."},
		}},
	}}, {"required", []string{"grant_type", "code", "redirect_uri"}}}
	reply := closed("An access token.", object{
		{"access_token", object{
			{"type", "string"}, {"pattern", "^gd_[A-Za-z0-9_-]+$"}, {"description", "Sent as `Authorization: Bearer`."},
		}},
		{"token_type", object{{"const", "bearer"}}},
		{"expires_in", object{{"type", "integer"}, {"description", "Seconds."}}},
		{"scope", text("The granted scopes, separated by spaces.")},
	})
	example := object{
		{"access_token", "gd_Vn3kQ0x8LrT2mYb7WcZp5sHd9uJe1AfGi4oKtRqXvNs"},
		{"token_type", "bearer"},
		{"expires_in", 2592000},
		{"scope", "identify main_access"},
	}
	responses := object{
		{"200", object{
			{"description", "OK"},
			{"headers", refs(always)},
			{"content", jsonContent(reply, object{{"example", example}})},
		}},
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
	return object{
		{"operationId", ExchangeName},
		{"tags", []string{"OAuth2"}},
		{"summary", "Exchange an authorization code for an access token"},
		{"description", "Only the grant type `authorization_code` is supported. " +
			"An application can authenticate by HTTP Basic instead of client_id and client_secret."},
		{"security", []object{{}}},
		{"requestBody", object{{"required", true}, {"content", object{
			{"application/x-www-form-urlencoded", object{{"schema", form}}},
		}}}},
		{"responses", responses},
		{"x-cache", object{{"maxAge", 0}, {"scope", graph.User}}},
		{"x-bucket", httpapi.Shared},
		{"x-cost", 1},
	}
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
