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

// Overlap is how long a generation is served after a newer one appeared: a client that has read a manifest needs
// minutes to download its files. Caches may store a file equally long: nobody receives it after twice this time.
const Overlap = 15 * time.Minute

// RemoveOld removes all generations except the latest and, during Overlap, the previous one.
func RemoveOld(dir string) error {
	older, err := olderServed(dir)
	if err != nil {
		return err
	}
	complete, _, err := generationsIn(dir)
	keep := 1
	if older {
		keep = 2
	}
	return errors.Join(err, removeAll(dir, complete[:max(0, len(complete)-keep)]))
}

// olderServed reports whether the manifest is newer than Overlap, and the previous generation is thus still served.
func olderServed(dir string) (bool, error) {
	info, err := os.Stat(filepath.Join(dir, manifestName))
	if errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	return err == nil && time.Since(info.ModTime()) < Overlap, err
}

func removeAll(dir string, names []string) error {
	var errs []error
	for _, name := range names {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, name)))
	}
	return errors.Join(errs...)
}
