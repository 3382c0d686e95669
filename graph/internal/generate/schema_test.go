package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// load completes a schema of one section, with the directives of the project.
func load(t *testing.T, section string) (*schema, error) {
	dir := t.TempDir()
	directives, err := os.ReadFile("../../schema/unpublished.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{unpublished: string(directives), "test": "# Test\n\n" + section} {
		if err := os.WriteFile(filepath.Join(dir, name+".graphqls"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return loadSchema(dir, []string{"test"})
}

// common is what every schema of these tests has.
const common = `
directive @range(min: Int!, max: Int!) on ARGUMENT_DEFINITION
type PageInfo { hasNextPage: Boolean! }
type PageNumbers { count: Int! }
interface Node {
  "Opaque."
  id: ID!
}
`

func TestMistakesInSections(t *testing.T) {
	for want, text := range map[string]string{
		"Undefined argument": "type Query { a: [Query!] @connection(limit: 3) }",
		"is no list":         "type Query { a: Query @connection }",
		"Undefined type":     "type Query { a: [Nothing!] @connection }",
	} {
		_, err := load(t, common+text)
		wantError(t, err, want)
	}
}

func TestUnlistedSection(t *testing.T) {
	_, err := loadSchema("../../schema", sections[1:])
	wantError(t, err, "sections, the list has")
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}
