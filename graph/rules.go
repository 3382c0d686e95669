package graph

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// Our own validation rules, for documents that gqlparser 2.5.64 accepts although the specification forbids them.

// scalarLiterals requires that a literal fits its type. gqlparser accepts {} for every scalar and enum, every literal
// for a custom scalar, and every whole number for Int.
func scalarLiterals(observers *core.Events, addError core.AddErrFunc) {
	observers.OnValue(func(_ *core.Walker, v *ast.Value) {
		if v.Definition != nil && v.ExpectedType != nil && !fits(v) {
			addError(core.Message("Expected value of type %q.", v.ExpectedType.String()), core.At(v.Position))
		}
	})
}

// fits reports whether a literal fits its type, as far as gqlparser does not check it.
func fits(v *ast.Value) bool {
	custom := v.Definition.Kind == ast.Scalar && !v.Definition.BuiltIn
	switch v.Kind {
	case ast.ObjectValue:
		return v.Definition.Kind == ast.InputObject
	case ast.ListValue:
		return !custom || v.ExpectedType.Elem != nil
	case ast.BooleanValue, ast.EnumValue, ast.FloatValue:
		return !custom
	case ast.IntValue, ast.StringValue, ast.BlockValue:
		value, _ := v.Value(nil) // the limits reject numbers out of range
		_, ok := scalar(v.Definition.Name, value)
		return ok || !custom && v.Definition.Name != "Int"
	}
	return true
}

// oneRootField requires that a subscription has exactly one root field, whatever its variables. gqlparser accepts
// several aliases of a field, and directives that skip the field.
func oneRootField(observers *core.Events, addError core.AddErrFunc) {
	observers.OnOperation(func(w *core.Walker, op *ast.OperationDefinition) {
		if op.Operation != ast.Subscription {
			return
		}
		key := ""
		walk(w.Document, op.SelectionSet, func(selection ast.Selection) bool {
			field, isField := selection.(*ast.Field)
			wrong := slices.ContainsFunc(directivesOf(selection), func(d *ast.Directive) bool {
				return d.Name == "skip" || d.Name == "include"
			})
			if isField {
				wrong = wrong || strings.HasPrefix(field.Name, "__") || key != "" && key != field.Alias
				key = field.Alias
			}
			if wrong {
				addError(core.Message("A subscription selects one field, without @skip and @include."),
					core.At(selection.GetPosition()))
			}
			return !isField
		})
	})
}

// escape matches an escape sequence in a literal: a surrogate pair, a lone surrogate, or any other one.
var escape = regexp.MustCompile(`(?i)\\ud[89ab]..\\ud[c-f]..|\\u(d[89a-f]..)|\\.`)

// hasLoneSurrogate reports whether a literal contains a surrogate without its other half, which is no character.
// gqlparser decodes it as U+FFFD instead of rejecting the document.
func (m *measurer) hasLoneSurrogate(v *ast.Value) bool {
	if v.Kind != ast.StringValue || !strings.ContainsRune(v.Raw, utf8.RuneError) {
		return false
	}
	if m.text == nil {
		m.text = []rune(v.Position.Src.Input)
	}
	escapes := escape.FindAllStringSubmatch(string(m.text[v.Position.Start:v.Position.End]), -1)
	return slices.ContainsFunc(escapes, func(e []string) bool { return e[1] != "" })
}
