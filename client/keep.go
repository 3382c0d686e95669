package client

import (
	"container/list"
	"net/http"
	"strings"
	"sync"
)

// keeper keeps the answers that were used last, by what was asked.
type keeper struct {
	room int

	mu    sync.Mutex
	byKey map[string]*list.Element
	used  list.List // of *kept, the last used first
}

type kept struct {
	key    string
	answer *Response
}

// get finds an answer; nil when there is none.
func (k *keeper) get(key string) *Response {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.byKey[key]
	if e == nil {
		return nil
	}
	k.used.MoveToFront(e)
	return e.Value.(*kept).answer
}

// put keeps an answer that may be kept and that has a tag.
func (k *keeper) put(key string, a *Response) {
	if key == "" || k.room <= 0 || a.Status != http.StatusOK || a.Header.Get("ETag") == "" ||
		strings.Contains(a.Header.Get("Cache-Control"), "no-store") {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byKey == nil {
		k.byKey = map[string]*list.Element{}
	}
	if e := k.byKey[key]; e != nil {
		e.Value.(*kept).answer = a
		k.used.MoveToFront(e)
		return
	}
	k.byKey[key] = k.used.PushFront(&kept{key, a})
	if k.used.Len() > k.room {
		last := k.used.Remove(k.used.Back()).(*kept)
		delete(k.byKey, last.key)
	}
}
