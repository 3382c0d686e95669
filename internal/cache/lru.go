package cache

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// LRU stores values by key and evicts the least recently used ones when their sizes exceed MaxBytes. The limit is in
// bytes because callers choose the values: a limit in entries would have to assume the largest. It is safe for
// concurrent use.
type LRU[V any] struct {
	maxBytes int
	mu       sync.Mutex
	entries  *simplelru.LRU[string, sizedValue[V]]
	size     int
}

type sizedValue[V any] struct {
	value V
	size  int
}

// NewLRU returns an empty LRU of maxBytes.
func NewLRU[V any](maxBytes int) *LRU[V] {
	l := &LRU[V]{maxBytes: maxBytes}
	// Every entry has a size of at least 1: the limit in entries is never reached. The error only concerns a limit
	// below 1.
	l.entries, _ = simplelru.NewLRU(max(1, maxBytes), func(_ string, v sizedValue[V]) { l.size -= v.size })
	return l
}

// Get returns the value of a key.
func (l *LRU[V]) Get(key string) (V, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v, ok := l.entries.Get(key)
	return v.value, ok
}

// Put stores a value that occupies size bytes, unless that is 0 or more than MaxBytes. If the key is already stored,
// its value stays.
func (l *LRU[V]) Put(key string, value V, size int) {
	if size <= 0 || size > l.maxBytes {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries.Contains(key) {
		return
	}
	l.entries.Add(key, sizedValue[V]{value, size})
	for l.size += size; l.size > l.maxBytes; {
		l.entries.RemoveOldest()
	}
}
