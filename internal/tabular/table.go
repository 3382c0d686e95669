package tabular

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// table is a list with nested objects flattened into columns with dotted names.
type table struct {
	columns []string
	rows    [][]json.RawMessage // nil if the row lacks the column
}

// valueColumn is the column of rows that are not objects.
const valueColumn = "value"

// object is a JSON object with its members in order.
type object struct {
	names  []string
	values map[string]any // *object or json.RawMessage
}

// readValue decodes nested objects; other values remain JSON text.
func readValue(text json.RawMessage) (any, error) {
	if kind(text) != '{' {
		return text, nil
	}
	o := &object{values: map[string]any{}}
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var inner json.RawMessage
		if err := dec.Decode(&inner); err != nil {
			return nil, err
		}
		key, _ := name.(string)
		if _, duplicate := o.values[key]; !duplicate {
			o.names = append(o.names, key)
		}
		o.values[key], err = readValue(inner)
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

// newTable flattens a list of an operation with these fields. Columns are in the order of the operation, or of
// appearance without one, columns of one object adjacent. If an object is null in a row, all its columns are null. A
// list in a row is one cell. Rows of nested lists begin with the values of the entries that contain them, except lists:
// `metric`, `at`, `value`. If an inner column has the same name, the outer column is `series[].metric`. If the outer
// entries have no columns, their index becomes a column named after the path.
func newTable(l *list, fields *column) (*table, error) {
	t, err := layOut(l.rows, fields.entries(l.path), true)
	if err != nil {
		return nil, err
	}
	if len(t.columns) == 0 && len(t.rows) > 0 {
		t.columns = []string{valueColumn}
		for i := range t.rows {
			t.rows[i] = []json.RawMessage{nil}
		}
	}
	parts := strings.Split(l.path, "[]")
	for level, entries := range slices.Backward(l.outer) {
		path := strings.Join(parts[:level+1], "[]")
		outer, err := layOut(entries, fields.entries(path), false)
		if err != nil {
			return nil, err
		}
		t.addOuter(path+"[]", outer.withoutLists(), l.places, level)
	}
	return t, nil
}

// addOuter puts the columns of an outer list before the columns of the table.
func (t *table) addOuter(path string, outer *table, places [][]place, level int) {
	var names []string
	for _, name := range outer.columns {
		if slices.Contains(t.columns, name) {
			name = path + "." + name
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		names = []string{path}
	}
	t.columns = append(names, t.columns...)
	for i, row := range t.rows {
		cells := make([]json.RawMessage, len(names), len(t.columns))
		if level < len(places[i]) {
			if at := places[i][level]; len(outer.columns) > 0 {
				copy(cells, outer.rows[at.entry])
			} else {
				cells[0] = strconv.AppendInt(nil, int64(at.index), 10)
			}
		}
		t.rows[i] = append(cells, row...)
	}
}

// withoutLists returns the table without columns that contain a list.
func (t *table) withoutLists() *table {
	plain := &table{rows: make([][]json.RawMessage, len(t.rows))}
	for c, name := range t.columns {
		isList := func(row []json.RawMessage) bool { return kind(row[c]) == '[' }
		if slices.ContainsFunc(t.rows, isList) {
			continue
		}
		plain.columns = append(plain.columns, name)
		for i, row := range t.rows {
			plain.rows[i] = append(plain.rows[i], row[c])
		}
	}
	return plain
}

// layOut flattens rows under the columns of root and those that they have besides, with or without selected lists.
func layOut(texts []json.RawMessage, root *column, lists bool) (*table, error) {
	rows := make([]any, len(texts))
	for i, text := range texts {
		var err error
		rows[i], err = readValue(text)
		if err != nil {
			return nil, err
		}
		if o, ok := rows[i].(*object); ok {
			root.add(o)
		} else if k := kind(text); k != 'n' && k != 0 {
			root.child(valueColumn).leaf = true
		}
	}
	paths := root.paths(nil, lists)
	t := &table{}
	for _, p := range paths {
		t.columns = append(t.columns, strings.Join(p, "."))
	}
	for _, row := range rows {
		cells := make([]json.RawMessage, 0, len(paths))
		for _, p := range paths {
			cells = append(cells, cell(row, p))
		}
		t.rows = append(t.rows, cells)
	}
	return t, nil
}

// cell returns the value at a path of a row, or nil.
func cell(row any, path []string) json.RawMessage {
	for _, name := range path {
		o, ok := row.(*object)
		if !ok {
			text, _ := row.(json.RawMessage)
			if kind(text) == 'n' || len(path) == 1 && name == valueColumn {
				return text
			}
			return nil
		}
		row, ok = o.values[name]
		if !ok {
			return nil
		}
	}
	text, _ := row.(json.RawMessage)
	return text
}
