package transform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"
)

// inventor makes up data as the executor would write it.
type inventor struct {
	*rapid.T
	op   *Operation
	vars map[string]any
}

// fact is a member of made up data; its value is a []fact, a []any or JSON text.
type fact struct {
	field *field
	value any
}

func (g inventor) value(f *field, t *ast.Type) any {
	if !t.NonNull && rapid.IntRange(0, 3).Draw(g.T, "null") == 0 {
		return "null"
	}
	if t.Elem != nil {
		least := 0
		if f.spread && f.conditional {
			least = 1 // no entries would look like a list that was not asked for
		}
		list := make([]any, rapid.IntRange(least, 3).Draw(g.T, "length"))
		for i := range list {
			list[i] = g.value(f, t.Elem)
			if f.keyBy != nil { // entries of one map have different names
				for j := range list[i].([]fact)[:f.keyBy.keys] {
					list[i].([]fact)[j].value = g.name(f.children[j], i)
				}
			}
		}
		return list
	}
	if len(f.children) == 0 {
		return g.leaf(t)
	}
	return g.object(f)
}

func (g inventor) object(f *field) []fact {
	var out []fact
	taken, typ := "", g.typ(f)
	for _, c := range f.children {
		picked := f.pick != nil && g.vars[f.pick.variable] == true
		if picked && c.name != f.pick.field || c.conditional && !g.asked(c) || c.on != nil && !c.on[typ] {
			continue
		}
		var v any = "null"
		switch {
		case c.twin != nil: // one fact of the data is written to two keys
			v = out[slices.IndexFunc(out, func(o fact) bool { return o.field == c.twin })].value
		case c.decides && rapid.Bool().Draw(g.T, "decides"):
			v = quote(rapid.SampledFrom(decisions(f)).Draw(g.T, "decision"))
		case !c.coalesced || c.out != taken:
			v = g.value(c, c.typ)
		}
		if c.coalesced && v != "null" {
			taken = c.out
		}
		out = append(out, fact{c, v})
	}
	return out
}

// typ is the type of an object, where its fields are those of a type.
func (g inventor) typ(f *field) string {
	all := map[string]bool{}
	for _, c := range f.children {
		maps.Copy(all, c.on)
	}
	if len(all) == 0 {
		return ""
	}
	return rapid.SampledFrom(slices.Sorted(maps.Keys(all))).Draw(g.T, "type")
}

// decisions are the values that leave out keys of an object.
func decisions(f *field) []string {
	var out []string
	for _, c := range f.children {
		if c.when != nil {
			out = append(out, c.when.is...)
		}
	}
	return out
}

// asked tells whether the condition of a field holds.
func (g inventor) asked(f *field) bool {
	holds := true
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, s := range set {
			if s, ok := s.(*ast.Field); ok {
				if d := s.Directives.ForName("include"); d != nil && s.Alias == f.name {
					holds = g.vars[d.Arguments[0].Value.Raw] == true
				}
				if d := s.Directives.ForName("skip"); d != nil && s.Alias == f.name {
					holds = g.vars[d.Arguments[0].Value.Raw] != true
				}
				walk(s.SelectionSet)
			}
		}
	}
	walk(g.op.def.SelectionSet)
	return holds
}

// name is a different name for each entry.
func (g inventor) name(f *field, i int) string {
	switch f.typ.Name() {
	case "Int", "Int64":
		return fmt.Sprint(i*1000 + rapid.IntRange(0, 999).Draw(g.T, "number"))
	}
	return quote(fmt.Sprint(i) + rapid.String().Draw(g.T, "name"))
}

func (g inventor) leaf(t *ast.Type) string {
	switch t.Name() {
	case "Boolean":
		return fmt.Sprint(rapid.Bool().Draw(g.T, "boolean"))
	case "Int":
		return fmt.Sprint(rapid.Int32().Draw(g.T, "int"))
	case "Int64":
		return fmt.Sprint(rapid.Int64().Draw(g.T, "int64"))
	case "Float":
		f, _ := json.Marshal(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(g.T, "float"))
		return string(f)
	case "DateTime":
		return quote(time.Unix(rapid.Int64Range(0, 1<<32).Draw(g.T, "moment"), 0).UTC().Format(time.RFC3339))
	}
	return quote(rapid.String().Draw(g.T, "text"))
}

func quote(s string) string {
	q, _ := json.Marshal(s)
	return string(q)
}

// write writes made up data under the operation's names, or under the schema's as it comes
// back: what a header told, the body does not.
func write(b *bytes.Buffer, v any, back bool) {
	switch v := v.(type) {
	case string:
		b.WriteString(v)
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			b.WriteString(strings.Repeat(",", min(i, 1)))
			write(b, e, back)
		}
		b.WriteByte(']')
	case []fact:
		b.WriteByte('{')
		for i, m := range v {
			name := m.field.name
			if back {
				name = m.field.field.Name
			}
			b.WriteString(strings.Repeat(",", min(i, 1)) + quote(name) + ":")
			if back && m.field.header != "" {
				m.value = "null"
			}
			write(b, m.value, back)
		}
		b.WriteByte('}')
	}
}
