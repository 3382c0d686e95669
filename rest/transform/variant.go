package transform

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// reversible prepares a field and the fields below it for Reverse.
func (op *Operation) reversible(f *field) {
	if slices.ContainsFunc(f.children, func(c *field) bool { return c.on != nil }) {
		f.setVariants(op.schema.PossibleTypes[f.typ.Name()])
	}
	for _, c := range f.children {
		op.reversible(c)
	}
}

// setVariants collects the fields of each type of an object. Types with the same fields are one variant.
func (f *field) setVariants(possible []*ast.Definition) {
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
		v.claimKeys()
		f.variants = append(f.variants, &v)
	}
	f.claimKeys()
}

// variant returns the fields of an object's type: the first type that fits its members. If none fits, it uses the first
// type, so that the error names the missing member. written is the field already written.
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
