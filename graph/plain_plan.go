package graph

import (
	"context"
	"reflect"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/model"
)

// planner makes the writer of a field's values.
type planner struct {
	ctx      context.Context
	executor *Executor
	oc       *graphql.OperationContext
}

// value is the writer of values of a schema type that stand in a Go type; nil when they cannot
// be written as they stand. The selections are those of the field.
func (p *planner) value(t *ast.Type, typ reflect.Type, fc *graphql.FieldContext) writer {
	switch {
	case typ == nil:
		return nil
	case typ.Kind() == reflect.Pointer:
		return pointed(p.value(nullable(t), typ.Elem(), fc), t.NonNull)
	case t.Elem != nil:
		if typ.Kind() != reflect.Slice {
			return nil
		}
		return listed(p.value(t.Elem, typ.Elem(), fc), t.NonNull)
	}
	switch def := p.executor.Schema().Types[t.NamedType]; def.Kind {
	case ast.Scalar:
		return scalars[def.Name].of(typ)
	case ast.Enum:
		return texts.of(typ)
	case ast.Object:
		return p.object(def, typ, fc)
	}
	return nil
}

// nullable is a type behind a pointer: whether that may be nil is decided.
func nullable(t *ast.Type) *ast.Type {
	out := *t
	out.NonNull = false
	return &out
}

// object is the writer of a struct with what is selected of it.
func (p *planner) object(def *ast.Definition, typ reflect.Type, fc *graphql.FieldContext) writer {
	if typ.Kind() != reflect.Struct {
		return nil
	}
	satisfies := []string{def.Name}
	for _, abstract := range p.executor.Schema().GetImplements(def) {
		satisfies = append(satisfies, abstract.Name)
	}
	var out object
	seen := map[string]bool{}
	for _, f := range graphql.CollectFields(p.oc, fc.Field.Selections, satisfies) {
		if seen[f.Alias] {
			continue
		}
		seen[f.Alias] = true
		out.rules = append(out.rules, p.executor.guarded[f.Definition]...)
		m := p.member(def, typ, f, fc)
		if m.to == nil {
			return nil
		}
		m.key = string(appendText([]byte{','}, f.Alias)) + ":"
		out.members = append(out.members, m)
	}
	if len(out.rules) > 0 && !reflect.PointerTo(typ).Implements(reflect.TypeFor[model.Guarded]()) {
		return nil
	}
	return out.write
}

// member is how a field of an object is written. The engine knows which ones are resolved.
func (p *planner) member(def *ast.Definition, typ reflect.Type, f graphql.CollectedField,
	parent *graphql.FieldContext,
) (m member) {
	if f.Name == "__typename" {
		m.to = constant(string(appendText(nil, def.Name)))
		return m
	}
	if len(f.Definition.Arguments) > 0 || f.IsDeferred() {
		return m
	}
	fc, err := parent.Child(p.ctx, f)
	if err != nil || fc == nil || fc.IsResolver {
		return m
	}
	if fc.IsMethod {
		method, ok := reflect.PointerTo(typ).MethodByName(strings.ToUpper(f.Name[:1]) + f.Name[1:])
		if !ok || method.Type.NumIn() != 1 || method.Type.NumOut() != 1 {
			return m
		}
		m.method, m.to = method.Func, p.value(f.Definition.Type, method.Type.Out(0), fc)
		return m
	}
	field, ok := typ.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, f.Name) })
	if !ok || !field.IsExported() || len(field.Index) != 1 {
		return m
	}
	m.at, m.to = field.Index[0], p.value(f.Definition.Type, field.Type, fc)
	return m
}
