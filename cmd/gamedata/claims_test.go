package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every test, benchmark and fuzz target that docs/reliability.md names exists.
func TestClaimsHaveTests(t *testing.T) {
	page, err := os.ReadFile("../../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	exists := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)\(`)
	for _, pattern := range []string{"../../*/*_test.go", "../../*/*/*_test.go", "../../*/*/*/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../../")
			for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
				exists[pkg+": "+m[1]] = true
			}
		}
	}
	// A cell such as "internal/ratelimit: TestTake, TestAgainstModel; internal/httpapi: TestOverload".
	named, pkg := 0, ""
	word := regexp.MustCompile(`([\w/]+): |\b(?:Test|Benchmark|Fuzz)[A-Z]\w+`)
	_, promises, _ := strings.Cut(string(page), "## The promises")
	promises, _, _ = strings.Cut(promises, "\n## ")
	for _, m := range word.FindAllStringSubmatch(promises, -1) {
		if m[1] != "" {
			pkg = m[1]
			continue
		}
		if named++; !exists[pkg+": "+m[0]] {
			t.Errorf("%s has no %s", pkg, m[0])
		}
	}
	if named < 50 {
		t.Errorf("got %d named tests, want at least 50", named)
	}
}
