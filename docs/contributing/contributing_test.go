// Package contributing_test holds the walked examples to the code: it applies them to a copy of the project, one after
// another, generates what follows from them, and builds the result.
package contributing_test

import (
	"errors"
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
var examples = []string{
	"counter.md", "event.md", "collection.md", "endpoint.md", "leaderboard.md", "access-rule.md", "filter.md",
}

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
	run(t, dir, "build", "./...")
}

// copyProject copies what building the project needs.
func copyProject(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "data" || slices.Contains([]string{".git", "node_modules", "testdata"}, d.Name())):
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

// run runs the go command in a folder.
func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
