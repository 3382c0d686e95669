package transform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"
)

// roundTrip transforms random data and, if the operation can be reversed, reverses the body.
func roundTrip(tb testing.TB, t *rapid.T, op *Operation) {
	vars := map[string]any{}
	for _, v := range op.def.VariableDefinitions {
		if v.Type.Name() == "Boolean" {
			vars[v.Variable] = rapid.Bool().Draw(t, v.Variable)
		}
	}
	g := generator{T: t, op: op, vars: vars}
	var data, want, body bytes.Buffer
	value := g.value(op.root, op.root.typ)
	data.WriteString(`{"` + op.root.name + `":`)
	write(&data, value, false)
	data.WriteByte('}')
	write(&want, value, true)

	if _, err := op.Transform(&body, data.Bytes(), vars); err != nil {
		t.Fatalf("%v in %s", err, data.String())
	}
	if _, err := parse(body.Bytes(), 0); err != nil { // rejects duplicate keys
		t.Fatalf("%v in %s", err, body.String())
	}
	back, err := op.Reverse(body.Bytes(), vars)
	if op.oneWay {
		if err == nil {
			t.Fatalf("got %s, want an error: the operation has @oneWay", back)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v in %s", err, body.String())
	}
	if d := cmp.Diff(decoded(tb, want.Bytes()), decoded(tb, back)); d != "" {
		t.Fatalf("%s\nvia %s", d, body.String())
	}
}

// generator generates data as the executor would write it.
type generator struct {
	*rapid.T
	op   *Operation
	vars map[string]any
}

// member is a member of generated data; its value is a []member, a []any or JSON text.
type member struct {
	field *field
	value any
}

func (g generator) value(f *field, t *ast.Type) any {
	rejectsNull, rejectsEmpty := f.Reject != nil && f.Reject.Null != "", f.Reject != nil && f.Reject.Empty != ""
	// @orFalse cannot distinguish null in reverse.
	if !t.NonNull && !rejectsNull && !f.OrFalse && rapid.IntRange(0, 3).Draw(g.T, "null") == 0 {
		return "null"
	}
	if t.Elem != nil {
		least := 0
		if f.Spread && f.conditional || rejectsEmpty {
			least = 1 // an empty list would look as if it was not selected
		}
		list := make([]any, rapid.IntRange(least, 3).Draw(g.T, "length"))
		for i := range list {
			list[i] = g.value(f, t.Elem)
			if f.keyBy != nil { // entries of a map have different names
				for j := range list[i].([]member)[:f.keyBy.keys] {
					list[i].([]member)[j].value = g.name(f.children[j], i)
				}
			}
		}
		return list
	}
	switch {
	case f.check && len(f.children) == 0:
		return "false"
	case f.enum != nil:
		return quote(rapid.SampledFrom(f.spelledValues()).Draw(g.T, "spelled"))
	case f.Text && t.Name() == "Float":
		return fmt.Sprint(rapid.Int64Range(-1<<52, 1<<52-1).Draw(g.T, "whole"))
	case len(f.children) == 0:
		return g.leaf(t)
	}
	return g.object(f)
}

func (g generator) object(f *field) []member {
	var out []member
	written, typ := "", g.typ(f)
	for _, c := range f.children {
		picked := f.Pick.Chosen(func(flag string) bool { return g.vars[flag] == true })
		if picked && c.name != f.Pick.Key && !c.check || c.conditional && !g.selected(c) || c.on != nil && !c.on[typ] {
			continue
		}
		var v any = "null"
		switch {
		case c.twin != nil: // one value is written to two keys
			v = out[slices.IndexFunc(out, func(o member) bool { return o.field == c.twin })].value
		case c.decides && rapid.Bool().Draw(g.T, "decides"):
			v = quote(rapid.SampledFrom(decisions(f)).Draw(g.T, "decision"))
			if len(c.children) == 1 {
				v = []member{{c.children[0], v}}
			}
		case !c.Coalesced || c.key != written:
			v = g.value(c, c.typ)
		}
		if c.Coalesced && v != "null" {
			written = c.key
		}
		out = append(out, member{c, v})
	}
	return out
}

// typ is the type of an object whose fields depend on its type, else empty.
func (g generator) typ(f *field) string {
	if !slices.ContainsFunc(f.children, func(c *field) bool { return c.on != nil }) {
		return ""
	}
	return rapid.SampledFrom(g.op.schema.PossibleTypes[f.typ.Name()]).Draw(g.T, "type").Name
}

// decisions are the values that @omitNull(is:) names in an object.
func decisions(f *field) []string {
	var out []string
	for _, c := range f.children {
		if c.OmitWhen != nil {
			out = append(out, c.OmitWhen.Is...)
		}
	}
	return out
}

// selected reports whether the conditions of a field hold.
func (g generator) selected(f *field) bool {
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

// name is a name that is different for each entry.
func (g generator) name(f *field, i int) string {
	if f.spellings != nil {
		return quote(slices.Sorted(maps.Values(f.spellings))[i])
	}
	switch f.typ.Name() {
	case "Int", "Int64":
		return fmt.Sprint(i*1000 + rapid.IntRange(0, 999).Draw(g.T, "number"))
	}
	return quote(fmt.Sprint(i) + rapid.String().Draw(g.T, "name"))
}

func (g generator) leaf(t *ast.Type) string {
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
		return quote(time.Unix(rapid.Int64Range(0, 1<<32).Draw(g.T, "time"), 0).UTC().Format(time.RFC3339))
	}
	return quote(rapid.String().Draw(g.T, "text"))
}

func quote(s string) string {
	q, _ := json.Marshal(s)
	return string(q)
}

// write writes generated data under the operation's names or, reversed, under the schema's names
// and without the values of headers.
func write(b *bytes.Buffer, v any, reversed bool) {
	switch v := v.(type) {
	case string:
		b.WriteString(v)
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			b.WriteString(strings.Repeat(",", min(i, 1)))
			write(b, e, reversed)
		}
		b.WriteByte(']')
	case []member:
		if reversed {
			v = slices.DeleteFunc(slices.Clone(v), func(m member) bool { return m.field.check })
		}
		b.WriteByte('{')
		for i, m := range v {
			name := m.field.name
			if reversed && !m.field.aliased {
				name = m.field.field.Name
			}
			b.WriteString(strings.Repeat(",", min(i, 1)) + quote(name) + ":")
			if reversed && m.field.Header != "" {
				m.value = "null"
			}
			write(b, m.value, reversed)
		}
		b.WriteByte('}')
	}
}
