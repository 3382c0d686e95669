package transform

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// Transform writes the body for the operation's data to dst and returns its headers by lower-case name, or nil. data is
// the member `data` of the executor's response; vars are the variables of the run. Transform reads the data once, in
// the order of the selections, in which the executor writes it. Any other data is ErrData.
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

// value writes the next value, which must not be omitted.
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
	case t.null() && f.OrFalse:
		t.out.WriteString("false")
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

// check reads a field without writing it.
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

// RejectError reports that an operation rejects its data, see @reject.
type RejectError struct {
	// Name is the name of the endpoint's error.
	Name string
}

func (e *RejectError) Error() string { return "rejected: " + e.Name }

// rejects returns the name of the error for the next value, or "" if the value is accepted.
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

// headerTime is the format of date-times in headers.
const headerTime = "2006-01-02 15:04:05.000000+00:00"

// header reads a field that becomes a header. Null sends no header.
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

// unquote removes the quotes of a string and keeps its escapes. Numbers stay unchanged.
func unquote(raw []byte) []byte {
	if raw[0] == '"' {
		return raw[1 : len(raw)-1]
	}
	return raw
}
