package graph

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// requires reports whether an operation uses a variable where null may not stand. Validation
// allows that for nullable variables when the variable or the argument has a default.
func requires(op *Operation, variable string) bool {
	seen := map[string]bool{}
	var inSet func(ast.SelectionSet) bool
	inSet = func(set ast.SelectionSet) bool {
		return slices.ContainsFunc(set, func(selection ast.Selection) bool {
			switch s := selection.(type) {
			case *ast.Field:
				return inArguments(s.Arguments, variable) || inDirectives(s.Directives, variable) || inSet(s.SelectionSet)
			case *ast.InlineFragment:
				return inDirectives(s.Directives, variable) || inSet(s.SelectionSet)
			case *ast.FragmentSpread:
				if inDirectives(s.Directives, variable) {
					return true
				}
				def := op.Doc.Fragments.ForName(s.Name)
				if def == nil || seen[s.Name] {
					return false
				}
				seen[s.Name] = true
				return inSet(def.SelectionSet)
			}
			return false
		})
	}
	return inSet(op.Def.SelectionSet)
}

func inDirectives(list ast.DirectiveList, variable string) bool {
	return slices.ContainsFunc(list, func(d *ast.Directive) bool { return inArguments(d.Arguments, variable) })
}

func inArguments(list ast.ArgumentList, variable string) bool {
	return slices.ContainsFunc(list, func(a *ast.Argument) bool { return inValue(a.Value, variable) })
}

func inValue(v *ast.Value, variable string) bool {
	if v.Kind == ast.Variable {
		return v.Raw == variable && v.ExpectedType != nil && v.ExpectedType.NonNull
	}
	return slices.ContainsFunc(v.Children, func(c *ast.ChildValue) bool { return inValue(c.Value, variable) })
}
