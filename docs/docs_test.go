package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest    = regexp.MustCompile(`\b(?:Test|Benchmark|Fuzz)[A-Z]\w+`)
	declaredTest = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)\(`)
)

// Tests that the documents name exist.
func TestNamedTestsExist(t *testing.T) {
	declared := map[string]bool{}
	each(t, "_test.go", func(_, text string) {
		for _, m := range declaredTest.FindAllStringSubmatch(text, -1) {
			declared[m[1]] = true
		}
	})
	each(t, ".md", func(path, text string) {
		for _, name := range namedTest.FindAllString(text, -1) {
			if !declared[name] {
				t.Errorf("%s names %s, which does not exist", path, name)
			}
		}
	})
}

// each calls f with every file of the project whose name ends with a suffix.
func each(t *testing.T, suffix string, f func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, suffix):
			return nil
		}
		data, err := os.ReadFile(path)
		f(path, string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
