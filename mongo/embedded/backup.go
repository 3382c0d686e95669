package embedded

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// A backup is a snapshot of the store's file, followed by a marker and the SHA-256 of everything before the marker.
const backupMark = "gamedata backup 1"

// backup runs the command "backup"; its argument is the path of a file on the server's machine. Only processes that may
// open the socket of the data directory can send it, and they may read the store anyway.
func backup(c *command) error {
	if c.argument.kind != bson.TypeString {
		return c.mismatch("backup", c.argument, "string")
	}
	err := c.s.backup(string(c.argument.text()))
	if err == nil || errors.As(err, new(*failure)) {
		return err
	}
	return errorf(codeIllegalOperation, "%v", err)
}

// backup writes an undamaged store to a new file, completely or not at all. Reads and writes continue.
func (s *Server) backup(path string) error {
	if !filepath.IsAbs(path) {
		return errors.New("the path of a backup must be absolute")
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already", path)
	}
	return wholeFile(path, func(w io.Writer, sum hash.Hash) error {
		if err := s.view(func(snap snapshot) error {
			if err := verify(snap); err != nil {
				return s.note(err)
			}
			_, err := snap.tx.WriteTo(io.MultiWriter(w, sum))
			return err
		}); err != nil {
			return err
		}
		_, err := w.Write(append([]byte(backupMark), sum.Sum(nil)...))
		return err
	})
}

// partFile is the prefix of the names of incomplete files.
const partFile = ".part-"

// removeParts deletes the files that a killed restore left in a data directory: up to a whole store. A running restore
// fails.
func removeParts(dir string) {
	entries, _ := os.ReadDir(dir) // a file that cannot be removed only takes space
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), partFile) && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// wholeFile creates a file that gets its name only when all of it is on disk.
func wholeFile(path string, write func(io.Writer, hash.Hash) error) (err error) {
	part, err := os.CreateTemp(filepath.Dir(path), partFile+"*") // readable by its owner only
	if err != nil {
		return fmt.Errorf("create %s: %w", path, errors.Unwrap(err)) // without the name of the part
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part.Name())
		}
	}()
	err = write(part, sha256.New())
	if err == nil {
		err = part.Sync()
	}
	if err = errors.Join(err, part.Close()); err != nil {
		return err
	}
	if err := os.Rename(part.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// ErrNoBackup is returned for a file that is not a backup or is damaged.
var ErrNoBackup = errors.New("the file is no whole backup")

// ErrOccupied is returned for a directory that already has a store.
var ErrOccupied = errors.New("the directory has a store already")

// lockFile locks the file of a store, which may be damaged. The error is bbolterrors.ErrTimeout when a server has it.
func lockFile(path string) (release func(), err error) {
	var file *os.File
	release = func() { _ = file.Close() } // also when file is nil
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { _ = recover() }() // bbolt locks the file before it reads it
	_, err = bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout: lockTimeout,
		OpenFile: func(name string, flag int, mode os.FileMode) (_ *os.File, err error) {
			file, err = os.OpenFile(name, flag&^os.O_CREATE, mode)
			return file, err
		},
	})
	return release, err
}

// Restore creates the store of a data directory from a backup. It returns ErrOccupied if the directory has a store
// and replace is false, and ErrInUse if a server has the directory open.
func Restore(file, dir string, replace bool, progress func(done, total int64)) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait
		return fmt.Errorf("%s: %w", file, ErrNoBackup)
	}
	from, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	tail := int64(len(backupMark) + sha256.Size)
	size := info.Size() - tail
	if size <= 0 {
		return ErrNoBackup
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	path := filepath.Join(dir, fileName)
	if _, err := os.Stat(path); err == nil {
		if !replace {
			return fmt.Errorf("%s: %w", dir, ErrOccupied)
		}
		release, err := lockFile(path)
		if errors.Is(err, bbolterrors.ErrTimeout) {
			return inUseError(dir)
		}
		defer release()
	}
	removeParts(dir)
	return wholeFile(path, func(w io.Writer, sum hash.Hash) error {
		if _, err := io.CopyN(io.MultiWriter(w, sum, &progressWriter{0, size, progress}), from, size); err != nil {
			return err
		}
		end, err := io.ReadAll(from)
		if err == nil && !bytes.Equal(end, append([]byte(backupMark), sum.Sum(nil)...)) {
			err = ErrNoBackup
		}
		return err
	})
}

// progressWriter reports how many bytes were written to it.
type progressWriter struct {
	done, total int64
	report      func(done, total int64)
}

func (w *progressWriter) Write(b []byte) (int, error) {
	w.done += int64(len(b))
	w.report(w.done, w.total)
	return len(b), nil
}
