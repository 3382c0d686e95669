// Package userfile opens files that a user named.
package userfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

var errNotRegular = errors.New("not a regular file")

// Open opens a regular file. A pipe, which would wait for its other end, a device and a directory are errors.
func Open(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	return os.Open(path)
}

// Read reads a regular file of at most limit bytes.
func Read(path string, limit int) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	if err == nil && len(text) > limit {
		err = &fs.PathError{Op: "read", Path: path, Err: errors.New("the file is too large")}
	}
	return text, err
}
