// Package publicdump writes and serves files with all game data that a guest may read, for download without an account.
// Fixed operations, run as a guest on the API's executor, decide the content of each line: there is no second
// implementation of access rules. Package dump, in contrast, exports everything, for operators.
//
// A directory contains a subdirectory for each recent generation of files, and manifest.json, which names the files of
// the latest. Files never change, and a manifest is written after its files: the directory can be copied at any time.
package publicdump

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// SchemaVersion is the version of the lines. Raise it when a field is removed or changes its meaning, not when a field
// is added.
const SchemaVersion = 1

const (
	manifestName   = "manifest.json"
	manifestFormat = "gamedata dumps"
	// generationName is the layout of the names of subdirectories.
	generationName = "20060102T150405Z"
	// maxManifest bounds a manifest in bytes.
	maxManifest = 1 << 20
)

// Manifest describes a generation of files.
type Manifest struct {
	Format        string    `json:"format"`
	SchemaVersion int       `json:"schemaVersion"`
	Program       string    `json:"program"`
	GeneratedAt   time.Time `json:"generatedAt"`
	Files         []File    `json:"files"`
}

// File is one file of a generation.
type File struct {
	// Name says what the file lists, such as "players".
	Name string `json:"name"`
	// Path is relative to the manifest.
	Path string `json:"path"`
	// Encoding is zstd or gzip. Both files of a name have the same lines.
	Encoding string `json:"encoding"`
	// Rows is the number of lines, each a JSON object.
	Rows int64 `json:"rows"`
	// Bytes and SHA256 describe the compressed file.
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	// UncompressedBytes is the size of all lines.
	UncompressedBytes int64 `json:"uncompressedBytes"`
}

// ReadManifest reads the manifest of a directory; nil if it has none.
func ReadManifest(dir string) (*Manifest, error) {
	file, err := os.Open(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxManifest))
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil || m.Format != manifestFormat {
		return nil, fmt.Errorf("%s is not a manifest of dumps", file.Name())
	}
	return &m, nil
}

// Due reports whether to write new files: the directory has no generation of the current day, in UTC.
func Due(dir string, now time.Time) (bool, error) {
	m, err := ReadManifest(dir)
	if m == nil {
		return err == nil, err
	}
	return m.GeneratedAt.UTC().Format(time.DateOnly) != now.UTC().Format(time.DateOnly), nil
}

// generation returns the name of the manifest's subdirectory.
func (m *Manifest) generation() string { return m.GeneratedAt.UTC().Format(generationName) }

func (m *Manifest) text() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	return append(text, '\n'), err
}

// String returns a summary.
func (m *Manifest) String() string {
	rows, size := int64(0), int64(0)
	for _, f := range m.Files {
		size += f.Bytes
		if f.Encoding == encodings[0].name {
			rows += f.Rows
		}
	}
	return fmt.Sprintf("wrote %d records to %d files, %.1f MB", rows, len(m.Files), float64(size)/1e6)
}

// replaceFile writes a file atomically.
func replaceFile(path string, content []byte) error {
	temp := path + ".part"
	file, err := os.OpenFile(temp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, filePermission)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, bytes.NewReader(content))
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(temp, path)
}
