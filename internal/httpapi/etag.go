package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// bodySum identifies a body: 128 bits of its SHA-256.
func bodySum(body []byte) string {
	sum := sha256.Sum256(body)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// tagSuffixes distinguish the encodings of one body. Each stands for a compressor and level with deterministic output:
// change the suffix when either changes.
var tagSuffixes = [codings]string{gzipped: "-g2", zstdded: "-z1"}

// etag returns the strong ETag of a body, given its sum, in one coding.
func (c coding) etag(sum string) string { return `"` + sum + tagSuffixes[c] + `"` }

// notModified reports whether If-None-Match of a GET or HEAD contains tag; weak tags match too (RFC 9110, section
// 13.1.2). A malformed list matches nothing. With post, a query by POST may be conditional too; this is our own
// extension.
func notModified(r *http.Request, tag string, post bool) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead && !post {
		return false
	}
	list := strings.Join(r.Header["If-None-Match"], ",")
	if strings.TrimSpace(list) == "*" {
		return true
	}
	for matches := false; ; {
		list = strings.TrimLeft(list, " \t,")
		if list == "" {
			return matches
		}
		list = strings.TrimPrefix(list, "W/")
		end := -1
		if strings.HasPrefix(list, `"`) {
			end = strings.IndexByte(list[1:], '"')
		}
		if end < 0 {
			return false
		}
		matches = matches || list[:end+2] == tag
		list = strings.TrimLeft(list[end+2:], " \t")
		if list != "" && list[0] != ',' {
			return false
		}
	}
}
