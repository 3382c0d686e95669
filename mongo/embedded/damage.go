package embedded

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"runtime/debug"

	"go.etcd.io/bbolt"
)

// ErrDamaged is wrapped by the error of Open when the store's file cannot be read.
var ErrDamaged = errors.New("the store's file is damaged")

// openFile is bbolt.Open, but reports a damaged file as an error. bbolt maps the file into memory: reading behind its
// end is a fault, and pages that make no sense are panics.
func openFile(path string, o *bbolt.Options) (db *bbolt.DB, err error) {
	if err := checkSize(path); err != nil {
		return nil, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			db, err = nil, fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	return bbolt.Open(path, 0o600, o)
}

// metaPage is the part of bbolt's meta pages that says how many pages the file has. Each of the two has a checksum.
type metaPage struct {
	Magic, Version, PageSize, Flags uint32
	Root, Sequence, Freelist        uint64
	Pages, Transaction, Checksum    uint64
}

const (
	metaMagic  = 0xED0CDAED
	metaOffset = 16 // of the meta data in its page
)

// checkSize rejects a file that ends before its last page.
func checkSize(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return nil // it does not exist, or opening it fails again and says why
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	var newest metaPage
	for _, at := range []int64{0, pageSize} {
		var m metaPage
		section := io.NewSectionReader(file, at+metaOffset, int64(binary.Size(m)))
		text, err := io.ReadAll(section)
		if err != nil || len(text) < binary.Size(m) {
			continue
		}
		if _, err := binary.Decode(text, binary.NativeEndian, &m); err != nil {
			continue
		}
		sum := fnv.New64a()
		_, _ = sum.Write(text[:len(text)-8])
		if m.Magic == metaMagic && m.Checksum == sum.Sum64() && m.Transaction >= newest.Transaction {
			newest = m
		}
	}
	if want := newest.Pages * uint64(newest.PageSize); uint64(info.Size()) < want {
		return fmt.Errorf("%w: it has %d bytes and should have %d or more", ErrDamaged, info.Size(), want)
	}
	return nil
}
