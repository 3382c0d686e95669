package transform

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// group finds the fields that share a key and refuses keys that could be written twice.
func group(fields []*field) error {
	first := map[string]*field{} // field of the schema → where it is selected
	for i, f := range fields {
		if f.twin = first[f.field.Name]; f.twin == nil || exclusive(f.twin, f) {
			first[f.field.Name], f.twin = f, nil
		} else if !f.plainLeaf() || !f.twin.plainLeaf() || len(f.field.Arguments) > 0 {
			return fmt.Errorf("%s and %s select one field that is no single value", f.twin.name, f.name)
		}
		f.lastOfGroup = true
		for _, out := range f.outs() {
			if err := f.share(out, fields[:i]); err != nil {
				return err
			}
		}
	}
	lists := 0
	for i, f := range fields {
		if err := f.decide(fields[:i]); err != nil {
			return err
		}
		if f.spread && f.keyBy != nil {
			if lists++; lists > 1 {
				return errors.New("only one list can be spread")
			}
		}
		for _, other := range fields[:i] {
			if f.coalesced && f.out == other.out && !exclusive(f, other) && alike(f, other) {
				return fmt.Errorf("%s and %s look alike under the key %q", other.name, f.name, f.out)
			}
		}
	}
	for _, f := range fields {
		f.verbatim = len(f.children) == 0 && !f.omitNull && !f.omitEmpty && !f.numbered && !f.text && !f.offset &&
			f.header == "" && !f.coalesced && !f.decides
	}
	return nil
}

// share sees that a field may be written to a key that fields before it may have written.
func (f *field) share(out string, before []*field) error {
	for i := len(before) - 1; i >= 0; i-- {
		b := before[i]
		switch {
		case exclusive(b, f) || !slices.Contains(b.outs(), out):
			continue
		case !b.coalesced || !f.coalesced:
			return fmt.Errorf("two fields are written to the key %q", out)
		case i != len(before)-1 || b.omitNull != f.omitNull && !f.typ.NonNull:
			return fmt.Errorf("the fields of the key %q must stand side by side and agree on @omitNull", out)
		case b.typ.NonNull:
			return fmt.Errorf("%s is never null, so %s is never written", b.name, f.name)
		}
		b.lastOfGroup = false
		return nil
	}
	return nil
}

// decide finds the field before this one that decides whether null leaves its key out.
func (f *field) decide(before []*field) error {
	if f.when == nil {
		return nil
	}
	if i := slices.IndexFunc(before, func(b *field) bool { return b.name == f.when.name }); i >= 0 {
		f.when.field = before[i]
	}
	d := f.when.field
	switch {
	case d == nil || !d.plainLeaf() || scalarForm(d.typ) != "text" || len(f.when.is) == 0:
		return fmt.Errorf("@omitNull(when:) of %s wants a text that is selected before it, and is: its values", f.name)
	case slices.ContainsFunc(f.when.is, func(s string) bool { return strings.ContainsFunc(s, escaped) }):
		return fmt.Errorf("@omitNull(is:) of %s holds what JSON escapes", f.name)
	case slices.ContainsFunc(before, func(b *field) bool { return b.decides && b != d }):
		return errors.New("only one field can decide over @omitNull(when:)")
	}
	d.decides = true
	return nil
}

// plainLeaf tells whether a field is a single value, always written as it is.
func (f *field) plainLeaf() bool {
	return f.leaf() && !f.conditional && !f.omitNull && !f.coalesced && !f.text && !f.offset && f.header == ""
}

// outs are the keys that a field is written to, as far as the operation tells them.
func (f *field) outs() []string {
	switch {
	case f.header != "":
		return nil
	case !f.spread:
		return []string{f.out}
	}
	var out []string
	if f.keyBy == nil {
		for _, c := range f.children {
			out = append(out, c.outs()...)
		}
	}
	return slices.Compact(out)
}

// always tells whether some key is written whatever the data is.
func (f *field) always() bool {
	return slices.ContainsFunc(f.children, func(c *field) bool {
		return !c.omitNull && !c.omitEmpty && !c.conditional && !c.spread && c.header == "" && c.on == nil
	})
}
