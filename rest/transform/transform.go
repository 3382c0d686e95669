package transform

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Transform writes the body of the operation's data to dst and returns the headers that belong to
// it, by lower-case name; nil if there are none. The data is the member `data` of the executor's
// response, vars are the variables it ran with. The data is read once, in the order of the
// selections, which is the order that the executor writes. Other data is ErrData.
func (op *Operation) Transform(dst *bytes.Buffer, data json.RawMessage, vars map[string]any) (
	map[string][]string, error,
) {
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

// value writes the next value, which is not omitted.
func (t *transformer) value(f *field) error {
	if f.Reject != nil {
		if name := t.rejects(f); name != "" {
			return &RejectError{name}
		}
	}
	switch {
	case t.null() && f.EmptyObject:
		t.out.WriteString("{}")
		_, err := t.skip()
		return err
	case t.null() && f.Missing != "":
		t.out.WriteString("[" + strings.Repeat(f.Missing+",", len(f.children)-1) + f.Missing + "]")
		_, err := t.skip()
		return err
	case t.null():
		return t.copy()
	case f.Numbered:
		return t.numbered(f)
	case f.Text || f.Offset:
		return t.leaf(f)
	case f.Spelling != "":
		return t.spelled(f)
	case len(f.children) == 0:
		return t.copy()
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

// copy writes the next value unchanged.
func (t *transformer) copy() error {
	raw, err := t.skip()
	t.out.Write(raw)
	return err
}

// leaf writes a value without selections in the form of @text or @offset.
func (t *transformer) leaf(f *field) error {
	raw, err := t.skip()
	if err != nil {
		return err
	}
	value := unquote(raw)
	t.out.WriteByte('"')
	if f.Offset {
		value = bytes.TrimSuffix(value, []byte(zuluSuffix))
	}
	t.out.Write(value)
	if f.Offset {
		t.out.WriteString(offsetSuffix)
	}
	t.out.WriteByte('"')
	return nil
}

// spelled writes a value of an enum, or a list of values, in the spelling of the field.
func (t *transformer) spelled(f *field) error {
	raw, err := t.skip()
	if err != nil {
		return err
	}
	for i, part := range bytes.Split(raw, []byte{'"'}) {
		if i > 0 {
			t.out.WriteByte('"')
		}
		if i%2 == 1 { // values have no escapes
			part = f.spell(part)
		}
		t.out.Write(part)
	}
	return nil
}

// check reads a field that is not written.
func (t *transformer) check(f *field) error {
	if len(f.children) == 0 {
		value, err := t.skip()
		if string(value) == "true" {
			return &RejectError{f.Reject.True}
		}
		return err
	}
	if err := t.enter('{'); err != nil {
		return err
	}
	for at := 0; ; at++ {
		key, err := t.member()
		if err != nil || key == nil {
			return err
		}
		if at, err = f.next(at, key); err != nil {
			return err
		}
		if err := t.check(f.children[at]); err != nil {
			return err
		}
	}
}

// RejectError says that an operation rejects its data, see @reject.
type RejectError struct {
	// Name is that of the endpoint's error.
	Name string
}

func (e *RejectError) Error() string { return "rejected: " + e.Name }

// rejects returns the name of the error for the next value, empty if it is accepted.
func (t *transformer) rejects(f *field) string {
	switch {
	case t.null():
		return f.Reject.Null
	case f.Reject.Empty != "" && t.empty():
		return f.Reject.Empty
	}
	return ""
}

func (t *transformer) array(f *field) error {
	if err := t.enter('['); err != nil {
		return err
	}
	t.out.WriteByte('[')
	for more := false; t.another(']'); more = true {
		comma(t.out, more)
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
		return t.copy()
	}
	return t.object(f)
}

func (t *transformer) object(f *field) error {
	if err := t.enter('{'); err != nil {
		return err
	}
	switch {
	case f.Pick.Chosen(func(flag string) bool { return t.vars[flag] == true }):
		return t.one(f, 0, f.Pick.Key)
	case f.Unwrap != "" && t.othersNull(f.Unwrap):
		return t.one(f, 0, f.Unwrap)
	case f.Tuple:
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
		comma(t.out, i > 0)
		if key, err := t.member(); err != nil || string(key) != c.name {
			return ErrData
		}
		if err := t.copy(); err != nil {
			return err
		}
	}
	t.out.WriteByte(']')
	if t.another('}') {
		return ErrData
	}
	return nil
}

// othersNull looks at the rest of the object and reports whether every remaining member except one is null.
func (t *transformer) othersNull(name string) bool {
	lookahead := t.scanner
	for {
		key, err := lookahead.member()
		if err != nil || key == nil {
			return err == nil
		}
		if string(key) != name && !lookahead.null() {
			return false
		}
		if _, err := lookahead.skip(); err != nil {
			return false
		}
	}
}

// next finds the child of a response key from an index on, or among all children if their order depends on the type.
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

// members writes the rest of an open object, whose children before at are read. more says whether
// a member is written before them, and the result whether one is written after them.
func (t *transformer) members(f *field, at int, more bool) (bool, error) {
	written := ""  // the shared key that has its value
	within := ""   // the key of the open object of @within
	deciding := -1 // position of the value that @omitNull(when:) names
	for ; ; at++ {
		key, err := t.member()
		if err != nil || key == nil {
			return t.within(within, "", more), err
		}
		if at, err = f.next(at, key); err != nil {
			return more, err
		}
		c := f.children[at]
		if c.Within != within {
			more = t.within(within, c.Within, more)
			within = c.Within
		}
		if c.verbatim {
			comma(t.out, more)
			more = true
			t.out.WriteString(c.prefix)
			if err := t.copy(); err != nil {
				return more, err
			}
			continue
		}
		null := t.null()
		if c.decides {
			deciding = t.i
		}
		if c.Constant != nil {
			comma(t.out, more)
			more = true
			t.out.WriteString(`"` + c.Constant.Key + `":` + c.Constant.JSON)
		}
		switch {
		case c.check:
			err = t.check(c)
		case c.Header != "":
			err = t.header(c)
		case null && c.WhenNull != "":
			more, err = t.whenNull(c, more)
		case null && (t.omitsNull(c, deciding) || c.Spread || !c.lastOfKey), c.OmitEmpty && t.empty(),
			c.Coalesced && c.key == written:
			_, err = t.skip()
		case c.Spread:
			more, err = t.spread(c, more)
		default:
			if c.Coalesced {
				written = c.key
			}
			comma(t.out, more)
			more = true
			t.out.WriteString(c.prefix)
			err = t.value(c)
		}
		if err != nil {
			return more, err
		}
	}
}

// whenNull writes what @whenNull names instead of null.
func (t *transformer) whenNull(f *field, more bool) (bool, error) {
	comma(t.out, more)
	if f.Spread {
		t.out.WriteString(f.WhenNull[1 : len(f.WhenNull)-1])
	} else {
		t.out.WriteString(f.prefix + f.WhenNull)
	}
	_, err := t.skip()
	return true, err
}

// within ends the object of one key and begins that of another; empty is none. more says whether a member is written
// before, and the result whether one is.
func (t *transformer) within(open, next string, more bool) bool {
	if open != "" {
		t.out.WriteByte('}')
		more = true
	}
	if next != "" {
		comma(t.out, more)
		t.out.WriteString(`"` + next + `":{`)
		more = false
	}
	return more
}

// omitsNull reports whether the key of a field is omitted because its value is null.
func (t *transformer) omitsNull(f *field, deciding int) bool {
	if f.OmitWhen == nil || deciding < 0 {
		return f.OmitNull && f.OmitWhen == nil
	}
	text, err := (&scanner{t.in, deciding}).skip()
	return err == nil && text[0] == '"' && slices.Contains(f.OmitWhen.Is, string(f.decider.spell(unquote(text))))
}

// one writes the value of one key of an open object, whose children before at are read.
func (t *transformer) one(f *field, at int, want string) error {
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
		switch c := f.children[at]; {
		case c.check:
			err = t.check(c)
		case written || c.key != want || t.null() && !c.lastOfKey:
			_, err = t.skip()
		default:
			written = true
			err = t.value(c)
		}
		if err != nil {
			return err
		}
	}
}

// spread writes the members of a spread object, or the entries of a spread list, among those of its parent.
func (t *transformer) spread(f *field, more bool) (bool, error) {
	if f.keyBy != nil {
		return t.keyed(f, more)
	}
	if err := t.enter('{'); err != nil {
		return more, err
	}
	return t.members(f, 0, more)
}

// headerTime is the format of date-times in headers.
const headerTime = "2006-01-02 15:04:05.000000+00:00"

// header reads a field that is sent in a header. Null sends none.
func (t *transformer) header(f *field) error {
	raw, err := t.skip()
	if err != nil || string(raw) == "null" {
		return err
	}
	at, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(raw))
	if err != nil {
		return ErrData
	}
	if t.headers == nil {
		t.headers = map[string][]string{}
	}
	t.headers[f.Header] = []string{at.UTC().Format(headerTime)}
	return nil
}

func comma(out *bytes.Buffer, more bool) {
	if more {
		out.WriteByte(',')
	}
}

// unquote is the text of a string without its quotes, escapes untouched; numbers have none.
func unquote(raw []byte) []byte {
	if raw[0] == '"' {
		return raw[1 : len(raw)-1]
	}
	return raw
}
