package embedded

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

// Options configure a server. The zero value is right for production.
type Options struct {
	// NoSync makes commits faster: they do not wait for the disk. A crash of the machine may lose or corrupt the file.
	NoSync bool
	// NoBulkWrite hides the command bulkWrite, which a MongoDB below 8.0 lacks.
	NoBulkWrite bool
	// MaxIdle ends a transaction whose client sends no command for so long; 10 s when 0. All of a transaction may take
	// six times as long.
	MaxIdle time.Duration

	now     func() time.Time // decides which documents have expired; time.Now by default
	mapSize int              // of the file; mapSize by default
}

// ErrInUse is wrapped by the error of Open when another process, or another server in this process, has the directory
// open.
var ErrInUse = errors.New("data directory is in use")

const (
	fileName    = "gamedata.db"
	lockTimeout = 500 * time.Millisecond
	pageSize    = 8192
	// mapSize is the address space reserved at the start, so that readers rarely wait for the file to be mapped again.
	mapSize = 1 << 30
)

// Server serves a data directory on in-memory connections.
type Server struct {
	db      *bbolt.DB
	file    *os.File // of db
	damage  damage
	run     string // identifies this server among all that opened the file; see hello
	options Options
	catalog atomic.Pointer[catalog]
	stats   counters
	cursors cursors
	// sessions are the clients' sessions that have begun a transaction, by their ids.
	sessions     *lru.Cache[string, *session]
	locks        *writeLocks
	largeReplies sync.Pool // buffers, see command.grow

	jobs       chan *job
	writerDone chan struct{}
	closing    chan struct{}
	closeOnce  sync.Once
	closeErr   error

	mu       sync.Mutex
	conns    map[net.Conn]struct{}
	listener net.Listener   // of Listen, nil without
	running  sync.WaitGroup // connections, the janitor and the listener
	lastID   atomic.Int32   // of connections
}

// Has reports whether a data directory has a store, even an unreadable one, or one whose file was removed while a
// server has it open.
func Has(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileName))
	return !errors.Is(err, fs.ErrNotExist) || listened(dir)
}

// Exposed reports whether other users of the machine may write to a data directory, and so replace the store.
func Exposed(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o002 != 0
}

// Open opens the data directory, creates it if it is missing, and starts the server. Only one server at a time can open
// a directory: a second one gets an error that wraps ErrInUse. Close the server when done.
func Open(dir string, options Options) (*Server, error) {
	if options.now == nil {
		options.now = time.Now
	}
	options.MaxIdle = cmp.Or(options.MaxIdle, maxIdle)
	options.mapSize = cmp.Or(options.mapSize, mapSize)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	if listened(dir) { // the file may have been removed or replaced, and then it is not locked
		return nil, inUseError(dir)
	}
	db, file, err := openFile(filepath.Join(dir, fileName), bbolt.Options{
		Timeout: lockTimeout, NoSync: options.NoSync, NoGrowSync: options.NoSync, NoStatistics: true,
		FreelistType: bbolt.FreelistMapType, PageSize: pageSize, InitialMmapSize: options.mapSize,
	})
	if errors.Is(err, bbolterrors.ErrTimeout) {
		return nil, inUseError(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("the store in %s: %w", dir, err)
	}
	removeParts(dir)
	writeOwner(dir)
	s := &Server{
		db: db, file: file, damage: damage{stuck: make(chan struct{})},
		run: rand.Text(), options: options, jobs: make(chan *job, maxGroup), conns: map[net.Conn]struct{}{},
		writerDone: make(chan struct{}), closing: make(chan struct{}), sessions: newSessions(), locks: newWriteLocks(),
	}
	go s.writeLoop()
	s.running.Add(1)
	go s.janitor()
	return s, nil
}

// URI is the connection string for the driver; it only works together with DialContext. Commands on a connection in
// memory need no retries.
func (s *Server) URI() string { return "mongodb://embedded/?directConnection=true&retryWrites=false" }

// DialContext opens an in-memory connection whatever the address. It makes the server an options.ContextDialer of
// the driver.
func (s *Server) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	client, end := net.Pipe()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.attach(end); err != nil {
		return nil, err
	}
	return client, nil
}

// attach serves a connection until it ends; s.mu is held.
func (s *Server) attach(conn net.Conn) error {
	select {
	case <-s.closing:
		return net.ErrClosed
	default:
	}
	s.conns[conn] = struct{}{}
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		defer func() {
			_ = conn.Close()
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.conns, conn)
		}()
		s.serve(conn, s.lastID.Add(1))
	}()
	return nil
}

// Close ends all connections, waits for running commands and closes the file.
func (s *Server) Close() error {
	s.closeOnce.Do(func() {
		s.mu.Lock()
		close(s.closing)
		for end := range s.conns {
			_ = end.Close()
		}
		if s.listener != nil {
			_ = s.listener.Close() // removes the socket too
		}
		s.mu.Unlock()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			<-s.writerDone
			s.running.Wait()
		}()
		select {
		case <-ended:
			for _, sess := range s.sessions.Values() {
				sess.retire()
			}
		case <-s.damage.stuck: // some commands may wait for a lock that is never released
		}
		s.closeErr = s.closeFile()
	})
	return s.closeErr
}

// closeFile closes the file. If bbolt's locks are stuck, the mapping stays until the process ends.
func (s *Server) closeFile() (err error) {
	_ = os.Remove(filepath.Join(filepath.Dir(s.file.Name()), ownerFile))
	if s.damage.isStuck() {
		return s.file.Close()
	}
	defer func() {
		if r := recover(); r != nil {
			err = errors.Join(s.note(r), s.file.Close())
		}
	}()
	return s.db.Close()
}

// janitor deletes expired documents and closes idle cursors.
func (s *Server) janitor() {
	defer s.running.Done()
	debug.SetPanicOnFault(true)
	tick := time.NewTicker(sweepInterval)
	defer tick.Stop()
	for {
		select {
		case <-s.closing:
			return
		case <-tick.C:
			s.sweepExpired()
			s.cursors.expire(time.Now().Add(-cursorTimeout))
		}
	}
}
