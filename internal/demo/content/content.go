// Package content holds the content of the demo world that depends on no option: items, recipes, sets, classes, ability
// trees, aspects, news, and the two lands with what is on them. A file of content.zip has the records of a kind as the
// store has them: BSON documents, without null fields. A folder has the kinds of one land.
//
// Lists that people edit, such as the cast, news and names, are the files of data.
//
// The archive is the only source of the content. To change it, unpack it into data/demo-content with
// `make demo-content`, edit the JSON files there, pack them with `make demo-content PACK=1`, and delete the directory.
// The types of numbers follow from the structs that records are read into.
package content

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/klauspost/compress/zstd"
	"go.mongodb.org/mongo-driver/v2/bson"
)

//go:embed content.zip
var archive []byte

// Read returns the records of a kind, such as "items" or "country/plots". The archive is part of the program, so it
// panics if a file is missing or malformed.
func Read[T any](kind string) []*T {
	files, err := open(archive)
	if err != nil {
		panic(err)
	}
	records, err := read[T](files, kind+".bson")
	if err != nil {
		panic(fmt.Errorf("content of the demo world: %s: %w", kind, err))
	}
	return records
}

// open opens an archive. Its files are read when they are needed.
func open(archive []byte) (*zip.Reader, error) {
	files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	files.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor())
	return files, nil
}

// read returns the documents of a file.
func read[T any](files fs.FS, name string) ([]*T, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	documents := bson.NewDecoder(bson.NewDocumentReader(file))
	documents.UseJSONStructTags() // as the store does
	var out []*T
	for {
		record := new(T)
		switch err := documents.Decode(record); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		}
		out = append(out, record)
	}
}
