package tabular

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// table is a list with objects inside its rows laid out as columns with dotted names.
type table struct {
	columns []string
	rows    [][]json.RawMessage // nil where the row lacks the column
}

// valueColumn is the column of rows that are no objects.
const valueColumn = "value"

// object is a JSON object with its members in order.
type object struct {
	names  []string
	values map[string]any // *object, or json.RawMessage of everything else
}

// readValue reads a JSON text: an object with those in it, anything else as it stands.
func readValue(text json.RawMessage) (any, error) {
	if form(text) != '{' {
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
		if _, twice := o.values[key]; !twice {
			o.names = append(o.names, key)
		}
		if o.values[key], err = readValue(inner); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// column is one that rows brought, with those of the objects in it.
type column struct {
	name  string
	leaf  bool // it holds values itself
	inner []*column
}

func (c *column) of(name string) *column {
	if i := slices.IndexFunc(c.inner, func(c *column) bool { return c.name == name }); i >= 0 {
		return c.inner[i]
	}
	c.inner = append(c.inner, &column{name: name})
	return c.inner[len(c.inner)-1]
}

// learn takes the columns that an object brings. What is null may be an object in another row.
func (c *column) learn(o *object) {
	for _, name := range o.names {
		switch value := o.values[name].(type) {
		case *object:
			c.of(name).learn(value)
		case json.RawMessage:
			inner := c.of(name)
			inner.leaf = inner.leaf || form(value) != 'n'
		}
	}
}

// flat are the paths of the cells. A column that is null wherever it is no object has no cell of
// its own, unless it is never an object: then it is null everywhere.
func (c *column) flat(path []string) [][]string {
	var out [][]string
	for _, inner := range c.inner {
		here := append(slices.Clone(path), inner.name)
		if inner.leaf || len(inner.inner) == 0 {
			out = append(out, here)
		}
		out = append(out, inner.flat(here)...)
	}
	return out
}

// tableOf lays a list out. Columns stand in the order in which rows bring them, those of one
// object side by side. Where an object is null in one row and whole in another, all its columns
// are null in the first. Lists in a row stay one cell. Rows of lists in a list begin with the
// places of the entries they stand under, named after their paths.
func tableOf(l *list) (*table, error) {
	rows := make([]any, len(l.rows))
	root := &column{}
	for i, text := range l.rows {
		var err error
		if rows[i], err = readValue(text); err != nil {
			return nil, err
		}
		if o, ok := rows[i].(*object); ok {
			root.learn(o)
		} else if form(text) != 'n' {
			root.of(valueColumn).leaf = true
		}
	}
	if len(root.inner) == 0 && len(rows) > 0 {
		root.of(valueColumn)
	}
	paths := root.flat(nil)
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
		for _, place := range l.under[i] {
			cells = append(cells, strconv.AppendInt(nil, int64(place), 10))
		}
		for _, p := range paths {
			cells = append(cells, cell(row, p))
		}
		t.rows = append(t.rows, cells)
	}
	return t, nil
}

// cell is the value at a path of a row, nil where there is none.
func cell(row any, path []string) json.RawMessage {
	for _, name := range path {
		o, ok := row.(*object)
		if !ok {
			text, _ := row.(json.RawMessage)
			if form(text) == 'n' || len(path) == 1 && name == valueColumn {
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
