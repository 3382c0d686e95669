// Package tabular turns a list of an answer into CSV or NDJSON: which list is meant, how its rows
// become columns, and how a cell is written. It is the same as what the console downloads, and
// pure: bytes in, bytes out. Requests, caches and errors over HTTP belong to the doors.
package tabular

import (
	"bytes"
	"encoding/json"
)

// Format is how a table is sent.
type Format int

// The formats. None means that no table is wanted: JSON.
const (
	None Format = iota
	CSV
	NDJSON
)

// ContentType is the media type of a format. What is sent begins with a header line, when it is
// CSV and has columns.
func (f Format) ContentType() string {
	if f == CSV {
		return "text/csv; charset=utf-8; header=present"
	}
	return "application/x-ndjson"
}

// String is the name of a format, which is the ending of its files too.
func (f Format) String() string {
	switch f {
	case CSV:
		return "csv"
	case NDJSON:
		return "ndjson"
	}
	return "json"
}

// Write is the list at a path of some data, as a format has it. The data is a JSON object as the
// executor writes it; the path is one that Choose gave. A path that is null in the data has no
// rows.
func Write(f Format, data []byte, path string) ([]byte, error) {
	list, err := at(data, path)
	if err != nil {
		return nil, err
	}
	if f == CSV {
		t, err := tableOf(list)
		if err != nil {
			return nil, err
		}
		return t.csv(), nil
	}
	var b bytes.Buffer
	for _, row := range list.rows {
		if err := json.Compact(&b, row); err != nil {
			return nil, err
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}
