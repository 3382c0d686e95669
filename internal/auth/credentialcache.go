package auth

import (
	"maps"
	"sync"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// remembered is how long the answer to a credential is not asked for again. What is revoked
// is refused after that, on every instance (SECURITY.md: within 5 s).
const remembered = 4 * time.Second

// generation is how many credentials one half of the memory holds.
const generation = 10_000

// answer is what is known of a credential.
type answer struct {
	viewer viewer.Viewer
	// refused is why it is not accepted, nil when it is.
	refused *graph.Error
	// expires is when the credential ends; the zero time when it does not.
	expires time.Time
	// asked is when the store was asked: it told the truth then.
	asked time.Time
}

// memory keeps answers for a short time, and boundedly many: two generations, of which the
// older one is dropped when the younger is full or has had its time.
type memory struct {
	mu         sync.Mutex
	young, old map[string]answer
	since      time.Time // when young began
	forgotten  int       // how often answers were forgotten
}

func newMemory() *memory { return &memory{young: map[string]answer{}} }

func (m *memory) get(digest string, now time.Time) (answer, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.young[digest]
	if !ok {
		a, ok = m.old[digest]
	}
	age := now.Sub(a.asked)
	return a, ok && 0 <= age && age < remembered
}

// put keeps an answer of the store that was asked when answers had been forgotten so often.
func (m *memory) put(digest string, a answer, forgotten int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.forgotten != forgotten {
		return // it may tell of what is not so any more
	}
	if len(m.young) >= generation || a.asked.Sub(m.since) >= remembered {
		m.old, m.young, m.since = m.young, map[string]answer{}, a.asked
	}
	m.young[digest] = a
}

// begins tells how often answers were forgotten.
func (m *memory) begins() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.forgotten
}

// forget forgets what is known of some viewers, since it was changed here: they see that at
// once, and so does everybody else on this instance.
func (m *memory) forget(of func(viewer.Viewer) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgotten++
	for _, half := range []map[string]answer{m.young, m.old} {
		maps.DeleteFunc(half, func(_ string, a answer) bool { return of(a.viewer) })
	}
}

// forget forgets the credentials of an account.
func (a *Accounts) forget(account string) {
	a.known.forget(func(v viewer.Viewer) bool { return v.Account == account })
}

// drop forgets an answer.
func (m *memory) drop(digest string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgotten++
	delete(m.young, digest)
	delete(m.old, digest)
}
