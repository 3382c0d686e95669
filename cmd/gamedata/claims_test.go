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
	there := map[string]bool{}
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
			room := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../../")
			for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
				there[room+": "+m[1]] = true
			}
		}
	}
	// A cell such as "limit: TestTake, TestAgainstModel; door: TestOverload".
	named, room := 0, ""
	word := regexp.MustCompile(`([\w/]+): |\b(?:Test|Benchmark|Fuzz)[A-Z]\w+`)
	_, promises, _ := strings.Cut(string(page), "## The promises")
	promises, _, _ = strings.Cut(promises, "\n## ")
	for _, m := range word.FindAllStringSubmatch(promises, -1) {
		if m[1] != "" {
			room = m[1]
			continue
		}
		if named++; !there[room+": "+m[0]] {
			t.Errorf("%s has no %s", room, m[0])
		}
	}
	if named < 50 {
		t.Errorf("%d tests are named", named)
	}
}
