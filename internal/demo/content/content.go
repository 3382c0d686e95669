// Package content holds the content of the demo world that depends on no option: items, recipes, sets, classes, ability
// trees, aspects, news, and the two lands with what is on them. A file of content.zip is a JSON list of the records of a
// kind; a folder has the kinds of one land. Lists that people edit, such as the cast and names, are the files of data.
//
// The archive is the only source of its content: `make demo-content` unpacks and packs it.
package content

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed content.zip
var archive []byte

// Read returns the records of a kind, such as "items" or "country/plots". The archive is part of the program, so it
// panics if a file is missing, malformed or has unknown fields.
func Read[T any](kind string) []*T {
	records, err := read[T](kind + ".json")
	if err != nil {
		panic(fmt.Errorf("content of the demo world: %s: %w", kind, err))
	}
	return records
}

func read[T any](name string) (records []*T, err error) {
	files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&records)
	return records, err
}
