package graph

import (
	"reflect"
	"strconv"
	"time"

	"gamedata/graph/model"
)

// object writes a struct.
type object struct {
	members []member
	rules   []model.AccessRule // of the fields selected: when one rules the viewer, the engine says so
}

// member is one field selected of a struct.
type member struct {
	key    string // ,"alias":
	at     int    // of the struct's fields
	method reflect.Value
	to     writer
}

func (o *object) write(to []byte, v reflect.Value) (_ []byte, ok bool) {
	if len(o.rules) > 0 {
		if !v.CanAddr() {
			return to, false
		}
		record := v.Addr().Interface().(model.Guarded)
		for _, rule := range o.rules {
			if record.Restricted(rule) {
				return to, false
			}
		}
	}
	if len(o.members) == 0 {
		return append(to, "{}"...), true
	}
	start := len(to)
	for i := range o.members {
		m := &o.members[i]
		to = append(to, m.key...)
		if m.method.IsValid() {
			if !v.CanAddr() {
				return to, false
			}
			to, ok = m.to(to, m.method.Call([]reflect.Value{v.Addr()})[0])
		} else {
			to, ok = m.to(to, v.Field(m.at))
		}
		if !ok {
			return to, false
		}
	}
	to[start] = '{'
	return append(to, '}'), true
}

// pointed writes what a pointer leads to.
func pointed(inner writer, nonNull bool) writer {
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

// listed writes a slice. One that is nil is null where that is allowed, else empty.
func listed(inner writer, nonNull bool) writer {
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
			if to, ok = inner(to, v.Index(i)); !ok {
				return to, false
			}
		}
		return append(to, ']'), true
	}
}

func constant(text string) writer {
	return func(to []byte, _ reflect.Value) ([]byte, bool) { return append(to, text...), true }
}

// leaf is a writer and the kind of Go types it takes, or the one type.
type leaf struct {
	kind reflect.Kind
	only reflect.Type
	to   writer
}

func (l leaf) of(typ reflect.Type) writer {
	if l.to == nil || typ.Kind() != l.kind || l.only != nil && typ != l.only {
		return nil
	}
	return l.to
}

var (
	texts = leaf{kind: reflect.String, to: func(to []byte, v reflect.Value) ([]byte, bool) {
		return appendText(to, v.String()), true
	}}
	plainTexts = leaf{kind: reflect.String, only: reflect.TypeFor[string](), to: texts.to}
)

// scalars are how values of the schema's scalars are written.
var scalars = map[string]leaf{
	"String": plainTexts,
	"ID":     plainTexts,
	"UUID":   plainTexts,
	"Boolean": {kind: reflect.Bool, to: func(to []byte, v reflect.Value) ([]byte, bool) {
		return strconv.AppendBool(to, v.Bool()), true
	}},
	"Int": {kind: reflect.Int, to: func(to []byte, v reflect.Value) ([]byte, bool) {
		return strconv.AppendInt(to, v.Int(), 10), true
	}},
	"Int64": {kind: reflect.Int64, to: func(to []byte, v reflect.Value) ([]byte, bool) {
		return strconv.AppendInt(to, v.Int(), 10), true
	}},
	"Float": {kind: reflect.Float64, to: func(to []byte, v reflect.Value) ([]byte, bool) {
		return model.AppendFloat(to, v.Float()), true
	}},
	"DateTime": {kind: reflect.Struct, only: reflect.TypeFor[time.Time](), to: func(to []byte, v reflect.Value) ([]byte,
		bool,
	) {
		if !v.CanAddr() {
			return to, false
		}
		return model.AppendDateTime(to, *v.Addr().Interface().(*time.Time)), true
	}},
	"Markup": {kind: reflect.String, only: reflect.TypeFor[model.Markup](), to: func(to []byte, v reflect.Value) ([]byte,
		bool,
	) {
		return appendText(to, model.Markup(v.String()).Valid()), true
	}},
}

const hexDigits = "0123456789ABCDEF"

// appendText writes a JSON string as the engine writes it.
func appendText(to []byte, s string) []byte {
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
