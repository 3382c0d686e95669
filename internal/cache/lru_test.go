package cache_test

import (
	"fmt"
	"testing"

	"gamedata/internal/cache"
)

// However many values are put, those stored fit the bound and the newest is among them.
func TestLRUStaysWithinMaxBytes(t *testing.T) {
	const maxBytes = 1000
	l := cache.NewLRU[int](maxBytes)
	for i := range 500 {
		l.Put(fmt.Sprint(i), i, 30)
		stored := 0
		for j := range i + 1 {
			v, ok := l.Get(fmt.Sprint(j))
			if !ok {
				continue
			}
			stored++
			if v != j {
				t.Fatalf("got %d for key %d", v, j)
			}
		}
		if _, ok := l.Get(fmt.Sprint(i)); !ok || stored*30 > maxBytes {
			t.Fatalf("after %d: %d stored, the last among them: %t", i, stored, ok)
		}
	}
	l.Put("much", 1, 1001)
	l.Put("nothing", 1, 0)
	l.Put("499", 2, 30)
	for key, want := range map[string]int{"much": 0, "nothing": 0, "499": 499} {
		if v, _ := l.Get(key); v != want {
			t.Errorf("got %d for %s, want %d", v, key, want)
		}
	}
}

// A value that is used stays, others are evicted.
func TestLRUEvictsLeastRecentlyUsed(t *testing.T) {
	l := cache.NewLRU[int](100)
	for i := range 50 {
		l.Put(fmt.Sprint(i), i, 10)
		if _, ok := l.Get("0"); !ok {
			t.Fatalf("the key in use was evicted after %d", i)
		}
	}
}
