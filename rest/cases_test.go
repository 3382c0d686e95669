package rest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite cases.tar.gz")

// The embedded archive contains every case of testdata.
func TestCasesArchive(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		pack(t, files)
		return
	}
	var want []Case
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := readCase(a)
		if err != nil {
			t.Fatal(file, err)
		}
		c.Name = strings.TrimSuffix(filepath.Base(file), ".txtar")
		want = append(want, c)
	}
	if !reflect.DeepEqual(want, Cases()) {
		t.Error("cases.tar.gz is out of date, run `make cases`")
	}
}

// pack writes files to the archive.
func pack(t *testing.T, files []string) {
	t.Helper()
	var out bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(zipped)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteHeader(&tar.Header{Name: filepath.Base(file), Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("cases.tar.gz", out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
