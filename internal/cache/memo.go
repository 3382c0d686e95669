package cache

import "sync"

// Memo remembers what texts mean that callers send over and over. When its room is full it
// forgets all of them: what is asked often is back at once, and nothing is kept in order for it.
// The zero Memo with a Room is ready. It is safe for concurrent use.
type Memo[V any] struct {
	// Room bounds what is remembered, in the bytes that Put tells.
	Room int

	mu     sync.RWMutex
	byText map[string]V
	size   int
}

// Get returns what a text means; ok is false when it is not remembered.
func (m *Memo[V]) Get(text string) (meaning V, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	meaning, ok = m.byText[text]
	return
}

// GetBytes is Get for a text in bytes, which it does not copy.
func (m *Memo[V]) GetBytes(text []byte) (meaning V, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	meaning, ok = m.byText[string(text)]
	return
}

// Put remembers what a text means, at the price of size bytes; one of a higher price than all the
// room, or of none, is not remembered.
func (m *Memo[V]) Put(text string, meaning V, size int) {
	if size <= 0 || size > m.Room {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.byText[text]; ok {
		return // somebody else put it at the same time
	}
	if m.size += size; m.byText == nil || m.size > m.Room {
		m.byText, m.size = map[string]V{}, size
	}
	m.byText[text] = meaning
}
