package transform

import (
	"slices"
	"strconv"
)

// keyed writes a list as members named by a field of its elements.
func (t *transformer) keyed(f *field, more bool) (bool, error) {
	k := f.keyBy
	keys := f.children[:k.keys]
	by := k.by(t.vars)
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
		texts, err := t.keys(keys)
		if err != nil {
			return more, err
		}
		name := main
		if clash >= 0 {
			if used[string(texts[main])] {
				name = clash
			}
			used[string(texts[name])] = true
		}
		if f.taken[string(unquoted(texts[name]))] {
			if err := t.leave(); err != nil {
				return more, err
			}
			continue
		}
		t.comma(more)
		more = true
		t.out.WriteByte('"')
		t.out.Write(unquoted(texts[name]))
		t.out.WriteString(`":`)
		if err := t.entry(f, texts, name); err != nil {
			return more, err
		}
	}
	return more, nil
}

// keys opens an element and reads the fields that may name it.
func (t *transformer) keys(fields []*field) (texts [3][]byte, err error) {
	if err := t.enter('{'); err != nil {
		return texts, err
	}
	for i, c := range fields {
		key, err := t.member()
		if err != nil || string(key) != c.name {
			return texts, ErrData
		}
		if texts[i], err = t.skip(); err != nil {
			return texts, err
		}
	}
	return texts, nil
}

// entry writes what an element holds besides its name.
func (t *transformer) entry(f *field, texts [3][]byte, name int) error {
	k := f.keyBy
	switch {
	case f.unwrap != "" && t.alone(f.unwrap):
		return t.one(f, k.keys, f.unwrap)
	case k.value != "":
		return t.one(f, k.keys, k.value)
	}
	t.out.WriteByte('{')
	more := false
	for i, c := range f.children[:k.keys] {
		if i == name {
			continue
		}
		t.comma(more)
		more = true
		t.out.WriteString(c.key)
		t.out.Write(texts[i])
	}
	_, err := t.members(f, k.keys, more)
	t.out.WriteByte('}')
	return err
}

// numbered writes a list as an object keyed by the places of its elements.
func (t *transformer) numbered(f *field) error {
	if err := t.enter('['); err != nil {
		return err
	}
	t.out.WriteByte('{')
	for n := int64(1); t.another(']'); n++ {
		t.comma(n > 1)
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

// unquoted is a text without its quotes; numbers have none.
func unquoted(b []byte) []byte {
	if b[0] == '"' {
		return b[1 : len(b)-1]
	}
	return b
}
