package transform

import (
	"slices"
	"strconv"
)

// keyed writes a list as members named by a field of its elements. more reports whether a member precedes them, and the
// result whether a member has been written afterwards.
func (t *transformer) keyed(f *field, more bool) (bool, error) {
	k := f.keyBy
	keys := f.children[:k.keys]
	by := k.name(t.vars)
	main := slices.IndexFunc(keys, func(c *field) bool { return c.name == by })
	clash := slices.IndexFunc(keys, func(c *field) bool { return c.name == k.clash })
	if main < 0 {
		return more, ErrData
	}
	var used map[string]bool
	if clash >= 0 {
		used = map[string]bool{}
	}
	if err := t.enter('['); err != nil {
		return more, err
	}
	for t.another(']') {
		names, err := t.keys(keys)
		if err != nil {
			return more, err
		}
		name := main
		if clash >= 0 {
			if used[string(names[main])] {
				name = clash
			}
			used[string(names[name])] = true
		}
		if f.reserved[string(unquote(names[name]))] {
			if err := t.leave(); err != nil {
				return more, err
			}
			continue
		}
		comma(t.out, more)
		more = true
		t.out.WriteByte('"')
		t.out.Write(unquote(names[name]))
		t.out.WriteString(`":`)
		inKey := name
		if name != main {
			inKey = -1 // an entry under another key contains the usual key too
		}
		if err := t.entry(f, names, inKey); err != nil {
			return more, err
		}
	}
	return more, nil
}

// keys opens an element and reads the fields that may name it.
func (t *transformer) keys(fields []*field) (names [3][]byte, err error) {
	if err := t.enter('{'); err != nil {
		return names, err
	}
	for i, c := range fields {
		key, err := t.member()
		if err != nil || string(key) != c.name {
			return names, ErrData
		}
		if names[i], err = t.skip(); err != nil {
			return names, err
		}
		if c.Spelling != "" {
			names[i] = []byte(`"` + string(c.spell(unquote(names[i]))) + `"`)
		}
	}
	return names, nil
}

// entry writes the content of an element except the name that became its key, if any.
func (t *transformer) entry(f *field, names [3][]byte, inKey int) error {
	k := f.keyBy
	switch {
	case f.Unwrap != "" && t.othersNull(f.Unwrap):
		return t.one(f, k.keys, f.Unwrap)
	case k.value != "":
		return t.one(f, k.keys, k.value)
	}
	t.out.WriteByte('{')
	more := false
	for i, c := range f.children[:k.keys] {
		if i == inKey {
			continue
		}
		comma(t.out, more)
		more = true
		t.out.WriteString(c.prefix)
		t.out.Write(names[i])
	}
	_, err := t.members(f, k.keys, more)
	t.out.WriteByte('}')
	return err
}

// numbered writes a list as an object with the keys "1", "2", …
func (t *transformer) numbered(f *field) error {
	if err := t.enter('['); err != nil {
		return err
	}
	t.out.WriteByte('{')
	for n := int64(1); t.another(']'); n++ {
		comma(t.out, n > 1)
		t.out.WriteByte('"')
		t.out.Write(strconv.AppendInt(t.out.AvailableBuffer(), n, 10))
		t.out.WriteString(`":`)
		if err := t.element(f); err != nil {
			return err
		}
	}
	t.out.WriteByte('}')
	return nil
}
