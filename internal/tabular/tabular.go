// Package tabular encodes a list of a GraphQL result as CSV or NDJSON: it chooses the list, flattens its rows into
// columns and formats the cells. The console's download does the same, with the columns that the rows have.
package tabular

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Format is the encoding of a table.
type Format int

// The formats. None means JSON instead of a table.
const (
	None Format = iota
	CSV
	NDJSON
)

// ContentType returns the media type of a format.
func (f Format) ContentType() string {
	if f == CSV {
		return "text/csv; charset=utf-8; header=present"
	}
	return "application/x-ndjson"
}

// String returns the name of a format, which is also its file extension.
func (f Format) String() string {
	switch f {
	case CSV:
		return "csv"
	case NDJSON:
		return "ndjson"
	}
	return "json"
}

// Write encodes the list at a path in the JSON object data. The path comes from Choose or Outermost; a null list has no
// rows. The operation that returned the data determines the columns of CSV: without one they are what the rows have.
func Write(f Format, data []byte, path string, op *ast.OperationDefinition) ([]byte, error) {
	l := &list{path: path, outer: make([][]json.RawMessage, strings.Count(path, "[]"))}
	if err := l.walk(data, path, nil); err != nil {
		return nil, err
	}
	if f == CSV {
		t, err := newTable(l, selected(op))
		if err != nil {
			return nil, err
		}
		return t.csv(), nil
	}
	var b bytes.Buffer
	for _, row := range l.rows {
		if row == nil {
			continue
		}
		if err := json.Compact(&b, row); err != nil {
			return nil, err
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}
