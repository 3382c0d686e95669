// Package dump writes the game's data into a directory and brings it back: one file of NDJSON
// for every public collection, in MongoDB's canonical Extended JSON so that types survive, and a
// manifest that names them with their hashes. Accounts, credentials and what the service notes of
// its own work are never in it. Which collections are public is said by mongo.
//
// An archive holds what players hide and by which rules: it is for operators, not for publication.
package dump

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gamedata/mongo"
)

const (
	manifestName = "manifest.json"
	format       = "gamedata export"
	ending       = ".ndjson"

	// longestLine bounds one record: the store's are at most 16 MiB, and longer as text.
	longestLine = 64 << 20
	// longestManifest bounds the manifest.
	longestManifest = 1 << 20
)

// Manifest tells what an archive holds.
type Manifest struct {
	Format string `json:"format"`
	// Schema is the version of the records' forms, mongo.SchemaVersion of the program that wrote it.
	Schema int       `json:"schema"`
	Made   time.Time `json:"made"`
	// Program is the version of that program.
	Program string `json:"program"`
	// Epoch is that of the leaderboards' last writer.
	Epoch int64  `json:"epoch"`
	Files []File `json:"files"`
	// Check is the SHA-256 of the manifest with an empty check: it finds damage, and is no
	// signature.
	Check string `json:"check"`
}

// File is one collection.
type File struct {
	Collection string `json:"collection"`
	Rows       int    `json:"rows"`
	Bytes      int64  `json:"bytes"`
	SHA256     string `json:"sha256"`
}

// Name is that of the file.
func (f File) Name() string { return f.Collection + ending }

// Exists tells whether a path is a directory with a manifest.
func Exists(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, manifestName))
	return err == nil && info.Mode().IsRegular()
}

func (m Manifest) sum() (string, error) {
	m.Check = ""
	text, err := json.Marshal(m)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// readManifest reads the manifest of a directory. Its files are not looked at.
func readManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestName)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > longestManifest {
		return nil, fmt.Errorf("%s is too long for a manifest", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m Manifest
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if dec.More() {
		return nil, fmt.Errorf("%s holds more than a manifest", path)
	}
	if err := m.valid(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &m, nil
}

func (m *Manifest) valid() error {
	sum, err := m.sum()
	switch {
	case err != nil:
		return err
	case m.Format != format:
		return fmt.Errorf("its format is %q, not %q", m.Format, format)
	case m.Schema != mongo.SchemaVersion:
		return fmt.Errorf("its records have schema version %d, this program reads %d", m.Schema, mongo.SchemaVersion)
	case m.Check != sum:
		return errors.New("it was changed since it was written: its check does not fit")
	}
	seen := map[string]bool{}
	for _, f := range m.Files {
		if seen[f.Collection] || !slices.Contains(mongo.Exported(), f.Collection) {
			return fmt.Errorf("it names the collection %q, which no export holds, or holds once", f.Collection)
		}
		seen[f.Collection] = true
	}
	for _, name := range mongo.Exported() {
		if !seen[name] {
			return fmt.Errorf("the collection %s is missing", name)
		}
	}
	return nil
}

// Options of Write and Read.
type Options struct {
	// Progress is told of every file: how many records are done.
	Progress func(collection string, rows int)
	// Still runs work while nobody writes leaderboards, and tells it the epoch of what is written.
	WithLease func(ctx context.Context, work func(ctx context.Context, epoch int64) error) error
	// Resume has the store's leaderboards go on after an epoch. For Read.
	RaiseEpoch func(ctx context.Context, epoch int64) error
	// Program is the version of this program, and Now the time that goes into the manifest. For Write.
	Program string
	Now     time.Time
	// Replace lets an archive that is there give way to the new one. For Write.
	Replace bool
}

func (o Options) progress(collection string, rows int) {
	if o.Progress != nil {
		o.Progress(collection, rows)
	}
}
