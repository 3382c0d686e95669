package dump

import (
	"bufio"
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

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo"
)

// ErrDirNotEmpty means that the target directory of an export has files.
var ErrDirNotEmpty = errors.New("the directory is not empty")

// Export writes the data of a store into dir. It writes beside dir and moves the complete export there: dir never
// contains a partial export. Only the owner can read the files.
func Export(ctx context.Context, store *mongo.Store, dir string, o Options) (m *Manifest, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if err := checkTarget(dir, o.Replace); err != nil {
		return nil, err
	}
	if err := CheckWhole(ctx, store); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	m = &Manifest{Format: manifestFormat, Schema: mongo.SchemaVersion, Made: o.Now.UTC(), Program: o.Program}
	var leaderboards []string
	for _, c := range mongo.Exported() {
		if c.Export == mongo.Leaderboard {
			leaderboards = append(leaderboards, c.Name)
		} else if err := m.export(ctx, store, temp, c.Name, o); err != nil {
			return nil, err
		}
	}
	files := len(m.Files)
	err = o.WhileIdle(ctx, func(ctx context.Context, epoch int64) error {
		m.Epoch, m.Files = epoch, m.Files[:files] // drops files of an attempt that a refresh spoiled
		for _, name := range leaderboards {
			if err := m.export(ctx, store, temp, name, o); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := m.write(temp); err != nil {
		return nil, err
	}
	return m, moveInto(temp, dir)
}

// checkTarget returns an error when an export must not be written to dir.
func checkTarget(dir string, replace bool) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return nil
	case err != nil:
		return err
	case !replace:
		return fmt.Errorf("%s: %w", dir, ErrDirNotEmpty)
	case !Exists(dir):
		return fmt.Errorf("%s: %w, and has no export to replace", dir, ErrDirNotEmpty)
	}
	return nil
}

func (m *Manifest) export(ctx context.Context, store *mongo.Store, dir, collection string, o Options) (err error) {
	f := File{Collection: collection}
	out, err := os.OpenFile(filepath.Join(dir, f.Name()), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	total, err := store.Census.Estimate(ctx, collection)
	if err != nil {
		return fmt.Errorf("%s: %w", collection, err)
	}
	sum := sha256.New()
	buffered := bufio.NewWriterSize(out, 1<<20)
	to := io.MultiWriter(buffered, sum)
	err = store.Export.Records(ctx, collection, func(record bson.Raw) error {
		line, err := bson.MarshalExtJSON(record, true, false)
		if err != nil {
			return err
		}
		line = append(line, '\n')
		f.Rows++
		f.Bytes += int64(len(line))
		o.progress(collection, f.Rows, int(total))
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
	if m.Check, err = m.checksum(); err != nil {
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

// moveInto renames temp to dir. It deletes an earlier export at dir, or restores it when renaming fails.
func moveInto(temp, dir string) error {
	err := os.Remove(dir) // succeeds only if dir is empty
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return os.Rename(temp, dir)
	}
	before := temp + "-before"
	if err := os.Rename(dir, before); err != nil {
		return err
	}
	if err := os.Rename(temp, dir); err != nil {
		return errors.Join(err, os.Rename(before, dir))
	}
	return os.RemoveAll(before)
}
