package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The declaration of an event says whether the schema has its type.
func TestMistakesInEvents(t *testing.T) {
	s, err := load(t, common+"type Query { e: CameOnline }\ntype CameOnline { id: ID! }")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"type Secret struct { EventHead }", "type CameOnline struct { EventHead `internal:\"true\"` }",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte("package x\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
		types, err := parseModel(dir)
		if err != nil {
			t.Fatal(err)
		}
		wantError(t, writeEvents(new(goFile), s, types), "either internal or a type of the schema")
	}
}
