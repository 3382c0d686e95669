package door

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// entityTag is the strong ETag of a body: 128 bits of its SHA-256.
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

// gzipForm names the compressor and its level. The same body always gives the same
// bytes as long as they stay; change the name with them.
const gzipForm = "-g1"

// gzipTag is the ETag of the gzip form of the body that tag belongs to. It follows from
// the identity form, so that a 304 compresses nothing.
func gzipTag(tag string) string { return strings.TrimSuffix(tag, `"`) + gzipForm + `"` }

// notModified tells whether the caller of a GET or HEAD holds the bytes named by tag.
// As RFC 9110 §13.1.2 says, the comparison ignores the mark of weak tags.
func notModified(r *http.Request, tag string) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	list := strings.Join(r.Header["If-None-Match"], ",")
	if strings.TrimSpace(list) == "*" {
		return true
	}
	for list != "" {
		list = strings.TrimLeft(list, " \t,")
		list = strings.TrimPrefix(list, "W/")
		if !strings.HasPrefix(list, `"`) {
			return false // not a tag: the rest cannot be read
		}
		end := strings.IndexByte(list[1:], '"')
		if end < 0 {
			return false
		}
		if list[:end+2] == tag {
			return true
		}
		list = list[end+2:]
	}
	return false
}
