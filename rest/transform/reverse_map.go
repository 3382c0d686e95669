package transform

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// keyed writes the members of an object as a list whose elements contain their key.
func (r *reverser) keyed(f *field, n *node) error {
	k := f.keyBy
	main := f.child(k.name(r.vars))
	if main == nil {
		return errorAt(n, "no field of this name can name the entries")
	}
	r.out.WriteByte('[')
	for i, key := range n.keys {
		v := n.items[i]
		by := main
		var err error
		if c := f.child(k.clash); c != nil && c != main && v.get(main.key) != nil {
			// The entry contains both: the main key was taken, unless the entry only repeats it.
			if text, _ := v.get(main.key).string(); text != key {
				by = c
			}
			v, err = v.withoutKey(by.key, key)
		}
		comma(&r.out, i > 0)
		r.out.WriteByte('{')
		r.name(by)
		if err == nil {
			err = r.key(by, v, key)
		}
		if err == nil {
			err = r.entry(f, v, by)
		}
		if err != nil {
			return within(keyStep(key), err)
		}
		r.out.WriteByte('}')
	}
	r.out.WriteByte(']')
	return nil
}

// withoutKey returns an entry without the member that repeats its key.
func (n *node) withoutKey(member, key string) (*node, error) {
	v := n.get(member)
	if v == nil {
		return n, nil
	}
	if text, _ := v.string(); text != key && v.number() != key {
		return nil, within(keyStep(member), errorAt(v, "differs from the key of the entry"))
	}
	return n.only(func(k string) bool { return k != member }), nil
}

// key writes the value of the field that names an entry.
func (r *reverser) key(by *field, n *node, key string) error {
	switch size := bits(by.typ); {
	case !by.hasSpelling(key):
		return errorAt(n, "the key is not one of %s", strings.Join(slices.Sorted(maps.Values(by.spellings)), ", "))
	case size == 0:
		r.string(key)
	case !isInteger(key, size):
		return errorAt(n, "the key is not an integer of %d bits", size)
	default:
		r.out.WriteString(key)
	}
	return nil
}

// numbered writes the members "1", "2", … of an object as a list in that order.
func (r *reverser) numbered(f *field, n *node) error {
	list := make([]*node, len(n.items))
	for i, key := range n.keys {
		place, err := strconv.Atoi(key)
		if err != nil || strconv.Itoa(place) != key || place < 1 || place > len(list) {
			return within(keyStep(key), errorAt(n.items[i], "want keys that number the entries, 1 to %d", len(list)))
		}
		list[place-1] = n.items[i]
	}
	r.out.WriteByte('[')
	for i, item := range list {
		comma(&r.out, i > 0)
		if err := r.value(f, f.list(), item); err != nil {
			return within(keyStep(strconv.Itoa(i+1)), err)
		}
	}
	r.out.WriteByte(']')
	return nil
}

// entry writes the content of an entry except its key.
func (r *reverser) entry(f *field, n *node, key *field) error {
	if f.Unwrap != "" && n.kind != '{' && n.kind != '[' {
		return r.bare(f, n, key)
	}
	if f.keyBy.value == "" {
		if n.kind != '{' {
			return errorAt(n, "want an object")
		}
		return r.members(f, n, key)
	}
	// The entry is the value of a single key, which several fields may share.
	wrapped := &node{at: n.at, kind: '{'}
	wrapped.put(f.keyBy.value, n)
	only := *f.variant(wrapped, key)
	only.children, only.variants = append([]*field{key}, only.children[f.keyBy.keys:]...), nil
	return withoutLastStep(r.members(&only, wrapped, key))
}

// bare writes the data of an object whose body form is the value of its only field.
func (r *reverser) bare(f *field, n *node, key *field) error {
	more := key != nil
	for _, c := range f.children {
		if c == key {
			continue
		}
		comma(&r.out, more)
		more = true
		r.name(c)
		if c.name != f.Unwrap {
			r.out.WriteString("null")
		} else if err := r.value(c, c.typ, n); err != nil {
			return err
		}
	}
	return nil
}

// withoutLastStep removes the outermost step from the path of an error: the body has no such key.
func withoutLastStep(err error) error {
	var b *bodyError
	if errors.As(err, &b) && len(b.path) > 0 {
		b.path = b.path[1:]
	}
	return err
}
