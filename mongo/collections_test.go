package mongo_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gamedata/mongo"
)

var update = flag.Bool("update", false, "rewrite docs/collections.md")

// Every collection name of the package is a constant of collections.go or in content.go, with an entry in
// the table, and no code names a collection by a literal.
func TestCollectionsAreComplete(t *testing.T) {
	var listed []string
	for _, c := range mongo.Collections {
		if slices.Contains(listed, c.Name) {
			t.Errorf("duplicate entry of %s", c.Name)
		}
		if c.Description == "" {
			t.Errorf("%s has no description", c.Name)
		}
		listed = append(listed, c.Name)
	}
	var named []string
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 0 {
				f, isMethod := call.Fun.(*ast.SelectorExpr)
				literal, isLiteral := call.Args[0].(*ast.BasicLit)
				if isMethod && isLiteral && f.Sel.Name == "Collection" {
					t.Errorf("%s: Collection(%s) wants a constant of collections.go", name, literal.Value)
				}
			}
			return true
		})
		switch name {
		case "collections.go":
			named = append(named, constantNames(t, file)...)
		case "content.go":
			named = append(named, contentNames(t, file)...)
		}
	}
	slices.Sort(named)
	if want := slices.Sorted(slices.Values(listed)); !slices.Equal(named, want) {
		t.Errorf("constants and content are %v, collections in the table %v", named, want)
	}
}

// constantNames returns the values of the first block of constants.
func constantNames(t *testing.T, file *ast.File) (names []string) {
	t.Helper()
	at := slices.IndexFunc(file.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return ok && g.Tok == token.CONST
	})
	for _, spec := range file.Decls[at].(*ast.GenDecl).Specs {
		names = append(names, unquote(t, spec.(*ast.ValueSpec).Values[0]))
	}
	return names
}

// contentNames returns the names of the values of type Content.
func contentNames(t *testing.T, file *ast.File) (names []string) {
	t.Helper()
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.CompositeLit); ok {
			if kind, ok := literal.Type.(*ast.IndexExpr); ok && kind.X.(*ast.Ident).Name == "Content" {
				names = append(names, unquote(t, literal.Elts[0].(*ast.KeyValueExpr).Value))
			}
		}
		return true
	})
	return names
}

func unquote(t *testing.T, literal ast.Expr) string {
	t.Helper()
	text, err := strconv.Unquote(literal.(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// docs/collections.md is generated from the table; -update rewrites it.
func TestCollectionDocs(t *testing.T) {
	const path = "../docs/collections.md"
	want := collectionDocs()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date: run go test ./mongo -run TestCollectionDocs -update", path)
	}
}

func collectionDocs() string {
	var b strings.Builder
	b.WriteString(`# Collections

Generated from ` + "`mongo.Collections`" + `; do not edit.

*Content* is small and read whole; every instance caches it and compares its version. *Export* says whether
` + "`gamedata export`" + ` writes the collection. *Import* lists the GraphQL root fields whose recorded responses
` + "`gamedata import`" + ` stores in it. An index is unique where noted; ` + "`-`" + ` marks a descending field; *TTL* indexes expire records. [What to write for each event of a game](feeding.md#without-http) lists the
derived fields.

| collection | contains | key | indexes | content | export | import |
|---|---|---|---|---|---|---|
`)
	code := func(s string) string { return "`" + s + "`" }
	for _, c := range mongo.Collections {
		key, indexes, content, imported := "_id", []string{}, "", []string{}
		if c.Key != "" {
			key = c.Key
		}
		for _, ix := range c.Indexes {
			text := code(strings.Join(ix.Fields, ", "))
			switch {
			case ix.Unique:
				text += " unique"
			case ix.Expires:
				text += " TTL"
			case ix.Exists != "":
				text += " if " + code(ix.Exists) + " exists"
			case ix.True != "":
				text += " if " + code(ix.True)
			}
			indexes = append(indexes, text)
		}
		if c.Content {
			content = "yes"
		}
		for _, f := range c.ImportedFrom {
			imported = append(imported, code(f))
		}
		export := map[mongo.Export]string{
			mongo.Private: "no", mongo.GameData: "yes", mongo.Derived: "yes", mongo.Leaderboard: "yes, under the lease",
		}[c.Export]
		if c.Withheld != "" {
			export += ", without " + code(c.Withheld)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", code(c.Name), c.Description, code(key),
			strings.Join(indexes, "; "), content, export, strings.Join(imported, ", "))
	}
	return b.String()
}
