package embedded

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
)

// One goroutine writes. It takes a waiting command, runs it, runs all other commands waiting by then in the same
// transaction and commits once for all of them. While it waits for the disk, the next commands queue up. A rejected
// command has changed nothing or only whole documents, so the others continue. A command that breaks (a panic, a full
// disk) rolls the transaction back, and the others run again without it.

// maxGroup bounds the commands, maxGroupBytes the sum of their messages, that share one commit.
const (
	maxGroup      = 1000
	maxGroupBytes = 64 << 20
)

// writer is the open write transaction. It is valid only inside the function given to update.
type writer struct {
	tx  *bbolt.Tx
	cat *catalog
}

func (w *writer) snapshot() snapshot { return snapshot{tx: w.tx, cat: w.cat} }

// target is the destination of statements: the file or an open transaction.
type target interface {
	snapshot() snapshot
	// collection returns a collection, and creates it if it is missing.
	collection(namespace string) (*collection, error)
	// replace stores a new version of a record, or deletes the record if after is nil.
	replace(c *collection, number uint64, before, after raw) error
	loader(*collection) inserter
}

// inserter stores new documents; flush completes the insertion.
type inserter interface {
	add(*insertion) error
	flush() error
}

var _ target = (*writer)(nil)

// job is one command waiting to be written. run may be called again after a rollback, so each call must start afresh.
type job struct {
	run  func(*writer) error
	size int
	err  error
	done chan struct{}
}

var errClosed = errorf(codeInterrupted, "the server is closing")

// write runs a function that writes, in the command's transaction or in the write transaction.
func (c *command) write(size int, run func(target) error) error {
	if c.tx != nil {
		c.keep = true // the transaction uses the documents of the request until its commit
		return run(c.tx)
	}
	return c.s.update(size, func(w *writer) error { return run(w) })
}

// update runs a function in the write transaction and returns when its effect is durable. size is the approximate
// number of bytes written.
func (s *Server) update(size int, run func(*writer) error) error {
	j := &job{run: run, size: size, done: make(chan struct{})}
	select {
	case s.jobs <- j:
	case <-s.closing:
		return errClosed
	}
	select {
	case <-j.done:
		return j.err
	case <-s.writerDone:
	}
	select {
	case <-j.done: // the job finished while the writer was stopping
		return j.err
	default:
		return errClosed
	}
}

func (s *Server) writeLoop() {
	defer close(s.writerDone)
	debug.SetPanicOnFault(true)
	for {
		select {
		case <-s.closing:
			return
		case j := <-s.jobs:
			s.writeGroup(j)
		}
	}
}

// writeGroup runs the first job and the jobs queued after it, and replies to all of them.
func (s *Server) writeGroup(first *job) {
	group, broken, err := s.tryGroup([]*job{first}, true)
	for broken != nil {
		// Nothing of this transaction remains: leave out the job that broke and run the others again.
		rest := make([]*job, 0, len(group))
		for _, j := range group {
			if j != broken {
				rest = append(rest, j)
			}
		}
		close(broken.done)
		group = rest
		if len(group) == 0 {
			return
		}
		group, broken, err = s.tryGroup(group, false)
	}
	for _, j := range group {
		if err != nil {
			j.err = err
		}
		close(j.done)
	}
}

// tryGroup runs the jobs in one transaction, with more from the queue if gather is set, and commits. If a job breaks,
// it rolls back and returns the job; err is the error of the commit.
func (s *Server) tryGroup(group []*job, gather bool) (all []*job, broken *job, err error) {
	if found := s.damage.found.Load(); found != nil {
		return group, nil, found
	}
	if err := s.checkPath(); err != nil {
		return group, nil, err
	}
	tx, err := s.begin(true)
	if err != nil {
		return group, nil, err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	defer func() {
		if r := recover(); r != nil {
			all, broken, err = group, nil, s.recovered(r)
		}
	}()
	cat, err := s.catalogOf(tx)
	if err != nil {
		return group, nil, err
	}
	w := &writer{tx, cat}
	size := 0
	for i := 0; i < len(group); i++ {
		j := group[i]
		j.err = s.runJob(w, j)
		if found := s.damage.found.Load(); found != nil {
			return group, nil, found
		}
		if j.err != nil {
			var refused *failure
			if !errors.As(j.err, &refused) {
				return group, j, nil
			}
		}
		size += j.size
		if !gather || i+1 < len(group) || len(group) >= maxGroup || size >= maxGroupBytes {
			continue
		}
		select {
		case next := <-s.jobs:
			group = append(group, next)
		default:
		}
	}
	waiting := time.AfterFunc(commitPatience, s.expireTransactions)
	defer waiting.Stop()
	if err := tx.Commit(); err != nil {
		return group, nil, fmt.Errorf("commit: %w", err)
	}
	s.catalog.Store(w.cat)
	return group, nil, nil
}

func (s *Server) runJob(w *writer, j *job) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &panicError{r, debug.Stack()}
		}
	}()
	defer func() {
		if r := recover(); r != nil {
			err = s.recovered(r)
		}
	}()
	return j.run(w)
}

// panicError is a panic caught in the writer. The server responds by closing the connection of the command.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }
