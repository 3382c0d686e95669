package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"gamedata/internal/buildinfo"
)

// archive packs the binary of a platform with the texts, and returns the path of the archive. It is reproducible.
func archive(dir string, p platform, binary string, at time.Time) (path string, err error) {
	name := "gamedata-" + buildinfo.Version + "-" + p.os + "-" + p.arch
	files := append([]string{binary}, texts...)
	write := writeTar
	path = filepath.Join(dir, name+".tar.gz")
	if p.os == "windows" {
		path, write = filepath.Join(dir, name+".zip"), writeZip
	}
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	return path, errors.Join(write(f, name, files, at), f.Close())
}

func writeTar(w io.Writer, dir string, files []string, at time.Time) error {
	z := gzip.NewWriter(w)
	t := tar.NewWriter(z)
	for i, path := range files {
		if err := addToTar(t, path, dir+"/"+filepath.Base(path), modeOf(i), at); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

// modeOf returns the permissions of a file of an archive. The first file is the binary.
func modeOf(index int) os.FileMode {
	if index == 0 {
		return 0o755
	}
	return 0o644
}

// addToTar adds a file under a name; an empty path adds a directory.
func addToTar(t *tar.Writer, path, name string, mode os.FileMode, at time.Time) error {
	h := &tar.Header{Typeflag: tar.TypeDir, Name: name, Mode: int64(mode), ModTime: at, Format: tar.FormatPAX}
	if path == "" {
		return t.WriteHeader(h)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	h.Typeflag, h.Size = tar.TypeReg, info.Size()
	if err := t.WriteHeader(h); err != nil {
		return err
	}
	_, err = io.Copy(t, f)
	return err
}

func writeZip(w io.Writer, dir string, files []string, at time.Time) error {
	z := zip.NewWriter(w)
	for i, path := range files {
		h := &zip.FileHeader{Name: dir + "/" + filepath.Base(path), Method: zip.Deflate, Modified: at}
		h.SetMode(modeOf(i))
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if err := copyFile(to, path); err != nil {
			return err
		}
	}
	return z.Close()
}

func copyFile(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, f.Close())
}

// writeChecksums writes the checksums of files in the format of sha256sum.
func writeChecksums(path string, files []string) error {
	var text []byte
	for _, file := range files {
		sum := sha256.New()
		if err := copyFile(sum, file); err != nil {
			return err
		}
		text = fmt.Appendf(text, "%x  %s\n", sum.Sum(nil), filepath.Base(file))
	}
	return os.WriteFile(path, text, 0o644)
}
