package content

import (
	"bytes"
	"path/filepath"
	"testing"
)

// Packing the unpacked archive gives the archive.
func TestPack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "content")
	if err := Unpack(dir); err != nil {
		t.Fatal(err)
	}
	packed, err := Pack(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(packed, archive) {
		t.Errorf("packing gives other bytes: unpack content.zip with `make demo-content` and pack it again")
	}
	if err := Unpack(dir); err == nil {
		t.Error("an existing directory is overwritten")
	}
}
