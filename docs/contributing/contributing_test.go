// Package contributing_test holds the walked examples to the code: it applies them to a copy of the project, one after
// another, generates what follows from them, and type-checks the result.
package contributing_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamedata/internal/slowtest"
)

const root = "../.."

// examples are the pages in an order in which each finds what it builds on.
var examples = []string{"counter.md", "event.md", "collection.md", "endpoint.md", "leaderboard.md", "access-rule.md"}

// An edit is a fenced block whose info string says where its lines belong: the language, a file, and one of
//
//	after TEXT     behind the line that contains TEXT
//	before TEXT    in front of it
//	replace TEXT   in its place
//	end            at the end of the file
//	new            as a new file
type edit struct {
	page, file, place, text, lines string
}

func TestWalkedExamples(t *testing.T) {
	slowtest.Only(t)
	dir := t.TempDir()
	copyProject(t, dir)
	for _, page := range examples {
		for _, e := range edits(t, page) {
			apply(t, dir, e)
		}
	}
	run(t, dir, "run", "./graph/internal/generate")
	run(t, dir, "run", "./graph/internal/generate/operations")
	typeCheck(t, dir)
}

// copyProject copies what building the project needs.
func copyProject(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata", "data"}, d.Name()):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// edits returns the edits of a page.
func edits(t *testing.T, page string) (list []edit) {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split("\n"+string(data), "\n```")
	for i := 1; i < len(blocks); i += 2 {
		info, lines, _ := strings.Cut(blocks[i], "\n")
		words := strings.SplitN(info, " ", 4)
		if len(words) < 3 {
			continue
		}
		e := edit{page: page, file: words[1], place: words[2], lines: lines + "\n"}
		if len(words) == 4 {
			e.text = words[3]
		}
		list = append(list, e)
	}
	if len(list) == 0 {
		t.Errorf("%s has no block that names its file", page)
	}
	return list
}

func apply(t *testing.T, dir string, e edit) {
	t.Helper()
	path := filepath.Join(dir, e.file)
	data, err := os.ReadFile(path)
	if (e.place == "new") != errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%s: %s: %v", e.page, e.file, err)
	}
	before, after := string(data), ""
	if e.text != "" {
		line, end := theLine(t, e, before)
		switch e.place {
		case "after":
			line = end
		case "replace":
		case "before":
			end = line
		default:
			t.Fatalf("%s: there is no place %q", e.page, e.place)
		}
		before, after = before[:line], before[end:]
	}
	if err := os.WriteFile(path, []byte(before+e.lines+after), 0o600); err != nil {
		t.Fatal(err)
	}
}

// theLine returns where the only line with the edit's text begins and ends.
func theLine(t *testing.T, e edit, file string) (begin, end int) {
	t.Helper()
	if strings.Count(file, e.text) != 1 {
		t.Fatalf("%s: %s contains %q %d times, not once", e.page, e.file, e.text, strings.Count(file, e.text))
	}
	at := strings.Index(file, e.text)
	return strings.LastIndex(file[:at], "\n") + 1, at + strings.Index(file[at:], "\n") + 1
}

// run runs the go command in a folder and returns its output.
func run(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return out
}

// goPackage is a package as `go list -json` describes it.
type goPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct{ Main bool }
}

func (p goPackage) ours() bool { return p.Module != nil && p.Module.Main }

func list(t *testing.T, dir string, flags ...string) (packages []goPackage) {
	t.Helper()
	args := append([]string{"list", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Module"}, flags...)
	decoder := json.NewDecoder(strings.NewReader(string(run(t, dir, append(args, "./...")...))))
	for {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// typeCheck checks all packages in a folder. Packages of other modules come from the build cache.
func typeCheck(t *testing.T, dir string) {
	t.Helper()
	exports := map[string]string{}
	for _, p := range list(t, root, "-export") {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	known := importers{
		ours: map[string]*types.Package{},
		others: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
			return os.Open(exports[path])
		}),
	}
	config := types.Config{Importer: known, Error: func(err error) { t.Error(err) }}
	for _, p := range list(t, dir) { // in the order of their imports
		if !p.ours() {
			continue
		}
		files := make([]*ast.File, len(p.GoFiles))
		for i, name := range p.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files[i] = file
		}
		known.ours[p.ImportPath], _ = config.Check(p.ImportPath, fset, files, nil)
	}
}

type importers struct {
	ours   map[string]*types.Package
	others types.Importer
}

func (i importers) Import(path string) (*types.Package, error) {
	if p := i.ours[path]; p != nil {
		return p, nil
	}
	return i.others.Import(path)
}
