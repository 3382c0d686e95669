package dump

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo"
)

// ErrOccupied says that a directory holds something already.
var ErrDirNotEmpty = errors.New("the directory is not empty")

// Write writes an archive of a store. It is made beside the directory and takes its place when
// it is whole: whatever happens meanwhile, the directory holds nothing, what it held, or all.
// Files can be read by their owner alone.
func Write(ctx context.Context, store *mongo.Store, dir string, o Options) (m *Manifest, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if err := free(dir, o.Replace); err != nil {
		return nil, err
	}
	var made string
	if broken, err := store.ReadMark(ctx, begunKey, &made); err != nil || broken {
		return nil, cmp.Or(err, errors.New("the import of an export into this store was broken off: import it again"))
	}
	beside, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(beside))
		}
	}()
	m = &Manifest{Format: format, Schema: mongo.SchemaVersion, Made: o.Now.UTC(), Program: o.Program}
	together := mongo.Leaderboards()
	for _, name := range mongo.Exported() {
		if !slices.Contains(together, name) {
			if err := m.add(ctx, store, beside, name, o); err != nil {
				return nil, err
			}
		}
	}
	err = o.WithLease(ctx, func(ctx context.Context, epoch int64) error {
		m.Epoch = epoch
		for _, name := range together {
			if err := m.add(ctx, store, beside, name, o); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := m.write(beside); err != nil {
		return nil, err
	}
	return m, place(beside, dir)
}

// free sees that an archive may be written to a directory.
func free(dir string, replace bool) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return nil
	case err != nil:
		return err
	case !replace:
		return fmt.Errorf("%s: %w", dir, ErrDirNotEmpty)
	case !Exists(dir):
		return fmt.Errorf("%s: %w, and holds no export that could be replaced", dir, ErrDirNotEmpty)
	}
	return nil
}

// add writes the file of a collection.
func (m *Manifest) add(ctx context.Context, store *mongo.Store, dir, collection string, o Options) (err error) {
	f := File{Collection: collection}
	out, err := os.OpenFile(filepath.Join(dir, f.Name()), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	sum := sha256.New()
	buffered := bufio.NewWriterSize(out, 1<<20)
	to := io.MultiWriter(buffered, sum)
	err = store.Export(ctx, collection, func(record bson.Raw) error {
		line, err := bson.MarshalExtJSON(record, true, false)
		if err != nil {
			return err
		}
		line = append(line, '\n')
		f.Rows++
		f.Bytes += int64(len(line))
		o.progress(collection, f.Rows)
		_, err = to.Write(line)
		return err
	})
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = out.Sync()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", collection, err)
	}
	f.SHA256 = hex.EncodeToString(sum.Sum(nil))
	m.Files = append(m.Files, f)
	return nil
}

func (m *Manifest) write(dir string) (err error) {
	if m.Check, err = m.sum(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	out, err := os.OpenFile(filepath.Join(dir, manifestName), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(append(text, '\n'))
	return errors.Join(err, out.Sync(), out.Close())
}

// place gives a finished directory its name; what has the name gives way, and comes back when
// that fails.
func place(beside, dir string) error {
	err := os.Remove(dir) // one that is empty
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return os.Rename(beside, dir)
	}
	before := beside + "-before"
	if err := os.Rename(dir, before); err != nil {
		return err
	}
	if err := os.Rename(beside, dir); err != nil {
		return errors.Join(err, os.Rename(before, dir))
	}
	return os.RemoveAll(before)
}
