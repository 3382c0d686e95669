package transform

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// types is the set of object types that a field is selected on; nil means all.
type types map[string]bool

// fields compiles a selection set with its fragments expanded. One list contains the fields of all types of an
// interface; the data of an object contains the fields of its type.
func (op *Operation) fields(set ast.SelectionSet) []*field {
	var out []*field
	var walk func(set ast.SelectionSet, on types)
	walk = func(set ast.SelectionSet, on types) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				f := op.field(s)
				f.on = on
				out = op.add(out, f)
			case *ast.FragmentSpread:
				if len(s.Directives) > 0 {
					op.problem("directives on the fragment %s have no effect here", s.Name)
				}
				walk(s.Definition.SelectionSet, op.narrow(on, s.ObjectDefinition, s.Definition.TypeCondition))
			case *ast.InlineFragment:
				if len(s.Directives) > 0 {
					op.problem("directives on the fragment on %s have no effect here", s.TypeCondition)
				}
				walk(s.SelectionSet, op.narrow(on, s.ObjectDefinition, s.TypeCondition))
			}
		}
	}
	walk(set, nil)
	op.resolveSharedKeys(out)
	return out
}

func (op *Operation) problem(format string, args ...any) {
	op.problems = errors.Join(op.problems, fmt.Errorf(format, args...))
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
func (op *Operation) add(list []*field, f *field) []*field {
	i := slices.IndexFunc(list, func(have *field) bool { return have.name == f.name })
	if i < 0 || list[i].on == nil && f.on == nil {
		return append(list, f)
	}
	op.join(list[i], f)
	return list
}

// join adds the selections of a field with the same name on other types.
func (op *Operation) join(f, other *field) {
	if signature(f.source) != signature(other.source) || f.typ.String() != other.typ.String() {
		op.problem("%s has two meanings: give one of them an alias and @coalesce(into:)", f.name)
	}
	if f.on == nil || other.on == nil {
		f.on = nil
	} else {
		f.on = maps.Clone(f.on)
		maps.Copy(f.on, other.on)
	}
	same := slices.EqualFunc(f.children, other.children, func(a, b *field) bool { return a.name == b.name })
	if !same && (f.keyBy != nil || f.Tuple || f.Pick != nil || f.Unwrap != "") {
		op.problem("%s must select the same fields everywhere, since its directive requires an order", f.name)
	}
	f.anyOrder = f.anyOrder || other.anyOrder || !same
	children := slices.Clone(f.children)
	for _, c := range other.children {
		if i := slices.IndexFunc(children, func(have *field) bool { return have.name == c.name }); i < 0 {
			children = append(children, c)
		} else {
			op.join(children[i], c)
		}
	}
	f.children = children
	op.resolveSharedKeys(children)
	f.claimKeys()
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
