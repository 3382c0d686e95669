// Package content holds the parts of the demo world that depend on no option: items, recipes, sets, classes, ability
// trees, aspects, news, and the two lands with everything on them. A file of content.zip is a JSON list of the records
// of a kind; a folder holds the kinds of one land. Lists that people edit, such as the cast and names, are files in
// data.
//
// The archive is the only source of its content: `make demo-content` unpacks and packs it.
package content

import (
	"archive/zip"
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
)

var (
	//go:embed content.zip
	archive []byte
	// data holds the texts of the demo world: lists of JSON records and lists of names, each with one entry per line.
	//
	//go:embed data
	data embed.FS
)

// Read returns the records of a kind of the archive, such as "items" or "country/plots".
func Read[T any](kind string) (records []*T) {
	files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		panic(err)
	}
	Decode(readFile(files, kind+".json"), &records)
	return records
}

func readFile(files fs.FS, name string) string {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Names returns the lines of a file of data.
func Names(name string) []string {
	return strings.Split(strings.TrimSpace(readFile(data, "data/"+name)), "\n")
}

// Records returns the records of a file of data.
func Records[T any](name string) (list []T) {
	Decode(readFile(data, "data/"+name), &list)
	return list
}

// Filled returns the records of a file of data after a replacer has filled in its blanks. Fields that a record leaves
// out come from usual.
func Filled[T any](name string, blanks *strings.Replacer, usual T) (list []*T) {
	for _, text := range Records[json.RawMessage](name) {
		record := usual
		Decode(blanks.Replace(string(text)), &record)
		list = append(list, &record)
	}
	return list
}

// Decode decodes JSON. The content is part of the program, so it panics if it is malformed or has unknown fields.
func Decode(text string, to any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		panic(fmt.Errorf("content of the demo world: %w", err))
	}
}
