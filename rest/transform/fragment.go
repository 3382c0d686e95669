package transform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// The fields of fragments that hold for some types of an interface alone. A plan holds the
// fields of all of them; which type an object has shows in the fields that it has.

// types are the names of the types that a field is selected on, nil for all there are.
type types map[string]bool

// exclusive tells whether no object has both fields.
func exclusive(a, b *field) bool {
	if a.on == nil || b.on == nil {
		return false
	}
	for name := range a.on {
		if b.on[name] {
			return false
		}
	}
	return true
}

// narrow gives the types that are left inside a fragment with a condition.
func (op *Operation) narrow(on types, parent *ast.Definition, condition string) types {
	if condition == "" {
		return on
	}
	holds := types{}
	for _, t := range op.schema.PossibleTypes[condition] {
		holds[t.Name] = true
	}
	left, all := types{}, true
	for _, t := range op.schema.PossibleTypes[parent.Name] {
		switch {
		case !holds[t.Name]:
			all = false
		case on == nil || on[t.Name]:
			left[t.Name] = true
		}
	}
	if all {
		return on
	}
	op.byType = true
	return left
}

// add puts a field behind those of a plan, or joins it with the one that has its name in
// another fragment.
func add(list []*field, f *field) ([]*field, error) {
	i := slices.IndexFunc(list, func(have *field) bool { return have.name == f.name })
	if i < 0 || list[i].on == nil && f.on == nil {
		return append(list, f), nil
	}
	return list, list[i].join(f)
}

// join adds the selections of a field that has the same name for other types.
func (f *field) join(other *field) error {
	if f.said != other.said || f.typ.String() != other.typ.String() {
		return fmt.Errorf("%s means one thing here and another there: give it an alias and @coalesce(into:)", f.name)
	}
	if f.on == nil || other.on == nil {
		f.on = nil
	} else {
		on := types{}
		for _, list := range []types{f.on, other.on} {
			for name := range list {
				on[name] = true
			}
		}
		f.on = on
	}
	alike := slices.EqualFunc(f.children, other.children, func(a, b *field) bool { return a.name == b.name })
	if !alike && (f.keyBy != nil || f.tuple || f.pick != nil || f.unwrap != "") {
		return fmt.Errorf("%s must select the same wherever it stands, since its directive wants an order", f.name)
	}
	f.anyOrder = f.anyOrder || other.anyOrder || !alike
	children := slices.Clone(f.children)
	for _, c := range other.children {
		if i := slices.IndexFunc(children, func(have *field) bool { return have.name == c.name }); i < 0 {
			children = append(children, c)
		} else if err := children[i].join(c); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	f.children = children
	if err := group(children); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	f.claim()
	return nil
}

// saying is the text of a field but for its name and its selections: what makes two of one
// name mean the same.
func saying(s *ast.Field) string {
	var b strings.Builder
	b.WriteString(s.Definition.Name)
	for _, d := range s.Directives {
		b.WriteString(" @" + d.Name)
		for _, a := range d.Arguments {
			b.WriteString(" " + a.Name + ":" + a.Value.String())
		}
	}
	return b.String()
}
