package publicdump

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// generationsIn returns the complete generations of a directory, oldest first, and the names of incomplete ones.
func generationsIn(dir string) (complete, parts []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, nil
	}
	for _, e := range entries {
		name, isPart := strings.CutSuffix(strings.TrimPrefix(e.Name(), "."), ".part")
		if _, err := time.Parse(generationName, name); err != nil || !e.IsDir() {
			continue // not ours
		}
		if isPart {
			parts = append(parts, e.Name())
		} else {
			complete = append(complete, e.Name())
		}
	}
	return complete, parts, err
}

func removeParts(dir string) error {
	_, parts, err := generationsIn(dir)
	return errors.Join(err, removeAll(dir, parts))
}

func removeOld(dir string) error {
	complete, _, err := generationsIn(dir)
	return errors.Join(err, removeAll(dir, complete[:max(0, len(complete)-generations)]))
}

func removeAll(dir string, names []string) error {
	var errs []error
	for _, name := range names {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, name)))
	}
	return errors.Join(errs...)
}
