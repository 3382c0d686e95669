package leaderboard

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
)

// PageSize is how many entries a page of a board is made with. Pages that changes made
// larger than twice of that are split; small ones stay until the board is packed anew.
const PageSize = 256

// Page is entries of a board one behind the other, in the board's order.
type Page []byte

// ParsePage checks that bytes hold whole entries.
func ParsePage(b []byte) (Page, error) {
	if len(b)%KeySize != 0 {
		return nil, fmt.Errorf("a page of %d bytes holds no whole entries", len(b))
	}
	return Page(b), nil
}

// Len is the number of entries.
func (p Page) Len() int { return len(p) / KeySize }

// At is the ith entry, from 0.
func (p Page) At(i int) Key { return Key(p[i*KeySize:]) }

// Last is the key of the last entry of a page that has one.
func (p Page) Last() Key { return p.At(p.Len() - 1) }

// Find gives the place of an entry, or where it would stand, and whether it is there.
func (p Page) Find(k Key) (int, bool) {
	return sort.Find(p.Len(), func(i int) int { return bytes.Compare(k[:], p[i*KeySize:(i+1)*KeySize]) })
}

// Append adds an entry behind the last.
func (p Page) Append(k Key) Page { return append(p, k[:]...) }

// Apply gives the page without the entries to drop and with those wanted: both sorted, an
// entry of both is wanted. It does not matter what was there before, so that applying the
// same again changes nothing. The page itself comes back when it is right already.
func (p Page) Apply(drop, want []Key) Page {
	missing := slices.ContainsFunc(want, func(k Key) bool { _, ok := p.Find(k); return !ok })
	if !missing && !slices.ContainsFunc(drop, func(k Key) bool {
		_, there := p.Find(k)
		return there && !holds(want, k)
	}) {
		return p
	}
	out := make(Page, 0, len(p)+len(want)*KeySize)
	for i := range p.Len() {
		k := p.At(i)
		for len(want) > 0 && want[0].Compare(k) < 0 {
			out, want = out.Append(want[0]), want[1:]
		}
		if len(want) > 0 && want[0] == k {
			want = want[1:]
		} else if holds(drop, k) {
			continue
		}
		out = out.Append(k)
	}
	for _, k := range want {
		out = out.Append(k)
	}
	return out
}

func holds(sorted []Key, k Key) bool {
	_, found := slices.BinarySearchFunc(sorted, k, Key.Compare)
	return found
}

// Split cuts a page that grew too large into even ones; an empty page becomes none.
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
