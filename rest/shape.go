package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
)

// Shape writes the body that the operation's data stands for and gives the headers that
// belong to it, nil when there are none. The data is the member `data` of the executor's
// response, the variables are those it ran with. It goes over the data once, in the order of
// the selections, which is the order the executor writes in.
func (op *Operation) Shape(dst *bytes.Buffer, data json.RawMessage, vars map[string]any) (http.Header, error) {
	s := shaper{scanner: scanner{in: data}, out: dst, vars: vars}
	if err := s.enter('{'); err != nil {
		return nil, err
	}
	key, err := s.member()
	if err != nil || string(key) != op.root.name {
		return nil, errData
	}
	err = s.value(op.root)
	return s.headers, err
}

type shaper struct {
	scanner
	out     *bytes.Buffer
	vars    map[string]any
	headers http.Header
}

// value writes the next value, which is not left out.
func (s *shaper) value(f *field) error {
	switch {
	case s.null() && f.emptyObject:
		s.out.WriteString("{}")
		_, err := s.skip()
		return err
	case s.null():
		return s.asIs()
	case f.numbered:
		return s.numbered(f)
	case f.text || f.offset:
		return s.rewritten(f)
	case len(f.children) == 0:
		return s.asIs()
	case f.keyBy != nil:
		s.out.WriteByte('{')
		_, err := s.keyed(f, false)
		s.out.WriteByte('}')
		return err
	case f.list() != nil:
		return s.array(f)
	}
	return s.object(f)
}

// asIs writes the next value as it stands.
func (s *shaper) asIs() error {
	raw, err := s.skip()
	s.out.Write(raw)
	return err
}

func (s *shaper) array(f *field) error {
	if err := s.enter('['); err != nil {
		return err
	}
	s.out.WriteByte('[')
	for more := false; s.another(']'); more = true {
		if more {
			s.out.WriteByte(',')
		}
		if err := s.element(f); err != nil {
			return err
		}
	}
	s.out.WriteByte(']')
	return nil
}

// element writes the next element of a list.
func (s *shaper) element(f *field) error {
	if s.null() || len(f.children) == 0 {
		return s.asIs()
	}
	return s.object(f)
}

func (s *shaper) object(f *field) error {
	if err := s.enter('{'); err != nil {
		return err
	}
	switch {
	case f.pick != nil && s.vars[f.pick.variable] == true:
		return s.one(f, 0, f.pick.field)
	case f.unwrap != "" && s.alone(f.unwrap):
		return s.one(f, 0, f.unwrap)
	case f.tuple:
		return s.tuple(f)
	}
	s.out.WriteByte('{')
	_, err := s.members(f, 0, false)
	s.out.WriteByte('}')
	return err
}

func (s *shaper) tuple(f *field) error {
	s.out.WriteByte('[')
	for i, c := range f.children {
		if i > 0 {
			s.out.WriteByte(',')
		}
		if key, err := s.member(); err != nil || string(key) != c.name {
			return errData
		}
		if err := s.asIs(); err != nil {
			return err
		}
	}
	s.out.WriteByte(']')
	if s.another('}') {
		return errData
	}
	return nil
}

// alone looks ahead whether every member that is left is null but the one of a name.
func (s *shaper) alone(name string) bool {
	ahead := s.scanner
	for {
		key, err := ahead.member()
		if err != nil || key == nil {
			return err == nil
		}
		if string(key) != name && !ahead.null() {
			return false
		}
		if _, err := ahead.skip(); err != nil {
			return false
		}
	}
}

// next finds the field of a member among those that have not been met, or among all when
// the order of the members is another for each type.
func (f *field) next(from int, key []byte) (int, error) {
	for i := from; i < len(f.children); i++ {
		if f.children[i].name == string(key) {
			return i, nil
		}
	}
	for i := 0; f.anyOrder && i < min(from, len(f.children)); i++ {
		if f.children[i].name == string(key) {
			return i, nil
		}
	}
	return 0, errData
}

// members writes what is left of an open object, whose fields before at are read; more says
// whether a member stands before them, and in the end after them.
func (s *shaper) members(f *field, at int, more bool) (bool, error) {
	written := ""  // the shared key that has its value
	decision := -1 // where the value stands that decides over nulls
	for ; ; at++ {
		key, err := s.member()
		if err != nil || key == nil {
			return more, err
		}
		if at, err = f.next(at, key); err != nil {
			return more, err
		}
		c := f.children[at]
		if c.verbatim {
			s.comma(more)
			more = true
			s.out.WriteString(c.key)
			if err := s.asIs(); err != nil {
				return more, err
			}
			continue
		}
		null := s.null()
		if c.decides {
			decision = s.i
		}
		switch {
		case c.header != "":
			err = s.header(c)
		case null && (s.omits(c, decision) || c.spread || !c.lastOfGroup), c.omitEmpty && s.empty(), c.coalesced &&
			c.out == written:
			_, err = s.skip()
		case c.spread:
			more, err = s.beside(c, more)
		default:
			if c.coalesced {
				written = c.out
			}
			s.comma(more)
			more = true
			s.out.WriteString(c.key)
			err = s.value(c)
		}
		if err != nil {
			return more, err
		}
	}
}

// omits tells whether null leaves the key of a field out.
func (s *shaper) omits(f *field, decision int) bool {
	if f.when == nil || decision < 0 {
		return f.omitNull && f.when == nil
	}
	text, err := (&scanner{s.in, decision}).skip()
	return err == nil && text[0] == '"' && slices.Contains(f.when.is, string(unquoted(text)))
}

// one writes the value of one key of an open object, whose fields before at are read.
func (s *shaper) one(f *field, at int, out string) error {
	written := false
	for ; ; at++ {
		key, err := s.member()
		switch {
		case err != nil:
			return err
		case key == nil && !written:
			return errData
		case key == nil:
			return nil
		}
		if at, err = f.next(at, key); err != nil {
			return err
		}
		if c := f.children[at]; written || c.out != out || s.null() && !c.lastOfGroup {
			_, err = s.skip()
		} else {
			written = true
			err = s.value(c)
		}
		if err != nil {
			return err
		}
	}
}

// beside writes the members of a spread object, or the entries of a spread list, among those
// of its parent.
func (s *shaper) beside(f *field, more bool) (bool, error) {
	if f.keyBy != nil {
		return s.keyed(f, more)
	}
	if err := s.enter('{'); err != nil {
		return more, err
	}
	return s.members(f, 0, more)
}

func (s *shaper) comma(more bool) {
	if more {
		s.out.WriteByte(',')
	}
}
