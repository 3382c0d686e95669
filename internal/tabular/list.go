package tabular

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// list are the entries found at a path.
type list struct {
	path string
	rows []json.RawMessage
	// under has for each row the places, from 0, of the entries it stands under: one for each
	// `[]` of the path.
	under [][]int
}

// at finds the entries at a path.
func at(data []byte, path string) (*list, error) {
	l := &list{path: path}
	return l, l.walk(data, path, nil)
}

// walk goes down the rest of a path. What is null, absent or of another form has no entries.
func (l *list) walk(value json.RawMessage, path string, under []int) error {
	if path == "" || strings.HasPrefix(path, "[]") {
		if form(value) != '[' {
			return nil
		}
		var entries []json.RawMessage
		if err := json.Unmarshal(value, &entries); err != nil {
			return fmt.Errorf("list %s: %w", l.path, err)
		}
		for i, entry := range entries {
			if path == "" {
				l.rows, l.under = append(l.rows, entry), append(l.under, under)
			} else if err := l.walk(entry, strings.TrimPrefix(path[2:], "."), append(slices.Clone(under), i)); err != nil {
				return err
			}
		}
		return nil
	}
	if form(value) != '{' {
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
		return l.walk(inner, rest, under)
	}
	return nil
}

// form is the first sign of a JSON text, which tells its type.
func form(value json.RawMessage) byte {
	if value = bytes.TrimLeft(value, " \t\r\n"); len(value) > 0 {
		return value[0]
	}
	return 0
}
