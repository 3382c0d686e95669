package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"strings"
)

// A secret is a prefix that says what it is for, and 43 url-safe characters: 28 random bytes
// and a checksum over prefix and bytes. So programs that look for leaked secrets recognise
// one, and whatever was mistyped or made up is refused before the store is asked.
const (
	apiToken    = "gdt_"
	accessToken = "gd_" // WIRE §5.3
	session     = "gds_"
	appSecret   = "gda_"
	authCode    = "gdc_"
)

const (
	randomBytes = 28
	sumBytes    = 4
	shownBytes  = 6 // of the characters behind the prefix, for people to recognise a token
)

// strict refuses a last character with bits that mean nothing.
var strict = base64.RawURLEncoding.Strict()

// newSecret makes a secret of a kind.
func newSecret(kind string) string {
	b := make([]byte, randomBytes, randomBytes+sumBytes)
	_, _ = rand.Read(b) // never fails
	return kind + strict.EncodeToString(binary.BigEndian.AppendUint32(b, sum(kind, b)))
}

func sum(kind string, random []byte) uint32 {
	return crc32.ChecksumIEEE(append([]byte(kind), random...))
}

// secretKind tells what a text is a secret for; empty when it cannot be one.
func secretKind(text string) string {
	for _, kind := range []string{apiToken, accessToken, session, appSecret, authCode} {
		rest, ok := strings.CutPrefix(text, kind)
		if !ok || len(rest) != strict.EncodedLen(randomBytes+sumBytes) {
			continue
		}
		b, err := strict.DecodeString(rest)
		// DecodeString skips line breaks; writing it again does not.
		if err != nil || strict.EncodeToString(b) != rest {
			return ""
		}
		if binary.BigEndian.Uint32(b[randomBytes:]) == sum(kind, b[:randomBytes]) {
			return kind
		}
	}
	return ""
}

// IsTokenValue tells whether a text has the form of an API token, checksum included.
func IsTokenValue(text string) bool { return secretKind(text) == apiToken }

// shown is the part of a secret that people see after it was made.
func visiblePrefix(secret string) string {
	return secret[:strings.IndexByte(secret, '_')+1+shownBytes]
}

// digest is what the store keeps of a secret (SECURITY.md: HMAC-SHA-256 with a pepper).
func (a *Accounts) digest(secret string) string {
	m, ok := a.digests.Get().(hash.Hash)
	if !ok {
		m = hmac.New(sha256.New, a.pepper)
	}
	defer a.digests.Put(m)
	m.Reset()
	m.Write([]byte(secret))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// same compares digests in constant time.
func equalDigests(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// A link code is typed by people: 12 characters in three groups, of the alphabet that has no
// look-alikes; 60 bits, which live for minutes.
const (
	linkAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	linkLength   = 12
)

var lookAlikes = strings.NewReplacer(" ", "", "-", "", "I", "1", "L", "1", "O", "0")

func newLinkCode() string {
	b := make([]byte, linkLength)
	_, _ = rand.Read(b) // never fails
	for i := range b {
		b[i] = linkAlphabet[int(b[i])%len(linkAlphabet)]
	}
	return string(b[:4]) + "-" + string(b[4:8]) + "-" + string(b[8:])
}

// normalizeLinkCode is a code as it was made, from how somebody typed it; empty when it cannot be
// one.
func normalizeLinkCode(typed string) string {
	s := lookAlikes.Replace(strings.ToUpper(typed))
	if len(s) != linkLength {
		return ""
	}
	return s[:4] + "-" + s[4:8] + "-" + s[8:]
}
