package auth

import (
	"strings"
	"testing"
)

// RFC 7636 appendix B.
const (
	rfcVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	rfcChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

func TestFits(t *testing.T) {
	for name, c := range map[string]struct {
		challenge, verifier string
		want                bool
	}{
		"appendix B":        {rfcChallenge, rfcVerifier, true},
		"neither":           {"", "", true},
		"other verifier":    {rfcChallenge, rfcVerifier[:42] + "l", false},
		"plain":             {rfcVerifier, rfcVerifier, false},
		"challenge itself":  {rfcChallenge, rfcChallenge, false},
		"missing verifier":  {rfcChallenge, "", false},
		"missing challenge": {"", rfcVerifier, false},
		"another case":      {strings.ToLower(rfcChallenge), rfcVerifier, false},
	} {
		if got := verifierMatches(c.challenge, c.verifier); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestValidChallenge(t *testing.T) {
	for challenge, want := range map[string]bool{
		rfcChallenge: true, "": false, rfcChallenge[1:]: false, rfcChallenge + "A": false, rfcChallenge + "=": false,
		rfcChallenge[:42] + "N":                           false, // unused bits that are not zero
		strings.Replace(rfcChallenge, "-", "+", 1):        false,
		rfcChallenge[:20] + "\n" + rfcChallenge[20:]:      false,
		rfcChallenge[:42] + "\n":                          false,
		rfcChallenge[:41] + "é":                           false,
		strings.Repeat("A", 43):                           true,
		strings.Repeat("A", 43) + strings.Repeat("A", 43): false,
	} {
		if got := ValidChallenge(challenge); got != want {
			t.Errorf("%q: got %v, want %v", challenge, got, want)
		}
	}
}
