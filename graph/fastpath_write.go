package graph

import (
	"reflect"
	"strconv"
	"time"

	"gamedata/graph/model"
)

type objectWriter struct {
	fields []fieldWriter
	rules  []model.AccessRule // guarding the selected fields
}

type fieldWriter struct {
	key    string // ,"alias":
	index  int    // among the struct's fields, -1 for the value itself
	method reflect.Value
	writer writer
}

func (o *objectWriter) write(to []byte, v reflect.Value) (_ []byte, ok bool) {
	if len(o.rules) > 0 {
		if !v.CanAddr() {
			return to, false
		}
		record := v.Addr().Interface().(model.Guarded)
		for _, rule := range o.rules {
			if record.Restricted(rule) {
				return to, false // gqlgen reports the restriction
			}
		}
	}
	if len(o.fields) == 0 {
		return append(to, "{}"...), true
	}
	start := len(to)
	for i := range o.fields {
		f := &o.fields[i]
		to = append(to, f.key...)
		value, has := f.of(v)
		if !has {
			return to, false
		}
		to, ok = f.writer(to, value)
		if !ok {
			return to, false
		}
	}
	to[start] = '{'
	return append(to, '}'), true
}

func (f *fieldWriter) of(v reflect.Value) (_ reflect.Value, ok bool) {
	switch {
	case f.index < 0:
		return v, true
	case !f.method.IsValid():
		return v.Field(f.index), true
	case !v.CanAddr():
		return v, false
	}
	return f.method.Call([]reflect.Value{v.Addr()})[0], true
}

func writePointer(inner writer, nonNull bool) writer {
	if inner == nil {
		return nil
	}
	return func(to []byte, v reflect.Value) ([]byte, bool) {
		if v.IsNil() {
			return append(to, "null"...), !nonNull
		}
		return inner(to, v.Elem())
	}
}

// writeList writes a slice. A nil slice is null if the schema allows it, else empty.
func writeList(inner writer, nonNull bool) writer {
	if inner == nil {
		return nil
	}
	return func(to []byte, v reflect.Value) (_ []byte, ok bool) {
		if v.IsNil() && !nonNull {
			return append(to, "null"...), true
		}
		to = append(to, '[')
		for i := range v.Len() {
			if i > 0 {
				to = append(to, ',')
			}
			to, ok = inner(to, v.Index(i))
			if !ok {
				return to, false
			}
		}
		return append(to, ']'), true
	}
}

func constant(text string) writer {
	return func(to []byte, _ reflect.Value) ([]byte, bool) { return append(to, text...), true }
}

// leafWriter writes values of one kind or one type.
type leafWriter struct {
	kind  reflect.Kind
	only  reflect.Type
	write writer
}

func (l leafWriter) of(typ reflect.Type) writer {
	if l.write == nil || typ.Kind() != l.kind || l.only != nil && typ != l.only {
		return nil
	}
	return l.write
}

var (
	anyString = leafWriter{kind: reflect.String, write: func(to []byte, v reflect.Value) ([]byte, bool) {
		return appendString(to, v.String()), true
	}}
	plainString = leafWriter{kind: reflect.String, only: reflect.TypeFor[string](), write: anyString.write}
)

var scalars = map[string]leafWriter{
	"String": plainString,
	"ID":     plainString,
	"UUID":   plainString,
	"Boolean": {kind: reflect.Bool, write: func(to []byte, v reflect.Value) ([]byte, bool) {
		return strconv.AppendBool(to, v.Bool()), true
	}},
	"Int": {kind: reflect.Int, write: func(to []byte, v reflect.Value) ([]byte, bool) {
		return strconv.AppendInt(to, v.Int(), 10), true
	}},
	"Int64": {kind: reflect.Int64, write: func(to []byte, v reflect.Value) ([]byte, bool) {
		return strconv.AppendInt(to, v.Int(), 10), true
	}},
	"Float": {kind: reflect.Float64, write: func(to []byte, v reflect.Value) ([]byte, bool) {
		return model.AppendFloat(to, v.Float()), true
	}},
	"DateTime": {kind: reflect.Struct, only: reflect.TypeFor[time.Time](), write: appendTime},
	"Markup":   {kind: reflect.String, only: reflect.TypeFor[model.Markup](), write: appendMarkup},
}

// writeEnum writes the schema's value of a stored text.
func writeEnum(e *model.Enum, typ reflect.Type) writer {
	if typ != reflect.TypeFor[string]() {
		return nil
	}
	return func(to []byte, v reflect.Value) ([]byte, bool) {
		value := e.Value(v.String())
		return appendString(to, value), value != ""
	}
}

func appendAccessRule(to []byte, v reflect.Value) ([]byte, bool) {
	return appendString(to, model.AccessRule(v.Uint()).String()), true
}

func appendTime(to []byte, v reflect.Value) ([]byte, bool) {
	if !v.CanAddr() {
		return to, false
	}
	return model.AppendDateTime(to, *v.Addr().Interface().(*time.Time)), true
}

func appendMarkup(to []byte, v reflect.Value) ([]byte, bool) {
	return appendString(to, model.Markup(v.String()).Valid()), true
}

const hexDigits = "0123456789ABCDEF"

// appendString appends a JSON string with gqlgen's escapes.
func appendString(to []byte, s string) []byte {
	to = append(to, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '\\' && c != '"' {
			continue
		}
		to = append(to, s[start:i]...)
		start = i + 1
		switch c {
		case '\t':
			to = append(to, `\t`...)
		case '\r':
			to = append(to, `\r`...)
		case '\n':
			to = append(to, `\n`...)
		case '\\', '"':
			to = append(to, '\\', c)
		default:
			to = append(to, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(append(to, s[start:]...), '"')
}
