package main

import (
	"cmp"
	"go/ast"
	"go/types"
	"reflect"
	"strings"
)

// structs maps the name of a package's struct to its declared fields.
type structs map[string][]structField

// structField is an exported field of a struct. Embedded structs are left out.
type structField struct {
	Name string
	Type string // as in the source, without the pointer
	// Pointer and List report whether the field is a pointer to Type or a list of Type.
	Pointer, List bool
	// Stored is the name in stored records, Shown the name in JSON; empty for a field without one.
	Stored, Shown string
	// Doc is the comment above the field.
	Doc string
	// Tags maps the options of the tag `record` to their values, which may be empty.
	Tags map[string]string
}

func structsOf(declared modelTypes) structs {
	out := structs{}
	for _, spec := range declared {
		if s, ok := spec.Type.(*ast.StructType); ok {
			out[spec.Name.Name] = fieldsOf(s)
		}
	}
	return out
}

func fieldsOf(s *ast.StructType) (out []structField) {
	for _, f := range s.Fields.List {
		var tag reflect.StructTag
		if f.Tag != nil {
			tag = reflect.StructTag(strings.Trim(f.Tag.Value, "`"))
		}
		for _, name := range f.Names {
			if name.IsExported() {
				field := newStructField(name.Name, f.Type, tag)
				field.Doc = strings.Join(strings.Fields(f.Doc.Text()), " ")
				out = append(out, field)
			}
		}
	}
	return out
}

func newStructField(name string, typ ast.Expr, tag reflect.StructTag) structField {
	f := structField{Name: name, Tags: map[string]string{}, Shown: tagName(tag, "json")}
	f.Stored = cmp.Or(tagName(tag, "bson"), f.Shown, strings.ToLower(name))
	if f.Shown == "-" {
		f.Shown = ""
	}
	if f.Stored == "-" {
		f.Stored = ""
	}
	if list, ok := typ.(*ast.ArrayType); ok {
		f.List, typ = true, list.Elt
	}
	if pointer, ok := typ.(*ast.StarExpr); ok {
		f.Pointer, typ = true, pointer.X
	}
	f.Type = types.ExprString(typ)
	for _, option := range strings.Split(tag.Get("record"), ",") {
		key, value, _ := strings.Cut(option, "=")
		f.Tags[key] = value
	}
	return f
}

func tagName(tag reflect.StructTag, key string) string {
	name, _, _ := strings.Cut(tag.Get(key), ",")
	return name
}

func (f structField) has(option string) bool { _, ok := f.Tags[option]; return ok }

// words splits the name of a field into words: mobs killed.
func (f structField) words() []string {
	var out []string
	for i, letter := range f.Name {
		if upper := letter >= 'A' && letter <= 'Z'; upper && (i == 0 || f.Name[i-1] > 'Z') {
			out = append(out, "")
		}
		out[len(out)-1] += strings.ToLower(string(letter))
	}
	return out
}

// Optional reports whether a setting may omit the field.
func (f structField) Optional() bool { return f.has("optional") }

// GoType returns the type of a field in Go.
func (f structField) GoType() string {
	out := f.Type
	if f.Pointer {
		out = "*" + out
	}
	if f.List {
		out = "[]" + out
	}
	return out
}
