package transform

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Transform writes the body that the operation's data stands for and gives the headers that
// belong to it, nil when there are none. The data is the member `data` of the executor's
// response, the variables are those it ran with. It goes over the data once, in the order of
// the selections, which is the order the executor writes in.
func (op *Operation) Transform(dst *bytes.Buffer, data json.RawMessage, vars map[string]any) (map[string][]string, error) {
	t := transformer{scanner: scanner{in: data}, out: dst, vars: vars}
	if err := t.enter('{'); err != nil {
		return nil, err
	}
	key, err := t.member()
	if err != nil || string(key) != op.root.name {
		return nil, ErrData
	}
	err = t.value(op.root)
	return t.headers, err
}

type transformer struct {
	scanner
	out     *bytes.Buffer
	vars    map[string]any
	headers map[string][]string
}

// value writes the next value, which is not left out.
func (t *transformer) value(f *field) error {
	switch {
	case t.null() && f.emptyObject:
		t.out.WriteString("{}")
		_, err := t.skip()
		return err
	case t.null():
		return t.asIs()
	case f.numbered:
		return t.numbered(f)
	case f.text || f.offset:
		return t.rewritten(f)
	case len(f.children) == 0:
		return t.asIs()
	case f.keyBy != nil:
		t.out.WriteByte('{')
		_, err := t.keyed(f, false)
		t.out.WriteByte('}')
		return err
	case f.list() != nil:
		return t.array(f)
	}
	return t.object(f)
}

// asIs writes the next value as it stands.
func (t *transformer) asIs() error {
	raw, err := t.skip()
	t.out.Write(raw)
	return err
}

func (t *transformer) array(f *field) error {
	if err := t.enter('['); err != nil {
		return err
	}
	t.out.WriteByte('[')
	for more := false; t.another(']'); more = true {
		if more {
			t.out.WriteByte(',')
		}
		if err := t.element(f); err != nil {
			return err
		}
	}
	t.out.WriteByte(']')
	return nil
}

// element writes the next element of a list.
func (t *transformer) element(f *field) error {
	if t.null() || len(f.children) == 0 {
		return t.asIs()
	}
	return t.object(f)
}

func (t *transformer) object(f *field) error {
	if err := t.enter('{'); err != nil {
		return err
	}
	switch {
	case f.pick != nil && t.vars[f.pick.variable] == true:
		return t.one(f, 0, f.pick.field)
	case f.unwrap != "" && t.alone(f.unwrap):
		return t.one(f, 0, f.unwrap)
	case f.tuple:
		return t.tuple(f)
	}
	t.out.WriteByte('{')
	_, err := t.members(f, 0, false)
	t.out.WriteByte('}')
	return err
}

func (t *transformer) tuple(f *field) error {
	t.out.WriteByte('[')
	for i, c := range f.children {
		if i > 0 {
			t.out.WriteByte(',')
		}
		if key, err := t.member(); err != nil || string(key) != c.name {
			return ErrData
		}
		if err := t.asIs(); err != nil {
			return err
		}
	}
	t.out.WriteByte(']')
	if t.another('}') {
		return ErrData
	}
	return nil
}

// alone looks ahead whether every member that is left is null but the one of a name.
func (t *transformer) alone(name string) bool {
	ahead := t.scanner
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
	return 0, ErrData
}

// members writes what is left of an open object, whose fields before at are read; more says
// whether a member stands before them, and in the end after them.
func (t *transformer) members(f *field, at int, more bool) (bool, error) {
	written := ""  // the shared key that has its value
	decision := -1 // where the value stands that decides over nulls
	for ; ; at++ {
		key, err := t.member()
		if err != nil || key == nil {
			return more, err
		}
		if at, err = f.next(at, key); err != nil {
			return more, err
		}
		c := f.children[at]
		if c.verbatim {
			t.comma(more)
			more = true
			t.out.WriteString(c.key)
			if err := t.asIs(); err != nil {
				return more, err
			}
			continue
		}
		null := t.null()
		if c.decides {
			decision = t.i
		}
		switch {
		case c.header != "":
			err = t.header(c)
		case null && (t.omits(c, decision) || c.spread || !c.lastOfGroup), c.omitEmpty && t.empty(), c.coalesced &&
			c.out == written:
			_, err = t.skip()
		case c.spread:
			more, err = t.beside(c, more)
		default:
			if c.coalesced {
				written = c.out
			}
			t.comma(more)
			more = true
			t.out.WriteString(c.key)
			err = t.value(c)
		}
		if err != nil {
			return more, err
		}
	}
}

// omits tells whether null leaves the key of a field out.
func (t *transformer) omits(f *field, decision int) bool {
	if f.when == nil || decision < 0 {
		return f.omitNull && f.when == nil
	}
	text, err := (&scanner{t.in, decision}).skip()
	return err == nil && text[0] == '"' && slices.Contains(f.when.is, string(unquoted(text)))
}

// one writes the value of one key of an open object, whose fields before at are read.
func (t *transformer) one(f *field, at int, out string) error {
	written := false
	for ; ; at++ {
		key, err := t.member()
		switch {
		case err != nil:
			return err
		case key == nil && !written:
			return ErrData
		case key == nil:
			return nil
		}
		if at, err = f.next(at, key); err != nil {
			return err
		}
		if c := f.children[at]; written || c.out != out || t.null() && !c.lastOfGroup {
			_, err = t.skip()
		} else {
			written = true
			err = t.value(c)
		}
		if err != nil {
			return err
		}
	}
}

// beside writes the members of a spread object, or the entries of a spread list, among those
// of its parent.
func (t *transformer) beside(f *field, more bool) (bool, error) {
	if f.keyBy != nil {
		return t.keyed(f, more)
	}
	if err := t.enter('{'); err != nil {
		return more, err
	}
	return t.members(f, 0, more)
}

func (t *transformer) comma(more bool) {
	if more {
		t.out.WriteByte(',')
	}
}
