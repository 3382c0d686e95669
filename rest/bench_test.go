package rest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkShape writes the largest recorded body from its data; encoding/json decoding and
// encoding the same data stands beside it as the measure.
func BenchmarkShape(b *testing.B) {
	recorded(b)
	body, err := os.ReadFile(filepath.Join("../../shared/data", "item-recipe-database-full_result.json"))
	if err != nil {
		b.Fatal(err)
	}
	op := load(b)["RecipeDatabase"]
	value, err := op.Unshape(body, map[string]any{})
	if err != nil {
		b.Fatal(err)
	}
	unalias(op.root)
	data := json.RawMessage(`{"` + op.root.name + `":` + string(value) + `}`)
	vars := map[string]any{"full_result": true}
	b.Run("shape", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := op.Shape(grow(len(data)), data, vars); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("unshape", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := op.Unshape(body, vars); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				b.Fatal(err)
			}
			var out bytes.Buffer
			if err := json.NewEncoder(&out).Encode(v); err != nil {
				b.Fatal(err)
			}
		}
	})
}
