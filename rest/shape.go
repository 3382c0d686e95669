package rest

import (
	"bytes"
	"encoding/json"
)

// Shape writes the body that the operation's data stands for. The data is the member
// `data` of the executor's response, the variables are those it ran with.
func (op *Operation) Shape(dst *bytes.Buffer, data json.RawMessage, vars map[string]any) error {
	s := shaper{out: dst, vars: vars}
	list, err := s.open(data)
	if err != nil {
		return err
	}
	defer s.close(list)
	for _, m := range s.stack[list:] {
		if string(m.key) == op.root.name {
			return s.value(op.root, m.value)
		}
	}
	return errData
}

// shaper walks data and writes a body. Members of open objects lie on one stack.
type shaper struct {
	out   *bytes.Buffer
	vars  map[string]any
	stack []member
}

// open puts the members of an object on the stack and returns where they begin.
func (s *shaper) open(b []byte) (from int, err error) {
	from = len(s.stack)
	s.stack, err = members(s.stack, b)
	return from, err
}

func (s *shaper) close(from int) { s.stack = s.stack[:from] }

func (s *shaper) find(from, to int, name string) []byte {
	for _, m := range s.stack[from:to] {
		if string(m.key) == name {
			return m.value
		}
	}
	return nil
}

// value writes a value that is not left out.
func (s *shaper) value(f *field, b []byte) error {
	switch {
	case isNull(b) && f.emptyObject:
		s.out.WriteString("{}")
		return nil
	case len(f.children) == 0 || isNull(b):
		s.out.Write(b)
		return nil
	case f.keyBy != nil:
		s.out.WriteByte('{')
		if err := s.keyed(f, b, new(bool)); err != nil {
			return err
		}
		s.out.WriteByte('}')
		return nil
	case f.list() != nil:
		return s.array(f, b)
	}
	return s.object(f, b)
}

func (s *shaper) array(f *field, b []byte) error {
	s.out.WriteByte('[')
	more := false
	err := elements(b, func(e []byte) error {
		if more {
			s.out.WriteByte(',')
		}
		more = true
		if isNull(e) {
			s.out.Write(e)
			return nil
		}
		return s.object(f, e)
	})
	s.out.WriteByte(']')
	return err
}

func (s *shaper) object(f *field, b []byte) error {
	from, err := s.open(b)
	if err != nil {
		return err
	}
	to := len(s.stack)
	defer s.close(from)
	switch {
	case f.pick != nil && s.vars[f.pick.variable] == true:
		return s.value(f.child(f.pick.field), s.find(from, to, f.pick.field))
	case f.unwrap != "" && s.alone(from, to, f.unwrap, ""):
		return s.value(f.child(f.unwrap), s.find(from, to, f.unwrap))
	case f.tuple:
		s.out.WriteByte('[')
		for i, m := range s.stack[from:to] {
			if i > 0 {
				s.out.WriteByte(',')
			}
			s.out.Write(m.value)
		}
		s.out.WriteByte(']')
		return nil
	}
	s.out.WriteByte('{')
	err = s.members(f, from, to, "", new(bool))
	s.out.WriteByte('}')
	return err
}

// alone reports whether every member but one is null, the key of an entry aside.
func (s *shaper) alone(from, to int, name, key string) bool {
	for _, m := range s.stack[from:to] {
		if string(m.key) != name && string(m.key) != key && !isNull(m.value) {
			return false
		}
	}
	return true
}

// members writes the members of an open object but one; more says whether a member stands
// before them.
func (s *shaper) members(f *field, from, to int, without string, more *bool) error {
	next := 0
	written := ""
	for at := from; at < to; at++ {
		m := s.stack[at]
		for next < len(f.children) && f.children[next].name != string(m.key) {
			next++
		}
		if next == len(f.children) {
			return errData
		}
		c := f.children[next]
		null := isNull(m.value)
		switch {
		case c.name == without, null && c.omitNull, c.coalesced && written == c.out:
			continue
		case null && c.coalesced && !c.lastOfGroup:
			continue
		case c.spread:
			if err := s.beside(c, m.value, more); err != nil {
				return err
			}
			continue
		}
		if c.coalesced {
			written = c.out
		}
		s.key(c.out, more)
		if err := s.value(c, m.value); err != nil {
			return err
		}
	}
	return nil
}

// beside writes the members of a spread object among those of its parent.
func (s *shaper) beside(f *field, b []byte, more *bool) error {
	if isNull(b) {
		return nil
	}
	if f.keyBy != nil {
		return s.keyed(f, b, more)
	}
	from, err := s.open(b)
	if err != nil {
		return err
	}
	defer s.close(from)
	return s.members(f, from, len(s.stack), "", more)
}

func (s *shaper) key(name string, more *bool) {
	if *more {
		s.out.WriteByte(',')
	}
	*more = true
	s.out.WriteByte('"')
	s.out.WriteString(name)
	s.out.WriteString(`":`)
}

// keyed writes a list as members named by a field of its elements.
func (s *shaper) keyed(f *field, b []byte, more *bool) error {
	k := f.keyBy
	name := k.field
	if k.variable != "" {
		name, _ = s.vars[k.variable].(string)
	}
	var used map[string]bool
	if k.clash != "" {
		used = map[string]bool{}
	}
	return elements(b, func(e []byte) error {
		from, err := s.open(e)
		if err != nil {
			return err
		}
		to := len(s.stack)
		defer s.close(from)
		by := name
		key := unquoted(s.find(from, to, by))
		if used != nil {
			if used[string(key)] {
				by = k.clash
				key = unquoted(s.find(from, to, by))
			}
			used[string(key)] = true
		}
		s.key(string(key), more)
		if f.unwrap != "" && s.alone(from, to, f.unwrap, by) {
			return s.value(f.child(f.unwrap), s.find(from, to, f.unwrap))
		}
		if k.value == "" {
			s.out.WriteByte('{')
			err := s.members(f, from, to, by, new(bool))
			s.out.WriteByte('}')
			return err
		}
		return s.one(f, from, to, k.value)
	})
}

// one writes the value of the one key an entry is answered by.
func (s *shaper) one(f *field, from, to int, out string) error {
	for _, c := range f.children {
		if c.out != out {
			continue
		}
		if v := s.find(from, to, c.name); v != nil && (!isNull(v) || c.lastOfGroup) {
			return s.value(c, v)
		}
	}
	return errData
}

// unquoted is a key's value without its quotes; numbers have none.
func unquoted(b []byte) []byte {
	if len(b) >= 2 && b[0] == '"' {
		return b[1 : len(b)-1]
	}
	return b
}
