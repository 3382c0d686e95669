package rest

import (
	"slices"
	"strconv"
)

// keyed writes a list as members named by a field of its elements.
func (s *shaper) keyed(f *field, more bool) (bool, error) {
	k := f.keyBy
	keys := f.children[:k.keys]
	by := k.by(s.vars)
	main := slices.IndexFunc(keys, func(c *field) bool { return c.name == by })
	clash := slices.IndexFunc(keys, func(c *field) bool { return c.name == k.clash })
	if main < 0 {
		return more, errData
	}
	var used map[string]bool
	if clash >= 0 {
		used = map[string]bool{}
	}
	if err := s.enter('['); err != nil {
		return more, err
	}
	for s.another(']') {
		texts, err := s.keys(keys)
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
			if err := s.leave(); err != nil {
				return more, err
			}
			continue
		}
		s.comma(more)
		more = true
		s.out.WriteByte('"')
		s.out.Write(unquoted(texts[name]))
		s.out.WriteString(`":`)
		if err := s.entry(f, texts, name); err != nil {
			return more, err
		}
	}
	return more, nil
}

// keys opens an element and reads the fields that may name it.
func (s *shaper) keys(fields []*field) (texts [3][]byte, err error) {
	if err := s.enter('{'); err != nil {
		return texts, err
	}
	for i, c := range fields {
		key, err := s.member()
		if err != nil || string(key) != c.name {
			return texts, errData
		}
		if texts[i], err = s.skip(); err != nil {
			return texts, err
		}
	}
	return texts, nil
}

// entry writes what an element holds besides its name.
func (s *shaper) entry(f *field, texts [3][]byte, name int) error {
	k := f.keyBy
	switch {
	case f.unwrap != "" && s.alone(f.unwrap):
		return s.one(f, k.keys, f.unwrap)
	case k.value != "":
		return s.one(f, k.keys, k.value)
	}
	s.out.WriteByte('{')
	more := false
	for i, c := range f.children[:k.keys] {
		if i == name {
			continue
		}
		s.comma(more)
		more = true
		s.out.WriteString(c.key)
		s.out.Write(texts[i])
	}
	_, err := s.members(f, k.keys, more)
	s.out.WriteByte('}')
	return err
}

// numbered writes a list as an object keyed by the places of its elements.
func (s *shaper) numbered(f *field) error {
	if err := s.enter('['); err != nil {
		return err
	}
	s.out.WriteByte('{')
	for n := int64(1); s.another(']'); n++ {
		s.comma(n > 1)
		s.out.WriteByte('"')
		s.out.Write(strconv.AppendInt(s.out.AvailableBuffer(), n, 10))
		s.out.WriteString(`":`)
		if err := s.element(f); err != nil {
			return err
		}
	}
	s.out.WriteByte('}')
	return nil
}

// unquoted is a text without its quotes; numbers have none.
func unquoted(b []byte) []byte {
	if b[0] == '"' {
		return b[1 : len(b)-1]
	}
	return b
}
