package auth

// OAuthError is an error of the OAuth2 protocol. Text explains it to developers and never repeats the request.
type OAuthError struct{ Name, Text string }

func (e *OAuthError) Error() string { return e.Name + ": " + e.Text }

// InvalidRequestError returns the error of a malformed request.
func InvalidRequestError(text string) *OAuthError { return &OAuthError{InvalidRequest, text} }

// The names of OAuth errors.
const (
	InvalidRequest       = "invalid_request"
	InvalidClient        = "invalid_client"
	InvalidGrant         = "invalid_grant"
	UnsupportedGrantType = "unsupported_grant_type"

	// Only in redirects.
	AccessDenied            = "access_denied"
	InvalidScope            = "invalid_scope"
	UnsupportedResponseType = "unsupported_response_type"
)

// Errors of Redeem and RevokeToken. A text contains "client secret" only if the secret is missing, wrong or not
// allowed: clients search for these words.
var (
	ErrWrongClient = &OAuthError{
		InvalidClient,
		"There is no such application, or its client secret (client_secret) is wrong.",
	}
	ErrNoSecret     = &OAuthError{InvalidClient, "A private application must send its client secret (client_secret)."}
	ErrPublicSecret = &OAuthError{InvalidRequest, "A public application must not send a client secret (client_secret)."}
	ErrNoVerifier   = &OAuthError{InvalidRequest, "A public application must send code_verifier."}
	ErrInvalidCode  = &OAuthError{
		InvalidGrant,
		"The authorization code is unknown, expired, used, or made for another application or redirect_uri.",
	}
	ErrWrongVerifier = &OAuthError{InvalidGrant, "The code_verifier does not fit the authorization code."}
)
