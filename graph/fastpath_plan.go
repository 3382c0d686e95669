package graph

import (
	"context"
	"reflect"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph/model"
)

type planner struct {
	ctx      context.Context
	executor *Executor
	oc       *graphql.OperationContext
}

// value returns the writer for values of a schema type and a Go type, or nil if only gqlgen can write them. fc contains
// the selections.
func (p *planner) value(t *ast.Type, typ reflect.Type, fc *graphql.FieldContext) writer {
	switch {
	case typ == nil:
		return nil
	case typ.Kind() == reflect.Pointer:
		return writePointer(p.value(nullable(t), typ.Elem(), fc), t.NonNull)
	case t.Elem != nil && typ.Kind() == reflect.Slice:
		return writeList(p.value(t.Elem, typ.Elem(), fc), t.NonNull)
	case t.Elem != nil:
		return nil
	}
	switch def := p.executor.Schema().Types[t.NamedType]; def.Kind {
	case ast.Scalar:
		return scalars[def.Name].of(typ)
	case ast.Enum:
		if typ == reflect.TypeFor[model.AccessRule]() {
			return appendAccessRule
		}
		if e := model.Enums[def.Name]; e != nil {
			return writeEnum(e, typ)
		}
		return anyString.of(typ)
	case ast.Object:
		return p.object(def, typ, fc)
	}
	return nil
}

// nullable returns the nullable form of a type: writePointer has already handled null.
func nullable(t *ast.Type) *ast.Type {
	out := *t
	out.NonNull = false
	return &out
}

// object returns the writer for the selected fields of a struct, or nil if only gqlgen can write it.
func (p *planner) object(def *ast.Definition, typ reflect.Type, fc *graphql.FieldContext) writer {
	satisfies := []string{def.Name}
	for _, abstract := range p.executor.Schema().GetImplements(def) {
		satisfies = append(satisfies, abstract.Name)
	}
	var out objectWriter
	seen := map[string]bool{}
	for _, f := range graphql.CollectFields(p.oc, fc.Field.Selections, satisfies) {
		if seen[f.Alias] {
			continue
		}
		seen[f.Alias] = true
		out.rules = append(out.rules, p.executor.facts.fields[f.Definition].rules...)
		m := p.field(def, typ, f, fc)
		if m.writer == nil {
			return nil
		}
		m.key = string(appendString([]byte{','}, f.Alias)) + ":"
		out.fields = append(out.fields, m)
	}
	if len(out.rules) > 0 && !reflect.PointerTo(typ).Implements(reflect.TypeFor[model.Guarded]()) {
		return nil
	}
	return out.write
}

// field compiles a field of an object. The result has no writer if the field needs a resolver.
func (p *planner) field(def *ast.Definition, typ reflect.Type, f graphql.CollectedField, parent *graphql.FieldContext) (
	m fieldWriter,
) {
	if f.Name == "__typename" {
		m.index, m.writer = -1, constant(string(appendString(nil, def.Name)))
		return m
	}
	if len(f.Definition.Arguments) > 0 || f.IsDeferred() {
		return m
	}
	fc, err := parent.Child(p.ctx, f)
	if err != nil || fc == nil || fc.IsResolver {
		return m
	}
	if typ.Kind() == reflect.String { // a model.Label
		m.index, m.writer = -1, p.value(f.Definition.Type, reflect.TypeFor[string](), fc)
		return m
	}
	if fc.IsMethod {
		method, ok := methodNamed(reflect.PointerTo(typ), f.Name)
		if !ok || method.Type.NumIn() != 1 || method.Type.NumOut() != 1 {
			return m
		}
		m.method = method.Func
		m.writer = p.value(f.Definition.Type, method.Type.Out(0), fc)
		return m
	}
	if typ.Kind() != reflect.Struct {
		return m
	}
	field, ok := fieldNamed(typ, f.Name)
	if !ok || !field.IsExported() || len(field.Index) != 1 {
		return m
	}
	m.index = field.Index[0]
	m.writer = p.value(f.Definition.Type, field.Type, fc)
	return m
}

// fieldNamed finds the struct field for a schema field, ignoring case.
func fieldNamed(typ reflect.Type, field string) (reflect.StructField, bool) {
	return typ.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, field) })
}

// methodNamed finds the method for a schema field as gqlgen does, ignoring case.
func methodNamed(typ reflect.Type, field string) (reflect.Method, bool) {
	for i := range typ.NumMethod() {
		if m := typ.Method(i); strings.EqualFold(m.Name, field) {
			return m, true
		}
	}
	return reflect.Method{}, false
}
