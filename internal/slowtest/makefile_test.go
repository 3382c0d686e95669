package slowtest_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The Makefile lists the slow tests, the packages in which something can race, and the fuzz targets.
func TestMakefile(t *testing.T) {
	slow := regexp.MustCompile(`(?m)^func (Test\w+)\(.*\n\tslowtest\.Only\(t\)`)
	fuzz := regexp.MustCompile(`(?m)^func (Fuzz\w+)`)
	races := regexp.MustCompile(`(?m)^\s*go [a-z]|\.Go\b|\bsync\.|\batomic\.`)
	found := map[string]map[string]bool{"SLOW": {}, "SLOW_PACKAGES": {}, "FUZZ": {}, "RACE": {}}
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && (e.Name() == "node_modules" || e.Name() == "testdata") {
			return fs.SkipDir
		}
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		source, err := fs.ReadFile(root, path)
		dir := filepath.ToSlash(filepath.Dir(path))
		if !strings.HasSuffix(path, "_test.go") {
			if races.Match(source) && !strings.HasSuffix(dir, "test") {
				found["RACE"]["./"+dir] = true
			}
			return err
		}
		for _, m := range slow.FindAllSubmatch(source, -1) {
			found["SLOW"][string(m[1])], found["SLOW_PACKAGES"]["./"+dir] = true, true
		}
		for _, m := range fuzz.FindAllSubmatch(source, -1) {
			found["FUZZ"][dir+":"+string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := fs.ReadFile(root, "Makefile")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.ReplaceAll(string(makefile), "\\\n", "")
	for name, want := range found {
		_, listed, _ := strings.Cut(lines, "\n"+name+" := ")
		listed, _, _ = strings.Cut(listed, "\n")
		got := strings.Fields(listed)
		slices.Sort(got)
		if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), got); diff != "" {
			t.Errorf("%s: -sources +Makefile:\n%s", name, diff)
		}
	}
}
