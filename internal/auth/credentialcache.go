package auth

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

const (
	// credentialMaxAge is how long a lookup is cached. A revocation on another instance takes effect after this time,
	// which leaves streams enough time to deliver what they have sent within the promised 5 seconds.
	credentialMaxAge = 2 * time.Second
	// maxCredentials bounds the cache to about 6 MB, however many credentials callers try.
	maxCredentials = 20_000
)

// lookup is the store's result for a credential.
type lookup struct {
	viewer  viewer.Viewer
	err     *graph.Error // why the credential is rejected, nil if it is valid
	expires time.Time    // zero if the credential does not expire
	at      time.Time    // when the store was read
}

// credentialCache caches lookups by the credential's digest, least recently used first out.
//
// Without it, a request with a credential costs one to three reads of the primary; with it, a cached response costs
// none. TestCachedCredentials checks that 1,000 requests with one token read the store once. We do not use ristretto:
// it may drop a write, and every dropped write is a read of the store under load.
type credentialCache struct {
	mu      sync.Mutex
	entries *simplelru.LRU[string, lookup]
	// generation counts invalidations. A lookup from an earlier generation is not cached: it may predate the change.
	generation int
}

func newCredentialCache() *credentialCache {
	entries, _ := simplelru.NewLRU[string, lookup](maxCredentials, nil) // fails for a size of 0 only
	return &credentialCache{entries: entries}
}

// get returns the lookup of a digest unless it is too old.
func (c *credentialCache) get(digest string, now time.Time) (lookup, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, ok := c.entries.Get(digest)
	age := now.Sub(l.at)
	return l, ok && 0 <= age && age < credentialMaxAge
}

// put caches a lookup that began under a generation.
func (c *credentialCache) put(digest string, l lookup, generation int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.generation == generation {
		c.entries.Add(digest, l)
	}
}

func (c *credentialCache) currentGeneration() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.generation
}

func (c *credentialCache) invalidate(digest string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	c.entries.Remove(digest)
}

// invalidateViewers removes the credentials of matching viewers, so a change on this instance takes effect here at
// once.
func (c *credentialCache) invalidateViewers(match func(viewer.Viewer) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	for _, digest := range c.entries.Keys() {
		if l, _ := c.entries.Peek(digest); match(l.viewer) {
			c.entries.Remove(digest)
		}
	}
}

func (c *credentialCache) invalidateAccount(account string) {
	c.invalidateViewers(func(v viewer.Viewer) bool { return v.Account == account })
}
