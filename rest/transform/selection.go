package transform

import (
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// types is the set of object types that a field is selected on; nil means all.
type types map[string]bool

// fields compiles a selection set with its fragments expanded. One list contains the fields of all types of an
// interface; the data of an object contains the fields of its type.
func (op *Operation) fields(set ast.SelectionSet) ([]*field, error) {
	var out []*field
	var walk func(set ast.SelectionSet, on types) error
	walk = func(set ast.SelectionSet, on types) error {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				f, err := op.field(s)
				if err != nil {
					return err
				}
				f.on = on
				if out, err = add(out, f); err != nil {
					return err
				}
			case *ast.FragmentSpread:
				if len(s.Directives) > 0 {
					return fmt.Errorf("directives on the fragment %s have no effect here", s.Name)
				}
				on := op.narrow(on, s.ObjectDefinition, s.Definition.TypeCondition)
				if err := walk(s.Definition.SelectionSet, on); err != nil {
					return err
				}
			case *ast.InlineFragment:
				if len(s.Directives) > 0 {
					return fmt.Errorf("directives on the fragment on %s have no effect here", s.TypeCondition)
				}
				if err := walk(s.SelectionSet, op.narrow(on, s.ObjectDefinition, s.TypeCondition)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := walk(set, nil); err != nil {
		return nil, err
	}
	return out, resolveSharedKeys(out)
}

// narrow returns the types that remain inside a fragment with a type condition.
func (op *Operation) narrow(on types, parent *ast.Definition, condition string) types {
	if condition == "" {
		return on
	}
	meets := types{}
	for _, t := range op.schema.PossibleTypes[condition] {
		meets[t.Name] = true
	}
	remaining, all := types{}, true
	for _, t := range op.schema.PossibleTypes[parent.Name] {
		switch {
		case !meets[t.Name]:
			all = false
		case on == nil || on[t.Name]:
			remaining[t.Name] = true
		}
	}
	if all {
		return on
	}
	return remaining
}

// add appends a field, or joins it with the field of the same name from another fragment.
func add(list []*field, f *field) ([]*field, error) {
	i := slices.IndexFunc(list, func(have *field) bool { return have.name == f.name })
	if i < 0 || list[i].on == nil && f.on == nil {
		return append(list, f), nil
	}
	return list, list[i].join(f)
}

// join adds the selections of a field with the same name on other types.
func (f *field) join(other *field) error {
	if signature(f.source) != signature(other.source) || f.typ.String() != other.typ.String() {
		return fmt.Errorf("%s has two meanings: give one of them an alias and @coalesce(into:)", f.name)
	}
	if f.on == nil || other.on == nil {
		f.on = nil
	} else {
		f.on = maps.Clone(f.on)
		maps.Copy(f.on, other.on)
	}
	same := slices.EqualFunc(f.children, other.children, func(a, b *field) bool { return a.name == b.name })
	if !same && (f.keyBy != nil || f.Tuple || f.Pick != nil || f.Unwrap != "") {
		return fmt.Errorf("%s must select the same fields everywhere, since its directive requires an order", f.name)
	}
	f.anyOrder = f.anyOrder || other.anyOrder || !same
	children := slices.Clone(f.children)
	for _, c := range other.children {
		if i := slices.IndexFunc(children, func(have *field) bool { return have.name == c.name }); i < 0 {
			children = append(children, c)
		} else if err := children[i].join(c); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	f.children = children
	if err := resolveSharedKeys(children); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	f.claimKeys()
	return nil
}

// exclusive reports whether no object can have both fields.
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
