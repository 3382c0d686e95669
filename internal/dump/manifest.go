// Package dump exports the game's data into a directory and imports it again: one NDJSON file for each exported
// collection, in MongoDB's canonical Extended JSON, which preserves types, and a manifest with their hashes. Accounts,
// credentials and the service's own records are not exported; mongo.Collections lists the exported collections.
//
// An export contains data that players hide: it is for operators, not for publication.
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

	"gamedata/internal/userfile"
	"gamedata/mongo"
)

const (
	manifestName   = "manifest.json"
	manifestFormat = "gamedata export"
	fileExt        = ".ndjson"

	// maxLine limits one record in bytes: the store allows 16 MiB, and the text is longer.
	maxLine = 64 << 20
	// maxManifest bounds the manifest in bytes.
	maxManifest = 1 << 20
)

// Manifest describes an export.
type Manifest struct {
	Format string `json:"format"`
	// Schema is mongo.SchemaVersion of the program that wrote it.
	Schema int       `json:"schema"`
	Made   time.Time `json:"made"`
	// Program is the version of that program.
	Program string `json:"program"`
	// Epoch is the epoch of the lease under which the leaderboards were exported.
	Epoch int64  `json:"epoch"`
	Files []File `json:"files"`
	// Check is the SHA-256 of the manifest with an empty check. It detects damage but is not a signature.
	Check string `json:"check"`
}

// File is the file of one collection.
type File struct {
	Collection string `json:"collection"`
	Rows       int    `json:"rows"`
	Bytes      int64  `json:"bytes"`
	SHA256     string `json:"sha256"`
}

// Name returns the file name.
func (f File) Name() string { return f.Collection + fileExt }

// Exists reports whether dir is a directory with a manifest.
func Exists(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, manifestName))
	return err == nil && info.Mode().IsRegular()
}

func (m Manifest) checksum() (string, error) {
	m.Check = ""
	text, err := json.Marshal(m)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// readManifest reads and checks the manifest of a directory, not its files.
func readManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestName)
	text, err := userfile.Read(path, maxManifest)
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
		return nil, fmt.Errorf("%s contains more than a manifest", path)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &m, nil
}

func (m *Manifest) check() error {
	sum, err := m.checksum()
	switch {
	case err != nil:
		return err
	case m.Format != manifestFormat:
		return fmt.Errorf("its format is %q, want %q", m.Format, manifestFormat)
	case m.Schema != mongo.SchemaVersion:
		return fmt.Errorf("its records have schema version %d, this program reads %d", m.Schema, mongo.SchemaVersion)
	case m.Check != sum:
		return errors.New("it was changed after the export: wrong checksum")
	}
	exported, seen := mongo.Exported(), map[string]bool{}
	for _, f := range m.Files {
		known := slices.ContainsFunc(exported, func(c mongo.Collection) bool { return c.Name == f.Collection })
		if !known || seen[f.Collection] {
			return fmt.Errorf("the collection %q, which is duplicate or not part of an export", f.Collection)
		}
		seen[f.Collection] = true
	}
	for _, c := range exported {
		if !seen[c.Name] {
			return fmt.Errorf("the collection %s is missing", c.Name)
		}
	}
	return nil
}

// Options configure Export and Import.
type Options struct {
	// Progress, when set, is called with the number of records done in each file and their approximate total.
	Progress func(collection string, done, total int)
	// WhileIdle runs read and passes it the epoch of the leaderboards' lease. It repeats read if leaderboards were
	// refreshed meanwhile.
	WhileIdle func(ctx context.Context, read func(ctx context.Context, epoch int64) error) error
	// WithLease runs work under the lease of the leaderboards and passes it the epoch.
	WithLease func(ctx context.Context, work func(ctx context.Context, epoch int64) error) error
	// RaiseEpoch makes later leases of the leaderboards use higher epochs. For Import.
	RaiseEpoch func(ctx context.Context, epoch int64) error
	// Program and Now are written into the manifest. For Export.
	Program string
	Now     time.Time
	// Replace allows replacing an earlier export. For Export.
	Replace bool
}

func (o Options) progress(collection string, done, total int) {
	if o.Progress != nil {
		o.Progress(collection, done, total)
	}
}
