package content

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// Unpack writes the archive into a new directory: a JSON file per kind, with a list of its records.
func Unpack(dir string) error {
	files, err := open(archive)
	if err != nil {
		return err
	}
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(dir, strings.TrimSuffix(name, ".bson"))
		if entry.IsDir() {
			return os.Mkdir(target, 0o755)
		}
		text, err := readable(files, name)
		if err != nil {
			return err
		}
		return os.WriteFile(target+".json", text, 0o644)
	})
}

// readable returns the records of a file as JSON.
func readable(files fs.FS, name string) ([]byte, error) {
	documents, err := read[bson.D](files, name)
	if err != nil {
		return nil, err
	}
	records := make([]json.RawMessage, len(documents))
	for i, document := range documents {
		if records[i], err = bson.MarshalExtJSON(document, false, false); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	err = encoder.Encode(records)
	return out.Bytes(), err
}

// Pack returns an archive of the JSON files of a directory. Equal files give equal bytes.
func Pack(dir string) ([]byte, error) {
	var out bytes.Buffer
	zipped := zip.NewWriter(&out)
	zipped.RegisterCompressor(zstd.ZipMethodWinZip,
		zstd.ZipCompressor(zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1)))
	files := os.DirFS(dir)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		kind, ok := strings.CutSuffix(name, ".json")
		if !ok {
			return fmt.Errorf("%s is not a JSON file", name)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		file, err := zipped.CreateHeader(&zip.FileHeader{Name: kind + ".bson", Method: zstd.ZipMethodWinZip})
		if err != nil {
			return err
		}
		if err := writeDocuments(file, text); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = zipped.Close()
	return out.Bytes(), err
}

// writeDocuments writes a list of records as BSON.
func writeDocuments(w io.Writer, text []byte) error {
	var records []json.RawMessage
	if err := json.Unmarshal(text, &records); err != nil {
		return err
	}
	for _, record := range records {
		var document bson.D
		if err := bson.UnmarshalExtJSON(record, false, &document); err != nil {
			return err
		}
		raw, err := bson.Marshal(document)
		if err != nil {
			return err
		}
		if _, err := w.Write(raw); err != nil {
			return err
		}
	}
	return nil
}
