package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
)

// RootField is the schema field whose value Unshape gives.
func (op *Operation) RootField() string { return op.root.field.Name }

// Unshape reads a recorded body and gives the value of the root field that the operation
// would shape into it, under the schema's own names instead of the operation's aliases. A key that the operation does not know is an error, since it would
// be lost. Errors tell line, column and path. Whether a flag was sent is read off the body.
func (op *Operation) Unshape(body []byte, vars map[string]any) (json.RawMessage, error) {
	root, err := parse(body)
	if err != nil {
		return nil, placed(body, err)
	}
	u := unshaper{vars: vars}
	if err := u.value(op.root, op.root.typ, root); err != nil {
		return nil, placed(body, err)
	}
	return u.out.Bytes(), nil
}

type unshaper struct {
	out  bytes.Buffer
	vars map[string]any
}

func wrong(n *node, format string, args ...any) error {
	return &bodyError{at: n.at, text: fmt.Sprintf(format, args...)}
}

// under adds a step to the path of an error.
func under(step string, err error) error {
	var b *bodyError
	if errors.As(err, &b) {
		b.path = append([]string{step}, b.path...)
	}
	return err
}

// value writes the data of a field of type t that a node of the body stands for.
func (u *unshaper) value(f *field, t *ast.Type, n *node) error {
	switch {
	case f.emptyObject && n.delim == '{' && len(n.items) == 0:
		u.out.WriteString("null")
		return nil
	case n.null():
		if t.NonNull {
			return wrong(n, "null is not allowed here")
		}
		u.out.WriteString("null")
		return nil
	case f.keyBy != nil && t.Elem != nil:
		if n.delim != '{' {
			return wrong(n, "want an object")
		}
		return u.keyed(f, n, n.keys)
	case f.pick != nil && n.delim == '[':
		c := f.child(f.pick.field)
		u.out.WriteString(`{"` + c.field.Name + `":`)
		if err := u.value(c, c.typ, n); err != nil {
			return err
		}
		u.out.WriteByte('}')
		return nil
	case t.Elem != nil:
		if n.delim != '[' {
			return wrong(n, "want an array")
		}
		u.out.WriteByte('[')
		for i, e := range n.items {
			u.comma(i)
			if err := u.value(f, t.Elem, e); err != nil {
				return under("["+strconv.Itoa(i)+"]", err)
			}
		}
		u.out.WriteByte(']')
		return nil
	case len(f.children) == 0:
		return u.leaf(t, n)
	}
	return u.object(f, n)
}

func (u *unshaper) comma(i int) {
	if i > 0 {
		u.out.WriteByte(',')
	}
}

func (u *unshaper) object(f *field, n *node) error {
	switch {
	case f.tuple:
		if n.delim != '[' || len(n.items) != len(f.children) {
			return wrong(n, "want an array of %d values", len(f.children))
		}
		u.out.WriteByte('{')
		for i, c := range f.children {
			u.comma(i)
			u.out.WriteString(`"` + c.field.Name + `":`)
			if err := u.value(c, c.typ, n.items[i]); err != nil {
				return under("["+strconv.Itoa(i)+"]", err)
			}
		}
		u.out.WriteByte('}')
		return nil
	case f.unwrap != "" && n.delim == 0:
		c := f.child(f.unwrap)
		u.out.WriteString(`{"` + c.field.Name + `":`)
		if err := u.value(c, c.typ, n); err != nil {
			return err
		}
		u.out.WriteByte('}')
		return nil
	case n.delim != '{':
		return wrong(n, "want an object")
	}
	u.out.WriteByte('{')
	if err := u.members(f, n, "", false); err != nil {
		return err
	}
	u.out.WriteByte('}')
	return nil
}

// members writes the data of an object's fields. without names a field that is written
// already; more says whether something stands before them.
func (u *unshaper) members(f *field, n *node, without string, more bool) error {
	claimed := map[string]bool{}
	taken := map[string]bool{}
	write := func(name string) {
		if more {
			u.out.WriteByte(',')
		}
		more = true
		u.out.WriteString(`"` + name + `":`)
	}
	for _, c := range f.children {
		if c.name == without || c.spread {
			continue
		}
		claimed[c.out] = true
		v := n.get(c.out)
		switch {
		case v == nil && c.conditional:
			continue
		case v == nil && c.omitNull, c.coalesced && v != nil && (v.null() || taken[c.out] || !fits(c, v)):
			if v != nil && !v.null() && c.lastOfGroup && !taken[c.out] {
				return under("."+c.out, wrong(v, "no form of this key fits"))
			}
			write(c.field.Name)
			u.out.WriteString("null")
			continue
		case v == nil:
			return wrong(n, "the key %q is missing", c.out)
		}
		taken[c.out] = true
		write(c.field.Name)
		if err := u.value(c, c.typ, v); err != nil {
			return under("."+c.out, err)
		}
	}
	rest := slices.DeleteFunc(slices.Clone(n.keys), func(k string) bool { return claimed[k] })
	for _, c := range f.children {
		if !c.spread || len(rest) == 0 {
			continue
		}
		write(c.field.Name)
		if err := u.keyed(c, n, rest); err != nil {
			return err
		}
		rest = nil
	}
	if len(rest) > 0 {
		return under("."+rest[0], wrong(n.get(rest[0]), "this key is not known and would be lost"))
	}
	return nil
}

// keyed writes members of an object as a list whose elements carry their key.
func (u *unshaper) keyed(f *field, n *node, keys []string) error {
	k := f.keyBy
	name := k.field
	if k.variable != "" {
		if name, _ = u.vars[k.variable].(string); name == "" {
			name = "username"
		}
	}
	by := f.child(name)
	u.out.WriteByte('[')
	for i, key := range keys {
		u.comma(i)
		v := n.get(key)
		u.out.WriteString(`{"` + by.field.Name + `":`)
		if err := u.key(by, v, key); err != nil {
			return under("."+key, err)
		}
		if err := u.entry(f, v, name); err != nil {
			return under("."+key, err)
		}
		u.out.WriteByte('}')
	}
	u.out.WriteByte(']')
	return nil
}

// key writes the value of the field that names an entry.
func (u *unshaper) key(by *field, n *node, key string) error {
	switch by.typ.Name() {
	case "Int", "Int64":
		if num, err := strconv.ParseInt(key, 10, 32); err != nil || strconv.FormatInt(num, 10) != key {
			return wrong(n, "the key is not a whole number")
		}
		u.out.WriteString(key)
	default:
		u.text(key)
	}
	return nil
}

// entry writes what an entry holds besides its key.
func (u *unshaper) entry(f *field, n *node, key string) error {
	if f.unwrap != "" && n.delim == 0 {
		c := f.child(f.unwrap)
		u.out.WriteString(`,"` + c.field.Name + `":`)
		return u.value(c, c.typ, n)
	}
	if f.keyBy.value == "" {
		if n.delim != '{' {
			return wrong(n, "want an object")
		}
		return u.members(f, n, key, true)
	}
	// The entry is the value of one key, which may have several forms.
	wrapped := &node{at: n.at, delim: '{', keys: []string{f.keyBy.value}, items: []*node{n}, index: map[string]*node{f.keyBy.value: n}}
	only := *f
	only.children = slices.DeleteFunc(slices.Clone(f.children), func(c *field) bool { return c.out != f.keyBy.value })
	return u.members(&only, wrapped, key, true)
}

// fits reports whether a value has the form that a field is written in.
func fits(c *field, n *node) bool {
	t := c.typ
	if t.Elem != nil && c.keyBy == nil {
		if n.delim != '[' {
			return false
		}
		one := *c
		one.typ = t.Elem
		return len(n.items) == 0 || fits(&one, n.items[0])
	}
	if c.tuple {
		return n.delim == '[' && (len(n.items) == 0 || n.items[0].delim == 0)
	}
	if len(c.children) > 0 {
		return n.delim == '{'
	}
	switch n.value.(type) {
	case string:
		return t.Name() != "Int" && t.Name() != "Int64" && t.Name() != "Float" && t.Name() != "Boolean"
	case json.Number:
		return t.Name() == "Int" || t.Name() == "Int64" || t.Name() == "Float"
	case bool:
		return t.Name() == "Boolean"
	}
	return false
}
