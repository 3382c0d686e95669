package transform

import (
	"errors"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// reversible prepares a field and those below it for Reverse, and reports what cannot be reversed.
func (op *Operation) reversible(f *field) error {
	if f.WhenNull != "" || f.Constant != nil {
		return fmt.Errorf("%s: @whenNull and @constant cannot be reversed: the operation requires @oneWay", f.name)
	}
	if slices.ContainsFunc(f.children, func(c *field) bool { return c.on != nil }) {
		if err := f.setVariants(op.schema.PossibleTypes[f.typ.Name()]); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	for _, c := range f.children {
		if err := op.reversible(c); err != nil {
			return err
		}
	}
	return nil
}

// setVariants collects the fields of each type of an object. Types with the same fields are one variant.
func (f *field) setVariants(possible []*ast.Definition) error {
	if f.Tuple || f.Pick != nil || f.Unwrap != "" {
		return errors.New("with @tuple, @pick or @unwrap it must select the same fields on all types")
	}
	for _, t := range possible {
		v := *f
		v.variants, v.children = nil, nil
		for _, c := range f.children {
			if c.on == nil || c.on[t.Name] {
				v.children = append(v.children, c)
			}
		}
		if slices.ContainsFunc(f.variants, func(o *field) bool { return slices.Equal(o.children, v.children) }) {
			continue
		}
		if err := v.selectsOnce(); err != nil {
			return err
		}
		v.claimKeys()
		for _, o := range f.variants {
			if !v.differs(o) && !o.differs(&v) {
				return fmt.Errorf("bodies do not show whether an object is of %s or of another type", t.Name)
			}
		}
		f.variants = append(f.variants, &v)
	}
	f.claimKeys()
	return nil
}

// selectsOnce reports a schema field that is selected twice on one type.
func (f *field) selectsOnce() error {
	for i, c := range f.children {
		for _, b := range f.children[:i] {
			if b.field.Name == c.field.Name && c.twin != b && !c.aliased {
				return fmt.Errorf("%s and %s select one field of a type", b.name, c.name)
			}
		}
	}
	return nil
}

// differs reports whether a field that other lacks is always written, to a key that other does not write, or whose
// values have other forms there.
func (f *field) differs(other *field) bool {
	return slices.ContainsFunc(f.children, func(c *field) bool {
		if slices.Contains(other.children, c) || c.OmitNull || c.conditional || c.OmitEmpty || c.Spread ||
			c.Within != "" || c.Header != "" || c.check {
			return false
		}
		there := other.writing(c.key)
		if len(there) > 0 && !c.typ.NonNull {
			return false
		}
		for _, a := range f.writing(c.key) {
			if slices.ContainsFunc(there, func(b *field) bool { return b.Spread || ambiguous(a, b) }) {
				return false
			}
		}
		return true
	})
}

// writing returns the children that are written to a key.
func (f *field) writing(key string) (out []*field) {
	for _, c := range f.children {
		if slices.Contains(c.keys(), key) {
			out = append(out, c)
		}
	}
	return out
}

// variant returns the fields of the type that an object of a body has: of the first that its members fit, or of the
// first if they fit none, so that the error says what is missing. written is the field that is already written.
func (f *field) variant(n *node, written *field) *field {
	if f.variants == nil {
		return f
	}
	if i := slices.IndexFunc(f.variants, func(v *field) bool { return v.fitsMembers(n, written) }); i >= 0 {
		return f.variants[i]
	}
	return f.variants[0]
}

// fitsMembers reports whether an object has the keys of the fields, and values of their forms.
func (f *field) fitsMembers(n *node, written *field) bool {
	for _, c := range f.children {
		if c == written || c.check || c.Header != "" || c.Spread || c.Within != "" {
			continue
		}
		v := n.get(c.key)
		if v != nil && c.Coalesced {
			c = coalescedField(f, c.key, v)
		}
		switch {
		case v == nil && !c.conditional && !c.OmitEmpty && !c.omitsNull(n),
			v != nil && v.null() && c.typ.NonNull,
			v != nil && !v.null() && !c.fits(v):
			return false
		}
	}
	return f.checkKnown(n, written) == nil
}
