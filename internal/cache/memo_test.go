package cache_test

import (
	"fmt"
	"testing"

	"gamedata/internal/cache"
)

// However many texts are put, those remembered fit the room, and each means its own.
func TestMemo(t *testing.T) {
	m := cache.Memo[int]{Room: 1000}
	for i := range 500 {
		m.Put(fmt.Sprint(i), i, 30)
		kept := 0
		for j := range i + 1 {
			text := fmt.Sprint(j)
			v, ok := m.Get(text)
			if b, also := m.GetBytes([]byte(text)); b != v || also != ok {
				t.Fatalf("%s: %d %t as text, %d %t as bytes", text, v, ok, b, also)
			}
			if !ok {
				continue
			}
			if kept++; v != j {
				t.Fatalf("%d means %d", j, v)
			}
		}
		if _, ok := m.Get(fmt.Sprint(i)); !ok || kept*30 > m.Room {
			t.Fatalf("after %d: %d kept, the last among them: %t", i, kept, ok)
		}
	}
	m.Put("much", 1, 1001)
	m.Put("nothing", 1, 0)
	m.Put("499", 2, 30)
	for text, want := range map[string]int{"much": 0, "nothing": 0, "499": 499} {
		if v, _ := m.Get(text); v != want {
			t.Errorf("%s means %d", text, v)
		}
	}
}
