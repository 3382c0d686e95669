package client

import (
	"net/http"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
)

// etagCache caches responses by request, to revalidate them by their ETag; nil caches nothing.
type etagCache struct{ responses *lru.Cache[string, *Response] }

func newETagCache(size int) *etagCache {
	responses, err := lru.New[string, *Response](size)
	if err != nil { // size is not positive
		return nil
	}
	return &etagCache{responses}
}

// get returns a response, nil if there is none.
func (c *etagCache) get(key string) *Response {
	if c == nil {
		return nil
	}
	response, _ := c.responses.Get(key)
	return response
}

// put caches a response that has an ETag and may be stored. Requests without a key are not cached.
func (c *etagCache) put(key string, r *Response) {
	if c != nil && key != "" && r.Status == http.StatusOK && r.Header.Get("ETag") != "" &&
		!strings.Contains(r.Header.Get("Cache-Control"), "no-store") {
		c.responses.Add(key, r)
	}
}
