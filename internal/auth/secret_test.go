package auth

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
)

// Every prefix, bit flip and case flip of 100 secrets is rejected by form, without reading the store.
func TestChangedSecretsAreRefused(t *testing.T) {
	for i := range 100 {
		kind := []string{apiToken, accessToken, session, appSecret, feedToken}[i%5]
		s := newSecret(kind)
		if secretKind(s) != kind || len(s) != len(kind)+43 {
			t.Fatalf("%q is a secret of kind %q", s, secretKind(s))
		}
		var changed []string
		for n := range s {
			changed = append(changed, s[:n])
			for bit := range 8 {
				b := []byte(s)
				b[n] ^= 1 << bit
				changed = append(changed, string(b))
			}
			if c := rune(s[n]); unicode.IsLetter(c) {
				flipped := unicode.ToUpper(c)
				if flipped == c {
					flipped = unicode.ToLower(c)
				}
				changed = append(changed, s[:n]+string(flipped)+s[n+1:])
			}
		}
		changed = append(changed, s+"A", s+"=", " "+s, s+"\n", s[:20]+"\n"+s[20:], strings.Replace(s, kind, "gdx_", 1),
			strings.ToUpper(s))
		for _, other := range []string{apiToken, accessToken, session, appSecret, feedToken} {
			if other != kind {
				changed = append(changed, other+strings.TrimPrefix(s, kind))
			}
		}
		for _, c := range changed {
			if secretKind(c) != "" {
				t.Errorf("%q, changed from %q, is accepted", c, s)
			}
		}
	}
}

// The digest depends on the pepper, and is not the secret.
func TestDigest(t *testing.T) {
	s := newSecret(apiToken)
	plain, peppered := New(nil, Options{}), New(nil, Options{Pepper: "salt"})
	if plain.digest(s) == peppered.digest(s) || plain.digest(s) != New(nil, Options{}).digest(s) ||
		strings.Contains(plain.digest(s), s[8:16]) {
		t.Error("the digest does not depend on pepper and secret alone")
	}
}

func TestLinkCodesAsTyped(t *testing.T) {
	for range 100 {
		code := newLinkCode()
		typed := strings.ToLower(strings.ReplaceAll(code, "-", []string{"", " ", "--"}[rand.IntN(3)]))
		typed = strings.NewReplacer("1", []string{"l", "I", "1"}[rand.IntN(3)], "0", "o").Replace(typed)
		if normalizeLinkCode(" "+typed) != code {
			t.Errorf("%q: got %q, want %q", typed, normalizeLinkCode(typed), code)
		}
	}
	for _, s := range []string{"", "AAAA-BBBB", "AAAA-BBBB-CCCCC", strings.Repeat("A", 10_000)} {
		if normalizeLinkCode(s) != "" {
			t.Errorf("%.20q is accepted", s)
		}
	}
}
