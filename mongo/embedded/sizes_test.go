package embedded

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"
)

// TestSizes prints the sizes of the collections and indexes of the data directory that EMBEDDED_SIZES names. No server
// may have it open.
func TestSizes(t *testing.T) {
	dir := os.Getenv("EMBEDDED_SIZES")
	if dir == "" {
		t.Skip("EMBEDDED_SIZES names no data directory")
	}
	s, err := Open(dir, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	var lines []string
	err = s.view(func(at snapshot) error {
		for name, c := range at.cat.collections {
			lines = append(lines, sizeLine(at.tx, name, "records", bucketName('d', c.id)))
			for _, ix := range c.indexes {
				lines = append(lines, sizeLine(at.tx, name, ix.Name, bucketName('i', ix.ID)))
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	slices.Sort(lines)
	t.Logf("collection, index, entries, bytes in use, bytes of pages\n%s", strings.Join(lines, "\n"))
}

func sizeLine(tx *bbolt.Tx, collection, name string, bucket []byte) string {
	b := tx.Bucket(bucket)
	if b == nil {
		return fmt.Sprintf("%s\t%s\tnone", collection, name)
	}
	stats := b.Stats()
	used, pages := stats.LeafInuse+stats.BranchInuse, stats.LeafAlloc+stats.BranchAlloc
	return fmt.Sprintf("%s\t%s\t%d\t%d\t%d", collection, name, stats.KeyN, used, pages)
}
