package embedded

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// A pipe is the in-memory connection: two queues of bytes, each with a fixed buffer. Unlike net.Pipe
// a write does not wait for a read. Deadlines cost nothing unless a call has to wait.

const pipeBuffer = 256 << 10

type pipeEnd struct{ in, out *queue }

var _ net.Conn = (*pipeEnd)(nil)

func newPipe() (client, server *pipeEnd) {
	a, b := newQueue(), newQueue()
	return &pipeEnd{a, b}, &pipeEnd{b, a}
}

func (p *pipeEnd) Read(b []byte) (int, error)  { return p.in.read(b) }
func (p *pipeEnd) Write(b []byte) (int, error) { return p.out.write(b) }

// Close ends both directions; the other side may still read what was written.
func (p *pipeEnd) Close() error {
	p.in.close(true)
	p.out.close(false)
	return nil
}

func (p *pipeEnd) LocalAddr() net.Addr  { return address{} }
func (p *pipeEnd) RemoteAddr() net.Addr { return address{} }

func (p *pipeEnd) SetDeadline(t time.Time) error {
	return errors.Join(p.SetReadDeadline(t), p.SetWriteDeadline(t))
}

func (p *pipeEnd) SetReadDeadline(t time.Time) error {
	p.in.readers.set(p.in, t)
	return nil
}

func (p *pipeEnd) SetWriteDeadline(t time.Time) error {
	p.out.writers.set(p.out, t)
	return nil
}

type address struct{}

func (address) Network() string { return "memory" }
func (address) String() string  { return "embedded" }

// queue carries bytes one way.
type queue struct {
	mu                sync.Mutex
	buf               []byte // a ring, allocated at the first write
	start, length     int
	closed, abandoned bool // no more writes; no more reads
	readers, writers  waiters
}

// waiters are those who wait on one side of a queue, with their deadline.
type waiters struct {
	sync.Cond
	deadline time.Time
	waiting  int
}

func newQueue() *queue {
	q := &queue{}
	q.readers.L, q.writers.L = &q.mu, &q.mu
	return q
}

// set changes the deadline; those who wait look at it again.
func (w *waiters) set(q *queue, t time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w.deadline = t
	if w.waiting > 0 {
		w.Broadcast()
	}
}

// wait blocks until the other side did something; false means that the deadline has passed.
func (w *waiters) wait() bool {
	if !w.deadline.IsZero() {
		left := time.Until(w.deadline)
		if left <= 0 {
			return false
		}
		timer := time.AfterFunc(left, func() {
			w.L.Lock()
			defer w.L.Unlock()
			w.Broadcast()
		})
		defer timer.Stop()
	}
	w.waiting++
	w.Wait()
	w.waiting--
	return true
}

func (q *queue) read(b []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.readers.deadline.IsZero() && time.Until(q.readers.deadline) <= 0 {
		return 0, os.ErrDeadlineExceeded
	}
	for q.length == 0 {
		switch {
		case q.abandoned:
			return 0, io.ErrClosedPipe
		case q.closed:
			return 0, io.EOF
		case len(b) == 0:
			return 0, nil
		case !q.readers.wait():
			return 0, os.ErrDeadlineExceeded
		}
	}
	if q.abandoned {
		return 0, io.ErrClosedPipe
	}
	n := 0
	for n < len(b) && q.length > 0 {
		part := copy(b[n:], q.buf[q.start:min(q.start+q.length, len(q.buf))])
		q.start = (q.start + part) % len(q.buf)
		q.length -= part
		n += part
	}
	if q.length == 0 {
		q.start = 0 // short messages use the same few pages of the buffer again and again
	}
	if q.writers.waiting > 0 {
		q.writers.Signal()
	}
	return n, nil
}

func (q *queue) write(b []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.writers.deadline.IsZero() && time.Until(q.writers.deadline) <= 0 {
		return 0, os.ErrDeadlineExceeded
	}
	n := 0
	for {
		if q.closed || q.abandoned {
			return n, io.ErrClosedPipe
		}
		if q.buf == nil && len(b) > 0 {
			q.buf = make([]byte, pipeBuffer)
		}
		for n < len(b) && q.length < len(q.buf) {
			end := (q.start + q.length) % len(q.buf)
			part := copy(q.buf[end:min(end+len(q.buf)-q.length, len(q.buf))], b[n:])
			q.length += part
			n += part
		}
		if q.readers.waiting > 0 && q.length > 0 {
			q.readers.Signal()
		}
		if n == len(b) {
			return n, nil
		}
		if !q.writers.wait() {
			return n, os.ErrDeadlineExceeded
		}
	}
}

// close ends the queue: from the reading side nothing more can be read either.
func (q *queue) close(reader bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if reader {
		q.abandoned = true
	}
	q.closed = true
	q.readers.Broadcast()
	q.writers.Broadcast()
}
