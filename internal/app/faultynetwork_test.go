package app_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"
)

// faultyNetwork is the network between the driver and a store: TCP connections that fail as the current fault has it.
type faultyNetwork struct {
	listener net.Listener
	dial     func(context.Context) (net.Conn, error)
	running  sync.WaitGroup

	mu      sync.Mutex
	fault   fault
	changed chan struct{} // closed at the next change
	conns   map[net.Conn]bool
}

type fault string

const (
	healthy    fault = ""
	cut        fault = "cut"        // connections end, new ones too
	reset      fault = "reset"      // the same, by a TCP reset
	blackHole  fault = "black hole" // nothing arrives until the fault ends
	delayed    fault = "delayed"    // everything arrives, two seconds later
	truncated  fault = "truncated"  // half of what is sent arrives, then the connection ends
	delayTime        = 2 * time.Second
	bufferSize       = 64 << 10
)

// newFaultyNetwork returns a network to the server that dial connects to.
func newFaultyNetwork(t testing.TB, dial func(context.Context) (net.Conn, error)) *faultyNetwork {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &faultyNetwork{listener: listener, dial: dial, changed: make(chan struct{}), conns: map[net.Conn]bool{}}
	w.running.Go(w.accept)
	return w
}

func (w *faultyNetwork) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", w.listener.Addr().String())
}

// close closes the listener and all connections, and waits for the goroutines.
func (w *faultyNetwork) close() {
	_ = w.listener.Close()
	w.setFault(cut)
	w.running.Wait()
}

// setFault sets the current fault.
func (w *faultyNetwork) setFault(f fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = f
	close(w.changed)
	w.changed = make(chan struct{})
	if f == cut || f == reset {
		for end := range w.conns {
			w.closeConn(end)
		}
	}
}

// closeConn closes one end of a connection as the fault has it. The caller holds mu.
func (w *faultyNetwork) closeConn(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok && w.fault == reset {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func (w *faultyNetwork) accept() {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		far, err := w.dial(context.Background())
		if err != nil {
			_ = near.Close()
			continue
		}
		w.mu.Lock()
		w.conns[near], w.conns[far] = true, true
		if w.fault == cut || w.fault == reset {
			w.closeConn(near)
			w.closeConn(far)
		}
		w.mu.Unlock()
		w.running.Go(func() { w.copy(far, near) })
		w.running.Go(func() { w.copy(near, far) })
	}
}

// copy copies bytes in one direction until a connection ends.
func (w *faultyNetwork) copy(to, from net.Conn) {
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, end := range []net.Conn{to, from} {
			w.closeConn(end)
			delete(w.conns, end)
		}
	}()
	buffer := make([]byte, bufferSize)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		f := w.delay()
		if f == truncated {
			n /= 2
		}
		if _, err := to.Write(buffer[:n]); err != nil || f == truncated {
			return
		}
	}
}

// delay waits as long as the fault delays data, and returns the fault.
func (w *faultyNetwork) delay() fault {
	for {
		w.mu.Lock()
		f, changed := w.fault, w.changed
		w.mu.Unlock()
		switch f {
		case blackHole:
			<-changed
		case delayed:
			select {
			case <-changed:
			case <-time.After(delayTime):
			}
			return f
		default:
			return f
		}
	}
}
