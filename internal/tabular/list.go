package tabular

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// list holds the entries at a path.
type list struct {
	path string
	// rows holds the entries; nil is an outer entry without entries here.
	rows []json.RawMessage
	// places lists, for each row, the entries that contain it, outermost first.
	places [][]place
	// outer holds the entries of each outer list, one for each `[]` in the path.
	outer [][]json.RawMessage
}

// place locates an entry of an outer list: index counts within its own list, entry across all lists at that path.
type place struct{ index, entry int }

func (l *list) add(row json.RawMessage, places []place) {
	l.rows, l.places = append(l.rows, row), append(l.places, places)
}

// walk follows the rest of a path. A null, missing or differently typed value has no entries.
func (l *list) walk(value json.RawMessage, path string, places []place) error {
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
				l.add(entry, places)
				continue
			}
			level, before := len(places), len(l.rows)
			inside := append(slices.Clone(places), place{i, len(l.outer[level])})
			l.outer[level] = append(l.outer[level], entry)
			if err := l.walk(entry, strings.TrimPrefix(path[2:], "."), inside); err != nil {
				return err
			}
			if len(l.rows) == before {
				l.add(nil, inside)
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
		return l.walk(inner, rest, places)
	}
	return nil
}

// kind returns the first byte of a JSON text, which determines its type.
func kind(value json.RawMessage) byte {
	value = bytes.TrimLeft(value, " \t\r\n")
	if len(value) > 0 {
		return value[0]
	}
	return 0
}
