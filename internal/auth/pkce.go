package auth

import (
	"crypto/sha256"
	"strings"
)

// ValidChallenge reports whether a text is a code_challenge of PKCE (RFC 7636) by S256, the only
// supported method: a SHA-256 in 43 characters of base64url.
func ValidChallenge(challenge string) bool {
	b, ok := decodeBase64url(challenge)
	return ok && len(b) == sha256.Size
}

// ValidVerifier reports whether a text is a code_verifier: 43 to 128 characters of A-Z a-z 0-9 - . _ ~
func ValidVerifier(verifier string) bool {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	return 43 <= len(verifier) && len(verifier) <= 128 && strings.Trim(verifier, alphabet) == ""
}

// verifierMatches reports whether a verifier belongs to a challenge, in constant time. Without a
// challenge there must be no verifier.
func verifierMatches(challenge, verifier string) bool {
	if challenge == "" || verifier == "" {
		return challenge == verifier
	}
	sum := sha256.Sum256([]byte(verifier))
	return equalDigests(base64url.EncodeToString(sum[:]), challenge)
}
