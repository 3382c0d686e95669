package transform

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// roundTrip makes up data, shapes it and, where it can be undone, reads it back.
func roundTrip(tb testing.TB, t *rapid.T, op *Operation) {
	vars := map[string]any{}
	for _, v := range op.def.VariableDefinitions {
		if v.Type.Name() == "Boolean" {
			vars[v.Variable] = rapid.Bool().Draw(t, v.Variable)
		}
	}
	g := inventor{T: t, op: op, vars: vars}
	var data, want, body bytes.Buffer
	value := g.value(op.root, op.root.typ)
	data.WriteString(`{"` + op.root.name + `":`)
	write(&data, value, false)
	data.WriteByte('}')
	write(&want, value, true)

	if _, err := op.Transform(&body, data.Bytes(), vars); err != nil {
		t.Fatalf("%v in %s", err, data.String())
	}
	if _, err := parse(body.Bytes()); err != nil { // it refuses a key that stands twice
		t.Fatalf("%v in %s", err, body.String())
	}
	back, err := op.Reverse(body.Bytes(), vars)
	if op.byType {
		if err == nil {
			t.Fatalf("read back without types: %s", back)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v in %s", err, body.String())
	}
	if d := cmp.Diff(decoded(tb, want.Bytes()), decoded(tb, back)); d != "" {
		t.Fatalf("%s\nby way of %s", d, body.String())
	}
}
