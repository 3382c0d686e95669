package embedded

import (
	"unsafe"

	"go.etcd.io/bbolt"
	"golang.org/x/sys/unix"
)

// Release has the system take back the memory in which the store's file is mapped. It keeps the file's pages
// cached as long as it has room for them, so they are found again without reading; but they count no longer as
// memory of this process. Reads and writes go on meanwhile.
func (s *Server) Release() error {
	// The file stays mapped where it is as long as a transaction is open.
	return s.db.View(func(tx *bbolt.Tx) error {
		info := s.db.Info()
		mapped := *(*unsafe.Pointer)(unsafe.Pointer(&info.Data))
		return unix.Madvise(unsafe.Slice((*byte)(mapped), tx.Size()), unix.MADV_DONTNEED)
	})
}
