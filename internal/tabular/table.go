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
	values map[string]any // *object, or json.RawMessage of everything else
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
		if o.values[key], err = readValue(inner); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// column is a column with the columns of its nested objects.
type column struct {
	name  string
	leaf  bool // it has values itself
	inner []*column
}

// child returns the nested column of a name and adds it if it is new.
func (c *column) child(name string) *column {
	if i := slices.IndexFunc(c.inner, func(c *column) bool { return c.name == name }); i >= 0 {
		return c.inner[i]
	}
	c.inner = append(c.inner, &column{name: name})
	return c.inner[len(c.inner)-1]
}

// add adds the columns of an object. A null value can be an object in another row.
func (c *column) add(o *object) {
	for _, name := range o.names {
		switch value := o.values[name].(type) {
		case *object:
			c.child(name).add(value)
		case json.RawMessage:
			inner := c.child(name)
			inner.leaf = inner.leaf || kind(value) != 'n'
		}
	}
}

// paths are the paths of the cells. A column that is an object or null has no cell itself; one that is
// always null has.
func (c *column) paths(path []string) [][]string {
	var out [][]string
	for _, inner := range c.inner {
		here := append(slices.Clone(path), inner.name)
		if inner.leaf || len(inner.inner) == 0 {
			out = append(out, here)
		}
		out = append(out, inner.paths(here)...)
	}
	return out
}

// newTable flattens a list. Columns are in order of appearance, those of one object adjacent. If an
// object is null in a row, all its columns are null there. A list in a row is one cell. Rows of nested
// lists begin with the indexes of the entries that contain them, named by their paths.
func newTable(l *list) (*table, error) {
	rows := make([]any, len(l.rows))
	root := &column{}
	for i, text := range l.rows {
		var err error
		if rows[i], err = readValue(text); err != nil {
			return nil, err
		}
		if o, ok := rows[i].(*object); ok {
			root.add(o)
		} else if kind(text) != 'n' {
			root.child(valueColumn).leaf = true
		}
	}
	if len(root.inner) == 0 && len(rows) > 0 {
		root.child(valueColumn)
	}
	paths := root.paths(nil)
	t := &table{}
	parts := strings.Split(l.path, "[]")
	for i := range len(parts) - 1 {
		t.columns = append(t.columns, strings.Join(parts[:i+1], "[]")+"[]")
	}
	for _, p := range paths {
		t.columns = append(t.columns, strings.Join(p, "."))
	}
	for i, row := range rows {
		cells := make([]json.RawMessage, 0, len(t.columns))
		for _, index := range l.parents[i] {
			cells = append(cells, strconv.AppendInt(nil, int64(index), 10))
		}
		for _, p := range paths {
			cells = append(cells, cell(row, p))
		}
		t.rows = append(t.rows, cells)
	}
	return t, nil
}

// cell is the value at a path of a row, nil if there is none.
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
		if row, ok = o.values[name]; !ok {
			return nil
		}
	}
	text, _ := row.(json.RawMessage)
	return text
}
