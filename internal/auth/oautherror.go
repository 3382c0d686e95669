package auth

// OAuthError is a refusal in the words of OAuth2 (WIRE §2.5). Text is for people and never
// repeats what was sent.
type OAuthError struct{ Name, Text string }

// Invalid refuses a request that is malformed.
func InvalidRequestError(text string) *OAuthError { return &OAuthError{InvalidRequest, text} }

func (e *OAuthError) Error() string { return e.Name + ": " + e.Text }

// The names of OAuth errors.
const (
	InvalidRequest       = "invalid_request"
	InvalidClient        = "invalid_client"
	InvalidGrant         = "invalid_grant"
	UnsupportedGrantType = "unsupported_grant_type"

	// On the redirect alone.
	AccessDenied            = "access_denied"
	InvalidScope            = "invalid_scope"
	UnsupportedResponseType = "unsupported_response_type"
)

// Refusals of Redeem. Details name the client secret where it is missing, wrong or forbidden,
// and nowhere else: clients look for the words (WIRE §2.5).
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
