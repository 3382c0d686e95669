package tabular

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// list is the entries at a path.
type list struct {
	path string
	rows []json.RawMessage
	// parents has for each row the indexes of the entries that contain it, one for each `[]` of the
	// path.
	parents [][]int
}

// findList finds the entries at a path.
func findList(data []byte, path string) (*list, error) {
	l := &list{path: path}
	return l, l.walk(data, path, nil)
}

// walk follows the rest of a path. A value that is null, missing or of another type has no entries.
func (l *list) walk(value json.RawMessage, path string, parents []int) error {
	if path == "" || strings.HasPrefix(path, "[]") {
		if kind(value) != '[' {
			return nil
		}
		var entries []json.RawMessage
		if err := json.Unmarshal(value, &entries); err != nil {
			return fmt.Errorf("list %s: %w", l.path, err)
		}
		for i, entry := range entries {
			if path == "" {
				l.rows, l.parents = append(l.rows, entry), append(l.parents, parents)
			} else if err := l.walk(entry, strings.TrimPrefix(path[2:], "."), append(slices.Clone(parents), i)); err != nil {
				return err
			}
		}
		return nil
	}
	if kind(value) != '{' {
		return nil
	}
	end := strings.IndexAny(path, ".[")
	step, rest := path, ""
	if end >= 0 {
		step, rest = path[:end], strings.TrimPrefix(path[end:], ".")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(value, &members); err != nil {
		return fmt.Errorf("list %s: %w", l.path, err)
	}
	if inner, ok := members[step]; ok {
		return l.walk(inner, rest, parents)
	}
	return nil
}

// kind is the first byte of a JSON text, which determines its type.
func kind(value json.RawMessage) byte {
	if value = bytes.TrimLeft(value, " \t\r\n"); len(value) > 0 {
		return value[0]
	}
	return 0
}
