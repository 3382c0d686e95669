package leaderboard

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
)

// PageSize is the number of entries in a new page. Pages that grow beyond twice that are split; small pages stay until
// the board is rebuilt.
const PageSize = 256

// Page is a sequence of packed Keys in the order of the board.
type Page []byte

// ParsePage checks the length of a stored page.
func ParsePage(b []byte) (Page, error) {
	if len(b)%KeySize != 0 {
		return nil, fmt.Errorf("invalid page size: %d bytes", len(b))
	}
	return Page(b), nil
}

// Len returns the number of entries.
func (p Page) Len() int { return len(p) / KeySize }

// At returns entry i, counted from 0.
func (p Page) At(i int) Key { return Key(p[i*KeySize:]) }

// Last returns the last entry of a non-empty page.
func (p Page) Last() Key { return p.At(p.Len() - 1) }

// Find returns the index of an entry, or where to insert it, and whether the page contains it.
func (p Page) Find(k Key) (int, bool) {
	return sort.Find(p.Len(), func(i int) int { return bytes.Compare(k[:], p[i*KeySize:(i+1)*KeySize]) })
}

// Append adds an entry at the end.
func (p Page) Append(k Key) Page { return append(p, k[:]...) }

// Apply removes the keys in drop and adds the keys in want, both sorted; want wins. It is idempotent. changed is false
// if the page stays the same.
func (p Page) Apply(drop, want []Key) (out Page, changed bool) {
	missing := slices.ContainsFunc(want, func(k Key) bool { _, ok := p.Find(k); return !ok })
	if !missing && !slices.ContainsFunc(drop, func(k Key) bool {
		_, there := p.Find(k)
		return there && !contains(want, k)
	}) {
		return p, false
	}
	out = make(Page, 0, len(p)+len(want)*KeySize)
	for i := range p.Len() {
		k := p.At(i)
		for len(want) > 0 && want[0].Compare(k) < 0 {
			out, want = out.Append(want[0]), want[1:]
		}
		if len(want) > 0 && want[0] == k {
			want = want[1:]
		} else if contains(drop, k) {
			continue
		}
		out = out.Append(k)
	}
	for _, k := range want {
		out = out.Append(k)
	}
	return out, true
}

func contains(sorted []Key, k Key) bool {
	_, found := slices.BinarySearchFunc(sorted, k, Key.Compare)
	return found
}

// Split splits an oversized page into several of equal size. An empty page becomes no page.
func (p Page) Split() []Page {
	switch n := p.Len(); {
	case n == 0:
		return nil
	case n <= 2*PageSize:
		return []Page{p}
	default:
		parts := (n + PageSize - 1) / PageSize
		out := make([]Page, parts)
		for i := range parts {
			out[i] = p[n*i/parts*KeySize : n*(i+1)/parts*KeySize]
		}
		return out
	}
}

// TopSize is how many entries of a board are recorded each day.
const TopSize = 100

// MaxGains is the size of a gain board while its period runs; TopSize entries remain afterwards.
const MaxGains = 1000

// shortKey is the size of a Key without its character.
const shortKey = KeySize - 16

// PackTop packs the first entries of a board: the size of an entry, then the entries, without the characters if no
// entry has one.
func PackTop(keys []Key) []byte {
	size := shortKey
	for _, k := range keys {
		if k.Character() != "" {
			size = KeySize
		}
	}
	out := append(make([]byte, 0, 1+len(keys)*size), byte(size))
	for _, k := range keys {
		out = append(out, k[:size]...)
	}
	return out
}

// UnpackTop returns the entries that PackTop packed.
func UnpackTop(packed []byte) ([]Key, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	size, entries := int(packed[0]), packed[1:]
	if size != shortKey && size != KeySize || len(entries)%size != 0 {
		return nil, fmt.Errorf("%d bytes of entries of %d bytes", len(entries), size)
	}
	out := make([]Key, len(entries)/size)
	for i := range out {
		copy(out[i][:], entries[i*size:(i+1)*size])
	}
	return out, nil
}
