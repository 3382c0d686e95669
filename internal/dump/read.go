package dump

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo"
)

// ErrInhabited says that a store holds data already: an archive is only brought back into an
// empty one.
var ErrStoreNotEmpty = errors.New("the store is not empty")

// begunKey marks a store while an archive is brought back into it.
const begunKey = "refillBegun"

// A batch of records goes to the store when it has so many, or so many bytes of text.
const (
	batchRows  = 1000
	batchBytes = 8 << 20
)

// Read brings an archive back into an empty store. Every file is checked whole before anything is
// written: hash, length and number of records. When the writing fails afterwards, what was written
// is taken away again; a run that was killed is begun anew by the next one.
func Read(ctx context.Context, store *mongo.Store, dir string, o Options) (*Manifest, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range m.Files {
		if err := f.read(dir, nil); err != nil {
			return nil, err
		}
	}
	if err := empty(ctx, store); err != nil {
		return nil, err
	}
	err = o.WithLease(ctx, func(ctx context.Context, _ int64) error {
		err := m.refill(ctx, store, dir, o)
		if err == nil {
			return nil
		}
		// What is done here is done even when the work was told to stop.
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		return errors.Join(err, store.ClearExported(end))
	})
	return m, err
}

// empty sees that a store holds nothing, but for what an earlier run left.
func empty(ctx context.Context, store *mongo.Store) error {
	var made string
	broken, err := store.ReadMark(ctx, begunKey, &made)
	if err != nil || broken {
		return err
	}
	name, err := store.NonEmptyCollection(ctx)
	if err == nil && name != "" {
		err = fmt.Errorf("%w: it has %s", ErrStoreNotEmpty, name)
	}
	return err
}

func (m *Manifest) refill(ctx context.Context, store *mongo.Store, dir string, o Options) error {
	if err := store.ClearExported(ctx); err != nil {
		return err
	}
	if err := store.SetMark(ctx, begunKey, m.Check); err != nil {
		return err
	}
	for _, f := range m.Files {
		var batch []bson.D
		size, rows := 0, 0
		flush := func() error {
			err := store.InsertRaw(ctx, f.Collection, batch)
			rows += len(batch)
			o.progress(f.Collection, rows)
			batch, size = batch[:0], 0
			return err
		}
		err := f.read(dir, func(record bson.D, length int) error {
			batch = append(batch, record)
			if size += length; len(batch) < batchRows && size < batchBytes {
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
	if err := store.DeleteMark(ctx, begunKey); err != nil {
		return err
	}
	return o.RaiseEpoch(ctx, m.Epoch)
}

// read reads a file, gives every record with the length of its text to each unless that is nil, and
// fails when the file is not what the manifest says.
func (f File) read(dir string, each func(record bson.D, length int) error) error {
	in, err := os.Open(filepath.Join(dir, f.Name()))
	if err != nil {
		return err
	}
	defer in.Close()
	sum := sha256.New()
	counted := &counter{r: io.TeeReader(in, sum)}
	lines := bufio.NewScanner(counted)
	lines.Buffer(make([]byte, 1<<16), longestLine)
	rows := 0
	for lines.Scan() {
		if rows++; each == nil {
			continue
		}
		var record bson.D
		if err := bson.UnmarshalExtJSON(lines.Bytes(), true, &record); err != nil {
			return fmt.Errorf("%s, line %d: %w", f.Name(), rows, err)
		}
		if !identified(record) {
			return fmt.Errorf("%s, line %d: the record has no _id", f.Name(), rows)
		}
		if err := each(record, len(lines.Bytes())); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.SHA256 || rows != f.Rows || counted.n != f.Bytes {
		return fmt.Errorf("%s was changed since it was written: it has %d records in %d bytes with the hash %s, the manifest says %d, %d and %s",
			f.Name(), rows, counted.n, got, f.Rows, f.Bytes, f.SHA256)
	}
	return nil
}

func identified(record bson.D) bool {
	for _, e := range record {
		if e.Key == "_id" {
			return true
		}
	}
	return false
}

// counter counts what is read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}
