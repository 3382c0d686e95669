package embedded

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A file that was cut off is reported, not mapped: reading behind its end would end the process.
func TestCutFile(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, fileName)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, pages := range []int{2, 3} {
		if err := os.WriteFile(file, whole[:pages*pageSize], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, Options{}); !errors.Is(err, ErrDamaged) {
			t.Errorf("%d pages: got %v, want ErrDamaged", pages, err)
		}
	}
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(dir, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
