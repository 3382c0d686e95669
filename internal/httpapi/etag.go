package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// bodySum names a body: 128 bits of its SHA-256.
func bodySum(body []byte) string {
	sum := sha256.Sum256(body)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// tagEnds tell the forms of one body apart. They name the compressor and its level: the same
// body always gives the same bytes as long as they stay; change the name with them.
var tagEnds = [codings]string{gzipped: "-g2", zstdded: "-z1"}

// tag is the strong ETag of one form of the body with that sum. It compresses nothing.
func (c coding) tag(sum string) string { return `"` + sum + tagEnds[c] + `"` }

// notModified tells whether the caller of a GET or HEAD holds the bytes named by a strong tag.
// As RFC 9110 §13.1.2 says, the comparison ignores the mark of weak tags. A query by POST may
// ask too, which is ours.
func notModified(r *http.Request, tag string, query bool) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead && !query {
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
