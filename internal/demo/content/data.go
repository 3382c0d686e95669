package content

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

// data holds the texts of the demo world: lists of JSON records and lists of names, each with one entry per line.
//
//go:embed data
var data embed.FS

func readFile(name string) string {
	text, err := data.ReadFile("data/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Names returns the lines of a file of data.
func Names(name string) []string { return strings.Split(strings.TrimSpace(readFile(name)), "\n") }

// Records returns the records of a file of data.
func Records[T any](name string) (list []T) {
	Decode(readFile(name), &list)
	return list
}

// Filled returns the records of a file of data after a replacer has filled in its blanks. What a record leaves out is
// as in usual.
func Filled[T any](name string, blanks *strings.Replacer, usual T) (list []*T) {
	var records []json.RawMessage
	Decode(blanks.Replace(readFile(name)), &records)
	for _, text := range records {
		record := usual
		Decode(string(text), &record)
		list = append(list, &record)
	}
	return list
}

// Decode decodes JSON. The data is part of the program, so it panics if it is malformed or has unknown fields.
func Decode(text string, to any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		panic(fmt.Errorf("internal/demo/content/data: %w", err))
	}
}
