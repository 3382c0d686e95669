package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
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

// wantType compares the published text of a type, without descriptions.
func wantType(t *testing.T, s *schema, name, want string) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(s.definition(s.Types[name])) {
		if !strings.HasPrefix(strings.TrimSpace(line), `"`) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if got := strings.Join(lines, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestConnection(t *testing.T) {
	s, err := load(t, common+`
type Query {
  cats(
    "Only these."
    names: [String!]
  ): [Cat!]! @connection(max: 1000) @deprecated
}
extend type Query {
  litter: [Cat!] @connection(numbered: true)
  strays: [Cat!]! @connection(name: "StrayConnection")
}
type Cat { name: String! }
type StrayConnection {
  "How many are hungry."
  hungry: Int!
  "Not counted."
  totalCount: Int
}
`)
	if err != nil {
		t.Fatal(err)
	}
	paging := func(most string) string {
		number := "Int @range(min: 0, max: " + most + ")"
		return "first: " + number + " after: String last: " + number + " before: String"
	}
	wantType(t, s, "Query", `type Query { cats( names: [String!] `+paging("1000")+` ): CatConnection! @deprecated litter( `+
		paging("100000")+` page: Int @range(min: 1, max: 2147483647) ): CatConnection strays( `+paging("100000")+
		` ): StrayConnection! }`)
	wantType(t, s, "CatConnection", "type CatConnection { edges: [CatEdge!]! nodes: [Cat!]! pageInfo: PageInfo! "+
		"totalCount: Int! pageNumbers: PageNumbers }")
	wantType(t, s, "CatEdge", "type CatEdge { cursor: String! node: Cat! }")
	wantType(t, s, "StrayConnection", "type StrayConnection { edges: [CatEdge!]! nodes: [Cat!]! pageInfo: PageInfo! "+
		"totalCount: Int hungry: Int! }")
	first := s.Types["Query"].Fields.ForName("cats").Arguments.ForName("first").Description
	if !strings.Contains(first, "0 to 1,000;") {
		t.Errorf("first is described as %s", first)
	}
	if sdl := s.sdl("test"); !strings.HasPrefix(sdl, "# Test\n") || strings.Contains(sdl, "@connection") {
		t.Errorf("got %s", sdl)
	}
}

func TestInheritedFields(t *testing.T) {
	s, err := load(t, common+`
type Query { pet: Pet }
interface Pet { name: String! }
interface Hunter implements Pet { prey: Int! }
"A cat."
type HouseCat implements Hunter & Pet & Node {
  lives: Int!
  "In its purr."
  name: String!
}
type Dog implements Pet
enum PetType @implementers(of: "Pet")
`)
	if err != nil {
		t.Fatal(err)
	}
	wantType(t, s, "Hunter", "interface Hunter implements Pet { name: String! prey: Int! }")
	wantType(t, s, "HouseCat", "type HouseCat implements Hunter & Pet & Node { name: String! prey: Int! id: ID! lives: Int! }")
	wantType(t, s, "Dog", "type Dog implements Pet { name: String! }")
	wantType(t, s, "PetType", "enum PetType { HOUSE_CAT DOG }")
	if got := s.Types["HouseCat"].Fields.ForName("id").Description; got != "Opaque." {
		t.Errorf("the inherited field is described as %q", got)
	}
	if got := s.Types["PetType"].EnumValues[0].Description; got != "A cat." {
		t.Errorf("the value is described as %q", got)
	}
}

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

func TestDescriptions(t *testing.T) {
	def := &ast.Definition{Kind: ast.Enum, Name: "A", Description: "One.", EnumValues: ast.EnumValueList{
		{Name: "B", Description: `The "one".`}, {Name: "C", Description: "One.\n\nTwo, …"}, {Name: "D", Description: "Two."},
	}}
	const want = `"One."
enum A {
  """
  The "one".
  """
  B
  """
  One.

  Two, …
  """
  C
  "Two."
  D
}
`
	if got := text(&ast.SchemaDocument{Definitions: ast.DefinitionList{def}}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
