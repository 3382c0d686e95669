package content_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDataFiles checks that each record or name has a separate line, and that no name is duplicate.
func TestDataFiles(t *testing.T) {
	paths, err := filepath.Glob("data/*")
	if err != nil || len(paths) == 0 {
		t.Fatal("no files of data", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
			if filepath.Ext(path) == ".json" {
				var records []json.RawMessage
				if err := json.Unmarshal(text, &records); err != nil {
					t.Fatal(err)
				}
				if len(records) != len(lines)-2 {
					t.Errorf("got %d records on %d lines, want one on each line between the brackets", len(records), len(lines))
				}
				return
			}
			for i, name := range lines {
				if name == "" || name != strings.TrimSpace(name) || slices.Contains(lines[:i], name) {
					t.Errorf("line %d: got %q, want another name without spaces around it", i+1, name)
				}
			}
		})
	}
}
