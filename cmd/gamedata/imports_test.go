package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// commandLines bounds a file of cmd/gamedata: a longer one probably contains logic.
const commandLines = 250

// mustNot lists packages of other modules that a package may not import.
var mustNot = map[string][]string{
	"resolvers": {"net/http"}, "loaders": {"net/http"}, "graph": {"net/http"},
	"rest/transform": {"net/http"},
	"internal/auth":  {"net/http"},
}

// The packages of core, and the packages below them, import nothing of outer: pages, demo world, tools and wiring reach
// data through the executor or the store.
var (
	core = []string{
		"graph", "resolvers", "loaders", "rest", "mongo", "internal/httpapi", "internal/graphqlhttp", "internal/auth",
		"internal/cache", "internal/jobs", "internal/events", "internal/feed", "internal/ratelimit", "internal/leaderboard",
		"internal/history",
	}
	outer = []string{
		"internal/web", "internal/demo", "internal/importer", "internal/dump", "internal/publicdump", "internal/conformance",
		"internal/doctor", "internal/app", "internal/config",
	}
)

// within reports whether the package is one of the list or below one.
func within(name string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool { return name == p || strings.HasPrefix(name, p+"/") })
}

// mayImport reads from docs/architecture.md which packages of this module a package may import: a row names the package
// first and the packages last, where "all" stands for each package.
func mayImport(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string][]string{}
	for row := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(row), "|")
		if len(cells) != 5 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		table[strings.Trim(cells[1], " `")] = strings.Split(strings.TrimSpace(cells[3]), ", ")
	}
	return table
}

func TestImports(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,GoFiles,Imports", "gamedata/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	table := mayImport(t)
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p struct {
			ImportPath       string
			GoFiles, Imports []string
		}
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, "gamedata/")
		allowed, ok := table[name]
		if !ok && len(p.GoFiles) > 0 {
			t.Errorf("the package %s is not in the table of docs/architecture.md", name)
			continue
		}
		delete(table, name)
		for _, i := range p.Imports {
			ours, ok := strings.CutPrefix(i, "gamedata/")
			if within(name, core) && within(ours, outer) {
				t.Errorf("the core (%s) imports %s", name, ours)
			}
			if ok && !slices.Contains(allowed, ours) && !slices.Contains(allowed, "all") {
				t.Errorf("%s imports %s", name, ours)
			}
			if slices.Contains(mustNot[name], i) {
				t.Errorf("%s imports %s", name, i)
			}
		}
	}
	for name := range table {
		if _, err := os.Stat("../../" + name); err != nil {
			t.Errorf("docs/architecture.md names the package %s, which does not exist", name)
		}
	}
}

// A type with more than maxMethods has more than one subject.
const maxMethods = 60

func TestTypesHaveFewMethods(t *testing.T) {
	methods := map[string]int{} // by package and type, without those that are generated
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(file) {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[filepath.Dir(path)+": "+receiver(f.Recv.List[0].Type)]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range methods {
		if n > maxMethods {
			t.Errorf("%s has %d methods, want at most %d", name, n, maxMethods)
		}
	}
}

// receiver returns the name of a receiver's type, without type parameters.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

// The module has at most eleven visible folders, and files of commands are short.
func TestLayout(t *testing.T) {
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && e.Name() != "data" && e.Name() != "bin" {
			folders = append(folders, e.Name())
		}
	}
	if len(folders) > 11 {
		t.Errorf("there are %d folders, want at most 11: %v", len(folders), folders)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n > commandLines && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s has %d lines, want at most %d", file, n, commandLines)
		}
	}
}
