package rest

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Random data of every operation comes back from its body as it was.
func TestShapeThenUnshape(t *testing.T) {
	for name, op := range load(t) {
		if name == "OnlinePlayers" {
			continue // its entries are worlds alone: who is on them is told by name or by uuid
		}
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) { thereAndBack(t, rt, op) })
		})
	}
}

// thereAndBack makes up data, shapes it and, where it can be undone, reads it back.
func thereAndBack(tb testing.TB, t *rapid.T, op *Operation) {
	vars := map[string]any{}
	for _, p := range op.parameters {
		if p.typ == "Boolean" {
			vars[p.name] = rapid.Bool().Draw(t, p.name)
		}
	}
	g := inventor{T: t, op: op, vars: vars}
	var data, want, body bytes.Buffer
	value := g.value(op.root, op.root.typ)
	data.WriteString(`{"` + op.root.name + `":`)
	write(&data, value, false)
	data.WriteByte('}')
	write(&want, value, true)

	if _, err := op.Shape(&body, data.Bytes(), vars); err != nil {
		t.Fatalf("%v in %s", err, data.String())
	}
	if _, err := parse(body.Bytes()); err != nil { // it refuses a key that stands twice
		t.Fatalf("%v in %s", err, body.String())
	}
	back, err := op.Unshape(body.Bytes(), vars)
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
