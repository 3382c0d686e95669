package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strings"
)

// Proof Key for Code Exchange (RFC 7636), method S256 alone. Everything here is pure.

// ValidChallenge reports whether a text can be a code_challenge: 43 characters of base64url
// that are the 32 bytes of a SHA-256.
func ValidChallenge(challenge string) bool {
	b, err := strict.DecodeString(challenge)
	// DecodeString skips line breaks; writing it again does not.
	return err == nil && len(b) == sha256.Size && strict.EncodeToString(b) == challenge
}

// ValidVerifier reports whether a text can be a code_verifier: 43 to 128 characters of
// A-Z a-z 0-9 - . _ ~
func ValidVerifier(verifier string) bool {
	return 43 <= len(verifier) && len(verifier) <= 128 && !strings.ContainsFunc(verifier, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-._~", r))
	})
}

// fits reports whether a verifier proves that its sender asked with the challenge. Where none
// was asked with none may be sent: both are empty.
func verifierMatches(challenge, verifier string) bool {
	if challenge == "" || verifier == "" {
		return challenge == verifier
	}
	sum := sha256.Sum256([]byte(verifier))
	return subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(challenge)) == 1
}
