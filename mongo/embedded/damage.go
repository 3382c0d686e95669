package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

// bbolt maps the file into memory. Reading past the end of a truncated file faults, and corrupt pages make bbolt panic.
// Every goroutine that reads or writes the file calls debug.SetPanicOnFault, and recovers at the end of its
// transaction: a panic caused by the file becomes ErrDamaged. Afterwards reads continue, since most of the file may be
// intact, and writes are refused, since each could spread the damage.

// ErrDamaged is wrapped by the error of Open when the store's file cannot be read. Commands fail with code 18000000.
var ErrDamaged = errors.New("the store's file is damaged")

// damage records the known damage of a server's file.
type damage struct {
	found    atomic.Pointer[failure] // nil while all is well
	examined atomic.Bool             // see recovered
	// stuck is closed when bbolt panicked while it held its locks: nothing can be read or closed any more.
	stuck     chan struct{}
	stuckOnce sync.Once
}

func (d *damage) isStuck() bool {
	select {
	case <-d.stuck:
		return true
	default:
		return false
	}
}

// note records damage and returns the failure for the client.
func (s *Server) note(reason any) *failure {
	text := strings.TrimPrefix(fmt.Sprint(reason), ErrDamaged.Error()+": ")
	s.damage.found.CompareAndSwap(nil, &failure{
		code: codeDamaged, message: fmt.Sprintf("%v: %s (%s)", ErrDamaged, s.db.Path(), shorten(text)),
	})
	return s.damage.found.Load()
}

// checkPath returns an error if the file is no longer the one at its path: nobody would find there what is written.
func (s *Server) checkPath() error {
	own, err := s.file.Stat()
	if err != nil {
		return nil
	}
	at, err := os.Stat(s.db.Path())
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(own, at) {
		return s.note("it was removed, or another file took its place")
	}
	return nil
}

// recovered turns a panic that the file caused into an error. It panics again with any other value: that is a fault of
// the program. In doubt it checks the whole file for damage, but only once: a fault of the program may occur again and
// again.
func (s *Server) recovered(r any) error {
	damaged := fromFile(r)
	if !damaged && !s.damage.examined.Swap(true) {
		if err := s.view(verify); errors.Is(err, ErrDamaged) {
			return s.note(err)
		}
	}
	if !damaged {
		panic(r)
	}
	return s.note(r)
}

// fromFile reports whether a recovered panic comes from the file: a fault of the memory it is mapped to, or a panic
// inside bbolt. Call it from the deferred function, directly or through another function.
func fromFile(r any) bool {
	if _, fault := r.(interface{ Addr() uintptr }); fault {
		return true
	}
	var callers [64]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers[:])])
	panicking := false
	for {
		frame, more := frames.Next()
		inRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if panicking && !inRuntime {
			return strings.HasPrefix(frame.Function, "go.etcd.io/bbolt")
		}
		panicking = panicking || frame.Function == "runtime.gopanic"
		if !more {
			return false
		}
	}
}

// begin starts a transaction. A panic in bbolt's Begin leaves its locks held, and no further transaction could start.
func (s *Server) begin(writable bool) (tx *bbolt.Tx, err error) {
	if s.damage.isStuck() {
		return nil, s.damage.found.Load()
	}
	defer func() {
		if r := recover(); r != nil {
			err = s.note(r)
			s.damage.stuckOnce.Do(func() { close(s.damage.stuck) })
		}
	}()
	return s.db.Begin(writable)
}

// verify reads everything and returns an error that wraps ErrDamaged for the first inconsistency. It does not notice a
// value that is wrong but well-formed.
func verify(snap snapshot) error {
	for namespace, c := range snap.cat.collections {
		documents := uint64(0)
		err := verifyBucket(snap.tx, bucketName('d', c.id), func(document []byte) error {
			documents++
			return validate(document)
		})
		if err == nil && documents != snap.tx.Bucket(bucketName('i', c.indexes[0].ID)).Sequence() {
			err = errors.New("its number of documents is wrong")
		}
		if err != nil {
			return fmt.Errorf("%w: collection %s: %w", ErrDamaged, namespace, err)
		}
		for _, ix := range c.indexes {
			if err := verifyBucket(snap.tx, bucketName('i', ix.ID), nil); err != nil {
				return fmt.Errorf("%w: index %s of collection %s: %w", ErrDamaged, ix.Name, namespace, err)
			}
		}
	}
	return nil
}

func verifyBucket(tx *bbolt.Tx, name []byte, check func([]byte) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	b := tx.Bucket(name)
	if b == nil {
		return errors.New("it is missing")
	}
	return b.ForEach(func(_, v []byte) error {
		if check == nil {
			return nil
		}
		return check(v)
	})
}

// verifyStore runs the command "verify", which has no MongoDB counterpart.
func verifyStore(c *command) error {
	if err := c.s.checkPath(); err != nil {
		return err
	}
	err := c.s.view(verify)
	if errors.Is(err, ErrDamaged) {
		return c.s.note(err)
	}
	return err
}

// openFile is bbolt.Open with our buckets, but reports a damaged file as an error. It also returns the file that bbolt
// has open.
func openFile(path string, o bbolt.Options) (db *bbolt.DB, file *os.File, err error) {
	if err := checkSize(path); err != nil {
		return nil, nil, err
	}
	o.OpenFile = func(name string, flag int, mode os.FileMode) (_ *os.File, err error) {
		file, err = os.OpenFile(name, flag, mode)
		return file, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			// bbolt's locks stay held, but closing the file releases it for other processes.
			db, err = nil, errors.Join(fmt.Errorf("%w (%s)", ErrDamaged, shorten(fmt.Sprint(r))), file.Close())
		}
	}()
	if db, err = bbolt.Open(path, 0o600, &o); err != nil {
		if isInvalid(err) {
			err = fmt.Errorf("%w (%w)", ErrDamaged, err)
		}
		return nil, nil, err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		if _, err := tx.CreateBucketIfNotExists(catalogBucket); err != nil {
			return err
		}
		if _, err := tx.CreateBucketIfNotExists(idBucket); err != nil {
			return err
		}
		if _, err := loadCatalog(tx); err != nil {
			return fmt.Errorf("%w (%s)", ErrDamaged, shorten(err.Error()))
		}
		return nil
	})
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, file, nil
}

// isInvalid reports whether bbolt found that the file is not a bbolt file.
func isInvalid(err error) bool {
	return errors.Is(err, bbolterrors.ErrInvalid) || errors.Is(err, bbolterrors.ErrChecksum) ||
		errors.Is(err, bbolterrors.ErrVersionMismatch) || strings.Contains(err.Error(), "file size too small")
}

// shorten cuts a reason to the length of a message.
func shorten(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text[:min(len(text), 200)]
}

// creating is how long another process may take to write the first pages of a file that it has created.
const creating = 100 * time.Millisecond

// checkSize rejects a file that is empty or ends before its last page.
func checkSize(path string) error {
	info, err := os.Stat(path)
	for deadline := time.Now().Add(creating); err == nil && info.Mode().IsRegular() && info.Size() == 0; {
		if time.Now().After(deadline) {
			return fmt.Errorf("%w (it is empty)", ErrDamaged)
		}
		time.Sleep(creating / 20)
		info, err = os.Stat(path)
	}
	if err != nil || !info.Mode().IsRegular() {
		return nil // it does not exist, or opening it fails and says why
	}
	// For reading bbolt needs nothing but the first pages of a file.
	db, err := bbolt.Open(path, 0, &bbolt.Options{ReadOnly: true, Timeout: time.Nanosecond})
	if err != nil {
		return nil
	}
	return errors.Join(db.View(func(tx *bbolt.Tx) error {
		if info.Size() < tx.Size() {
			return fmt.Errorf("%w (it has %d bytes and should have %d or more)", ErrDamaged, info.Size(), tx.Size())
		}
		return nil
	}), db.Close())
}
