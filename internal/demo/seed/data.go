package seed

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

// files holds the texts of the demo world: lists of JSON records and lists of names, each with one entry per line.
//
//go:embed data
var files embed.FS

func readFile(name string) string {
	text, err := files.ReadFile("data/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// readNames returns the lines of a file of data.
func readNames(name string) []string { return strings.Split(strings.TrimSpace(readFile(name)), "\n") }

func readRecords[T any](name string) []T {
	var list []T
	decode(readFile(name), &list)
	return list
}

// decode decodes JSON. The data is part of the program, so it panics if it is malformed or has unknown fields.
func decode(text string, to any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		panic(fmt.Errorf("internal/demo/seed/data: %w", err))
	}
}
