package dump

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/internal/cache"
	"gamedata/internal/userfile"
	"gamedata/mongo"
)

// ErrStoreNotEmpty means that the store already has data. Import requires an empty store.
var ErrStoreNotEmpty = errors.New("the store is not empty")

// importingKey marks a store while an export is imported into it.
const importingKey = "refillBegun"

// A batch is written once it reaches this many records or bytes of text.
const (
	batchRows  = 1000
	batchBytes = 8 << 20
)

// Import writes an export to an empty store. It checks hash, length and number of records of every file before it
// writes anything. If writing fails, it deletes the written records; the next import starts over after an import that
// was killed.
func Import(ctx context.Context, store *mongo.Store, dir string, o Options) (*Manifest, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range m.Files {
		if err := f.read(dir, nil); err != nil {
			return nil, err
		}
	}
	if err := checkEmpty(ctx, store); err != nil {
		return nil, err
	}
	err = o.WithLease(ctx, func(ctx context.Context, _ int64) error {
		err := m.restore(ctx, store, dir, o)
		if err == nil {
			return nil
		}
		// Clean up even if ctx is cancelled.
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		cleanup := store.Export.Clear(end)
		if cleanup == nil {
			cleanup = store.DeleteMark(end, importingKey)
		}
		return errors.Join(err, cleanup, store.Purge(end, cache.Everything))
	})
	return m, err
}

// checkEmpty returns an error when a store has data, except from an interrupted import.
func checkEmpty(ctx context.Context, store *mongo.Store) error {
	interrupted, err := importing(ctx, store)
	if err != nil || interrupted {
		return err
	}
	name, err := store.Export.NonEmptyCollection(ctx)
	if err == nil && name != "" {
		err = fmt.Errorf("%w: it has %s", ErrStoreNotEmpty, name)
	}
	return err
}

// CheckWhole returns an error when an import into a store has not finished: the store has a part of the data, and all
// of it is deleted when the import is repeated.
func CheckWhole(ctx context.Context, store *mongo.Store) error {
	interrupted, err := importing(ctx, store)
	if err == nil && interrupted {
		err = errors.New("an import into this store was interrupted, or is running: repeat it first")
	}
	return err
}

// importing reports whether an import into a store was interrupted.
func importing(ctx context.Context, store *mongo.Store) (bool, error) {
	var check string
	return store.ReadMark(ctx, importingKey, &check)
}

func (m *Manifest) restore(ctx context.Context, store *mongo.Store, dir string, o Options) error {
	if err := store.Export.Clear(ctx); err != nil {
		return err
	}
	if err := store.SetMark(ctx, importingKey, m.Check); err != nil {
		return err
	}
	for _, f := range m.Files {
		var batch []bson.D
		size, rows := 0, 0
		flush := func() error {
			err := store.Export.Insert(ctx, f.Collection, batch)
			rows += len(batch)
			o.progress(f.Collection, rows, f.Rows)
			batch, size = batch[:0], 0
			return err
		}
		err := f.read(dir, func(record bson.D, length int) error {
			batch = append(batch, record)
			size += length
			if len(batch) < batchRows && size < batchBytes {
				return nil
			}
			return flush()
		})
		if err == nil {
			err = flush()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Collection, err)
		}
	}
	if err := store.DeleteMark(ctx, importingKey); err != nil {
		return err
	}
	if err := o.RaiseEpoch(ctx, m.Epoch); err != nil {
		return err
	}
	return store.Purge(ctx, cache.Everything) // a running service may have cached the empty store
}

// read passes every record of a file and the length of its text to each, unless each is nil. It returns an error if the
// file does not match the manifest.
func (f File) read(dir string, each func(record bson.D, length int) error) error {
	in, err := userfile.Open(filepath.Join(dir, f.Name()))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	sum := sha256.New()
	counted := &byteCounter{r: io.TeeReader(in, sum)}
	lines := bufio.NewScanner(counted)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	rows := 0
	for lines.Scan() {
		rows++
		if each == nil {
			continue
		}
		var record bson.D
		if err := bson.UnmarshalExtJSON(lines.Bytes(), true, &record); err != nil {
			return fmt.Errorf("%s, line %d: %w", f.Name(), rows, err)
		}
		if !hasID(record) {
			return fmt.Errorf("%s, line %d: the record has no _id", f.Name(), rows)
		}
		if err := each(record, len(lines.Bytes())); err != nil {
			return err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("%s, line %d: longer than %d MiB", f.Name(), rows+1, maxLine>>20)
	} else if err != nil {
		return fmt.Errorf("%s, line %d: %w", f.Name(), rows+1, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.SHA256 || rows != f.Rows || counted.n != f.Bytes {
		return fmt.Errorf("%s was changed after the export: got %d records in %d bytes with hash %s, want %d in %d with %s",
			f.Name(), rows, counted.n, got, f.Rows, f.Bytes, f.SHA256)
	}
	return nil
}

func hasID(record bson.D) bool {
	return slices.ContainsFunc(record, func(e bson.E) bool { return e.Key == "_id" })
}

type byteCounter struct {
	r io.Reader
	n int64
}

func (c *byteCounter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}
