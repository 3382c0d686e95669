package transform

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Reverse reads a recorded body and returns the value of the root field that Transform would turn into it, under the
// schema's field names instead of the operation's aliases. An unknown key is an error, since its value would be lost.
// Errors contain line, column and path. Reverse infers from the body whether a flag was sent. The body does not name an
// object's type: if the selection depends on it, Reverse uses the first type whose fields fit the members.
func (op *Operation) Reverse(body []byte, vars map[string]any) (json.RawMessage, error) {
	if op.oneWay {
		return nil, errors.New("such responses cannot be imported")
	}
	root, err := parse(body, 0)
	if err != nil {
		return nil, withPosition(bytes.NewReader(body), err)
	}
	r := reverser{vars: vars}
	if err := r.value(op.root, op.root.typ, root); err != nil {
		return nil, withPosition(bytes.NewReader(body), err)
	}
	return r.out.Bytes(), nil
}

// reverser writes the data of a body.
type reverser struct {
	out  bytes.Buffer
	vars map[string]any
}

// value writes the data of a field of type t from its node in the body.
func (r *reverser) value(f *field, t *ast.Type, n *node) error {
	switch {
	case f.EmptyObject && n.kind == '{' && len(n.items) == 0:
		r.out.WriteString("null")
		return nil
	case f.Missing != "" && n.kind == '[' && len(n.items) == len(f.children) &&
		!slices.ContainsFunc(n.items, func(v *node) bool { return v.number() != f.Missing }):
		r.out.WriteString("null")
		return nil
	case n.null() && (f.Missing != "" || f.OrFalse):
		return errorAt(n, "null is not allowed here")
	case n.null():
		if t.NonNull {
			return errorAt(n, "null is not allowed here")
		}
		r.out.WriteString("null")
		return nil
	case (f.keyBy != nil || f.Numbered) && t.Elem != nil:
		switch {
		case n.kind != '{':
			return errorAt(n, "want an object")
		case f.Numbered:
			return r.numbered(f, n)
		}
		return r.keyed(f, n)
	case f.Pick != nil && (f.Pick.Variable == "" || n.kind == '['):
		c := f.picked()
		r.out.WriteByte('{')
		r.name(c)
		if err := r.value(c, c.typ, n); err != nil {
			return err
		}
		r.out.WriteByte('}')
		return nil
	case t.Elem != nil:
		return r.array(f, t.Elem, n)
	case len(f.children) == 0:
		return r.leaf(f, t, n)
	}
	return r.object(f, n)
}

// name writes the schema's name of a field and a colon, or the alias if fields differ only in their arguments.
func (r *reverser) name(f *field) {
	name := f.field.Name
	if f.aliased {
		name = f.name
	}
	r.out.WriteString(`"` + name + `":`)
}

func (r *reverser) array(f *field, elem *ast.Type, n *node) error {
	if n.kind != '[' {
		return errorAt(n, "want an array")
	}
	r.out.WriteByte('[')
	for i, item := range n.items {
		comma(&r.out, i > 0)
		if err := r.value(f, elem, item); err != nil {
			return within(indexStep(i), err)
		}
	}
	r.out.WriteByte(']')
	return nil
}

func (r *reverser) object(f *field, n *node) (err error) {
	r.out.WriteByte('{')
	switch {
	case f.Tuple:
		err = r.tuple(f, n)
	case f.Unwrap != "" && n.kind != '{' && n.kind != '[':
		err = r.bare(f, n, nil)
	case n.kind != '{':
		err = errorAt(n, "want an object")
	default:
		err = r.members(f, n, nil)
	}
	r.out.WriteByte('}')
	return err
}

// tuple writes the elements of an array as the fields of an object.
func (r *reverser) tuple(f *field, n *node) error {
	if n.kind != '[' || len(n.items) != len(f.children) {
		return errorAt(n, "want an array of %d values", len(f.children))
	}
	for i, c := range f.children {
		comma(&r.out, i > 0)
		r.name(c)
		if err := r.value(c, c.typ, n.items[i]); err != nil {
			return within(indexStep(i), err)
		}
	}
	return nil
}

// members writes the data of an object's fields in the order selected. written is the field already written, or nil.
func (r *reverser) members(f *field, n *node, written *field) error {
	more := written != nil
	f = f.variant(n, written)
	for _, c := range f.children {
		if c == written || c.check {
			continue
		}
		in, step := n, ""
		if c.Within != "" {
			in, step = n.get(c.Within), c.Within
			if in == nil || in.kind != '{' {
				return errorAt(n, "want an object under the key %q", c.Within)
			}
		}
		v := in.get(c.key)
		if c.Header != "" {
			v = nil // not part of the body, even if the body has a member of that name
		}
		null := v == nil && (c.Header != "" || c.omitsNull(n))
		empty := v == nil && c.OmitEmpty
		if c.Coalesced && v != nil {
			null = c != coalescedField(f, c.key, v) || v.null() && !c.typ.NonNull
		}
		switch {
		case c.twin != nil:
			if err := checkTwin(c, v, n.get(c.twin.key)); err != nil {
				return err
			}
			continue
		case c.Spread:
			v = spreadMembers(f, c, n)
			if v == nil {
				continue
			}
		case v == nil && c.conditional:
			continue
		case v == nil && !null && !empty:
			return errorAt(in, "the key %q is missing", c.key)
		}
		comma(&r.out, more)
		more = true
		r.name(c)
		switch {
		case null:
			r.out.WriteString("null")
		case empty:
			r.out.WriteString("[]")
		case c.Spread:
			if err := r.spread(c, v); err != nil {
				return err
			}
		default:
			if err := r.value(c, c.typ, v); err != nil {
				err = within(keyStep(c.key), err)
				if step != "" {
					err = within(keyStep(step), err)
				}
				return err
			}
		}
	}
	return f.checkKnown(n, written)
}

// omitsNull reports whether an object may lack the key of a field because its value is null.
func (f *field) omitsNull(n *node) bool {
	if f.OmitWhen == nil {
		return f.OmitNull
	}
	decider := n.get(f.decider.key)
	if decider == nil {
		return false
	}
	text, ok := decider.string()
	return ok && slices.Contains(f.OmitWhen.Is, text)
}

// coalescedField returns the first of the fields sharing a key that fits a value. If none fits, it returns the last,
// which then reports the error.
func coalescedField(f *field, key string, n *node) *field {
	var last *field
	for _, c := range f.children {
		if c.key == key && !c.Spread {
			last = c
			if c.fits(n) {
				break
			}
		}
	}
	return last
}

// checkTwin rejects a body in which two keys hold different values of one field.
func checkTwin(c *field, v, first *node) error {
	if v != nil && first != nil && !v.equal(first) {
		return within(keyStep(c.key), errorAt(v, "differs from %q, which has the same value", c.twin.key))
	}
	return nil
}

// spreadMembers returns the members of an object that belong to a spread field, or nil if the field was not selected.
func spreadMembers(f, c *field, n *node) *node {
	var members *node
	if c.keyBy == nil {
		members = n.only(func(k string) bool { return slices.Contains(c.keys(), k) })
	} else {
		members = n.only(func(k string) bool { return !f.claimed[k] })
	}
	if len(members.keys) == 0 && c.conditional {
		return nil
	}
	return members
}

// checkKnown rejects a member that no field takes.
func (f *field) checkKnown(n *node, written *field) error {
	if slices.ContainsFunc(f.children, func(c *field) bool { return c.Spread && c.keyBy != nil }) {
		return nil
	}
	for i, k := range n.keys {
		if !f.claimed[k] || written != nil && k == written.key {
			return within(keyStep(k), errorAt(n.items[i], "unknown key, its value would be lost"))
		}
		if err := f.checkWithin(k, n.items[i]); err != nil {
			return within(keyStep(k), err)
		}
	}
	return nil
}

// checkWithin rejects a member that no field takes in an object of fields with @within.
func (f *field) checkWithin(object string, n *node) error {
	var known []string
	for _, c := range f.children {
		if c.Within == object {
			known = append(known, c.key)
		}
	}
	for i, k := range n.keys {
		if known != nil && !slices.Contains(known, k) {
			return within(keyStep(k), errorAt(n.items[i], "unknown key, its value would be lost"))
		}
	}
	return nil
}

// spread writes the data of a spread field from its members.
func (r *reverser) spread(f *field, members *node) error {
	switch {
	case f.keyBy != nil:
		return r.keyed(f, members)
	case len(members.keys) == 0 && !f.typ.NonNull:
		r.out.WriteString("null")
		return nil
	}
	r.out.WriteByte('{')
	err := r.members(f, members, nil)
	r.out.WriteByte('}')
	return err
}
