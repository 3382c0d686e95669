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
	// rows are the entries; nil for an entry of an outer list that has none here.
	rows []json.RawMessage
	// places has for each row the entries that contain it, the outermost first.
	places [][]place
	// outer has the entries of each list that contains this one: of each `[]` of the path.
	outer [][]json.RawMessage
}

// place is an entry of an outer list: its index in the list that it is in, and in all lists of its path.
type place struct{ index, entry int }

// findList finds the entries at a path.
func findList(data []byte, path string) (*list, error) {
	l := &list{path: path, outer: make([][]json.RawMessage, strings.Count(path, "[]"))}
	return l, l.walk(data, path, nil)
}

func (l *list) add(row json.RawMessage, places []place) {
	l.rows, l.places = append(l.rows, row), append(l.places, places)
}

// walk follows the rest of a path. A value that is null, missing or of another type has no entries.
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

// kind is the first byte of a JSON text, which determines its type.
func kind(value json.RawMessage) byte {
	value = bytes.TrimLeft(value, " \t\r\n")
	if len(value) > 0 {
		return value[0]
	}
	return 0
}
