package httpapi

import (
	"bytes"
	"hash/crc32"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// sealed is what an answer's bytes and policy alone decide, made once and kept with it.
type sealed struct {
	control string // Cache-Control
	status  string // what follows the ttl in Cache-Status
	hits    counted
	tags    [codings]string
	weak    [codings]string // the same, of a body whose end changes
	expires stamp
	forms   [codings]form
	// compressed are the bytes of the forms made so far, counted those that the cache knows of.
	compressed, counted atomic.Int64
}

// form is one form of a body, made when it is asked for first.
type form struct {
	once   sync.Once
	body   []byte // open at its end when there is a tail
	sum    uint32
	length string // of the whole, when there is no tail
}

// Seal returns the answer with what can be known of it beforehand, so that a cached answer is
// written as stored bytes: compressed forms are made once, when they are first asked for. Write
// does not need it.
func (a Answer) Seal() Answer {
	s := &sealed{control: cacheControl(a.MaxAge, a.Scope), status: a.statusEnd()}
	sum := bodySum(a.Body)
	for c := range codings {
		s.tags[c] = c.tag(sum)
		s.weak[c] = "W/" + s.tags[c]
	}
	a.sealed = s
	return a
}

// in is the answer's body in one form, without what follows.
func (a *Answer) in(c coding) *form {
	if a.sealed == nil {
		f := new(form)
		f.fill(a, c)
		return f
	}
	f := &a.sealed.forms[c]
	f.once.Do(func() {
		f.fill(a, c)
		if c != identity {
			a.sealed.compressed.Add(int64(len(f.body)))
		}
	})
	return f
}

func (f *form) fill(a *Answer, c coding) {
	body := a.body()
	f.body = c.compress(body)
	if c == gzipped {
		f.sum = crc32.ChecksumIEEE(body)
	}
	if c != identity {
		if !a.Open {
			f.body = c.ending(f.body, body, nil, f.sum)
		}
		f.body = bytes.Clone(f.body) // no larger than it is, since it is kept
	}
	if !a.Open {
		f.length = strconv.Itoa(len(f.body))
	}
}

// grown reports whether forms were made that the cache does not know of; it is told once.
func (a *Answer) grown() bool {
	if a.sealed == nil {
		return false
	}
	made, counted := a.sealed.compressed.Load(), a.sealed.counted.Load()
	return made != counted && a.sealed.counted.CompareAndSwap(counted, made)
}

// Size is the number of bytes the answer holds, compressed forms included.
func (a *Answer) Size() int {
	size := cap(a.Body)
	for _, tag := range a.Tags {
		size += len(tag) + 16
	}
	for name, values := range a.Header {
		size += 100 + len(name)
		for _, v := range values {
			size += len(v) + 16
		}
	}
	if a.sealed == nil {
		return size
	}
	return size + sealedSize + int(a.sealed.compressed.Load())
}

// sealedSize is what sealing takes besides compressed forms: tags, lengths and what holds them.
const sealedSize = 1100

// age is how old the answer is, in whole seconds so that the headers agree.
func (a *Answer) age(now time.Time) time.Duration {
	if a.Made.IsZero() {
		return 0
	}
	return max(0, now.Sub(a.Made)).Truncate(time.Second)
}
