package transform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Reverse reads a recorded body and gives the value of the root field that the operation
// would shape into it, under the schema's own names instead of the operation's aliases. A
// key that the operation does not know is an error, since it would be lost. Errors tell
// line, column and path. Whether a flag was sent is read off the body.
// An operation that selects by type cannot be undone: its bodies do not tell the types.
func (op *Operation) Reverse(body []byte, vars map[string]any) (json.RawMessage, error) {
	if op.byType {
		return nil, fmt.Errorf("answers of %s cannot be read back: they do not tell the types of what they hold", op.Name)
	}
	root, err := parse(body)
	if err != nil {
		return nil, placed(body, err)
	}
	r := reverser{vars: vars}
	if err := r.value(op.root, op.root.typ, root); err != nil {
		return nil, placed(body, err)
	}
	return r.out.Bytes(), nil
}

type reverser struct {
	out  bytes.Buffer
	vars map[string]any
}

func wrong(n *node, format string, args ...any) error {
	return &bodyError{at: n.at, text: fmt.Sprintf(format, args...)}
}

// value writes the data of a field of type t that a node of the body stands for.
func (r *reverser) value(f *field, t *ast.Type, n *node) error {
	switch {
	case f.emptyObject && n.delim == '{' && len(n.items) == 0:
		r.out.WriteString("null")
		return nil
	case n.null():
		if t.NonNull {
			return wrong(n, "null is not allowed here")
		}
		r.out.WriteString("null")
		return nil
	case (f.keyBy != nil || f.numbered) && t.Elem != nil:
		switch {
		case n.delim != '{':
			return wrong(n, "want an object")
		case f.numbered:
			return r.numbered(f, n)
		}
		return r.keyed(f, n)
	case f.pick != nil && n.delim == '[':
		c := f.child(f.pick.field)
		r.out.WriteString(`{"` + c.field.Name + `":`)
		if err := r.value(c, c.typ, n); err != nil {
			return err
		}
		r.out.WriteByte('}')
		return nil
	case t.Elem != nil:
		if n.delim != '[' {
			return wrong(n, "want an array")
		}
		r.out.WriteByte('[')
		for i, e := range n.items {
			r.comma(i > 0)
			if err := r.value(f, t.Elem, e); err != nil {
				return under(index(i), err)
			}
		}
		r.out.WriteByte(']')
		return nil
	case len(f.children) == 0:
		return r.leaf(f, t, n)
	}
	return r.object(f, n)
}

func (r *reverser) comma(more bool) {
	if more {
		r.out.WriteByte(',')
	}
}

func (r *reverser) object(f *field, n *node) error {
	switch {
	case f.tuple:
		if n.delim != '[' || len(n.items) != len(f.children) {
			return wrong(n, "want an array of %d values", len(f.children))
		}
		r.out.WriteByte('{')
		for i, c := range f.children {
			r.comma(i > 0)
			r.out.WriteString(`"` + c.field.Name + `":`)
			if err := r.value(c, c.typ, n.items[i]); err != nil {
				return under(index(i), err)
			}
		}
		r.out.WriteByte('}')
		return nil
	case f.unwrap != "" && n.delim == 0:
		r.out.WriteByte('{')
		if err := r.bare(f, n, nil); err != nil {
			return err
		}
		r.out.WriteByte('}')
		return nil
	case n.delim != '{':
		return wrong(n, "want an object")
	}
	r.out.WriteByte('{')
	if err := r.members(f, n, nil); err != nil {
		return err
	}
	r.out.WriteByte('}')
	return nil
}

// members writes the data of an object's fields, in the order selected. key is the field that
// is written already, nil when there is none.
func (r *reverser) members(f *field, n *node, key *field) error {
	more := key != nil
	for _, c := range f.children {
		if c == key {
			continue
		}
		v := n.get(c.out)
		if c.header != "" {
			v = nil // a body does not tell it, whatever stands under that key
		}
		null := v == nil && (c.header != "" || c.omits(n))
		empty := v == nil && c.omitEmpty
		if c.coalesced && v != nil {
			null = v.null() || c != chosen(f, c.out, v)
		}
		switch {
		case c.twin != nil:
			if err := same(c, v, n.get(c.twin.out)); err != nil {
				return err
			}
			continue
		case c.spread:
			if v = part(f, c, n); v == nil {
				continue
			}
		case v == nil && c.conditional:
			continue
		case v == nil && !null && !empty:
			return wrong(n, "the key %q is missing", c.out)
		}
		r.comma(more)
		more = true
		r.out.WriteString(`"` + c.field.Name + `":`)
		switch {
		case null:
			r.out.WriteString("null")
		case empty:
			r.out.WriteString("[]")
		case c.spread:
			if err := r.beside(c, v); err != nil {
				return err
			}
		default:
			if err := r.value(c, c.typ, v); err != nil {
				return under(step(c.out), err)
			}
		}
	}
	return f.lost(n, key)
}

// omits tells whether null leaves the key of a field out of an object.
func (f *field) omits(n *node) bool {
	if f.when == nil {
		return f.omitNull
	}
	decision := n.get(f.when.field.out)
	if decision == nil {
		return false
	}
	text, ok := decision.value.(string)
	return ok && slices.Contains(f.when.is, text)
}

// chosen is the first of the fields sharing a key whose form a value has. When there is
// none it is the last of them, which will say what it wants instead.
func chosen(f *field, out string, n *node) *field {
	var last *field
	for _, c := range f.children {
		if c.out == out && !c.spread {
			if last = c; fits(c, n) {
				break
			}
		}
	}
	return last
}

// same sees that what a body says twice it says alike.
func same(c *field, v, first *node) error {
	if v != nil && first != nil && v.value != first.value {
		return under(step(c.out), wrong(v, "this differs from %q, which is the same fact", c.twin.out))
	}
	return nil
}

// part is what the members of an object hold of a spread field, nil when the field was not
// asked for.
func part(f, c *field, n *node) *node {
	var p *node
	if c.keyBy == nil {
		p = n.only(func(k string) bool { return slices.Contains(c.outs(), k) })
	} else {
		p = n.only(func(k string) bool { return !f.claims[k] })
	}
	if len(p.keys) == 0 && c.conditional {
		return nil
	}
	return p
}

// lost refuses members that no field takes.
func (f *field) lost(n *node, key *field) error {
	if slices.ContainsFunc(f.children, func(c *field) bool { return c.spread && c.keyBy != nil }) {
		return nil
	}
	for i, k := range n.keys {
		if !f.claims[k] || key != nil && k == key.out {
			return under(step(k), wrong(n.items[i], "this key is not known and would be lost"))
		}
	}
	return nil
}

// beside writes the data of a spread field from those members of its parent that are its.
func (r *reverser) beside(f *field, part *node) error {
	switch {
	case f.keyBy != nil:
		return r.keyed(f, part)
	case len(part.keys) == 0 && !f.typ.NonNull:
		r.out.WriteString("null")
		return nil
	}
	r.out.WriteByte('{')
	err := r.members(f, part, nil)
	r.out.WriteByte('}')
	return err
}
