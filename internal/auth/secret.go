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

// A secret is a prefix that names its kind and 43 base64url characters: 28 random bytes and a checksum over prefix and
// bytes. Secret scanners recognise it, and mistyped or invented ones are rejected without reading the store.
const (
	apiToken    = "gdt_"
	accessToken = "gd_"
	session     = "gds_"
	appSecret   = "gda_"
	authCode    = "gdc_"
	feedToken   = "gdf_"
)

const (
	randomBytes = 28
	sumBytes    = 4
	prefixChars = 6 // of the characters after the prefix, shown so that users recognise a token
)

// base64url rejects a last character with unused bits that are not zero.
var base64url = base64.RawURLEncoding.Strict()

// decodeBase64url is base64url.DecodeString without its tolerance for line breaks.
func decodeBase64url(s string) ([]byte, bool) {
	b, err := base64url.DecodeString(s)
	return b, err == nil && base64url.EncodeToString(b) == s
}

func newSecret(kind string) string {
	b := make([]byte, randomBytes, randomBytes+sumBytes)
	_, _ = rand.Read(b) // never fails
	return kind + base64url.EncodeToString(binary.BigEndian.AppendUint32(b, checksum(kind, b)))
}

func checksum(kind string, random []byte) uint32 {
	return crc32.ChecksumIEEE(append([]byte(kind), random...))
}

// secretKind returns the kind of a well-formed secret, or "".
func secretKind(text string) string {
	for _, kind := range []string{apiToken, accessToken, session, appSecret, authCode, feedToken} {
		rest, ok := strings.CutPrefix(text, kind)
		if !ok || len(rest) != base64url.EncodedLen(randomBytes+sumBytes) {
			continue
		}
		b, ok := decodeBase64url(rest)
		if !ok {
			return ""
		}
		if binary.BigEndian.Uint32(b[randomBytes:]) == checksum(kind, b[:randomBytes]) {
			return kind
		}
	}
	return ""
}

// IsTokenValue reports whether a text has the form of an API token, checksum included.
func IsTokenValue(text string) bool { return secretKind(text) == apiToken }

// visiblePrefix is the part of a secret that is shown after its creation.
func visiblePrefix(secret string) string {
	return secret[:strings.IndexByte(secret, '_')+1+prefixChars]
}

// digest returns the stored form of a secret: HMAC-SHA-256 with the pepper, in base64url.
func (b *base) digest(secret string) string {
	m, ok := b.digests.Get().(hash.Hash)
	if !ok {
		m = hmac.New(sha256.New, b.pepper)
	}
	defer b.digests.Put(m)
	m.Reset()
	m.Write([]byte(secret))
	return base64url.EncodeToString(m.Sum(nil))
}

// equalDigests compares in constant time.
func equalDigests(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// newID returns an id for a record: 80 random bits in lower-case base32.
func newID() string { return strings.ToLower(rand.Text()[:16]) }
