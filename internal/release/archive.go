package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing/fstest"
	"time"

	"gamedata/internal/buildinfo"
)

// archive packs the binary of a platform with the texts, and returns the path of the archive. It is reproducible.
func archive(dir string, p platform, binary string, at time.Time) (path string, err error) {
	name := "gamedata-" + buildinfo.Version + "-" + p.os + "-" + p.arch
	files := fstest.MapFS{name: {Mode: fs.ModeDir | 0o755, ModTime: at}}
	for _, path := range slices.Concat(texts, []string{binary}) {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		files[name+"/"+filepath.Base(path)] = &fstest.MapFile{Data: text, Mode: 0o644, ModTime: at}
	}
	files[name+"/"+filepath.Base(binary)].Mode = 0o755
	if p.os == "windows" {
		path = filepath.Join(dir, name+".zip")
		return path, create(path, func(w io.Writer) error {
			z := zip.NewWriter(w)
			return errors.Join(z.AddFS(files), z.Close())
		})
	}
	path = filepath.Join(dir, name+".tar.gz")
	return path, create(path, func(w io.Writer) error {
		z := gzip.NewWriter(w)
		return errors.Join(writeTar(z, files), z.Close())
	})
}

func create(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

func writeTar(w io.Writer, files fs.FS) error {
	t := tar.NewWriter(w)
	return errors.Join(t.AddFS(files), t.Close())
}

// writeChecksums writes the checksums of files in the format of sha256sum.
func writeChecksums(path string, files []string) error {
	var sums []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sums = fmt.Appendf(sums, "%x  %s\n", sha256.Sum256(text), filepath.Base(file))
	}
	return os.WriteFile(path, sums, 0o644)
}
