package app_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"
)

// wire is the network between the driver and a store: TCP connections that do what the fault of
// the moment makes of them.
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
	reset      fault = "reset"      // the same, rudely
	blackHole  fault = "black hole" // nothing arrives until it is over
	delayed    fault = "delay"      // everything arrives, two seconds later
	truncated  fault = "torn"       // half of what is sent arrives, then the connection ends
	delay            = 2 * time.Second
	bufferSize       = 64 << 10
)

// newWire opens the network to what far connects to.
func newFaultyNetwork(t testing.TB, far func(context.Context) (net.Conn, error)) *faultyNetwork {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &faultyNetwork{listener: listener, dial: far, changed: make(chan struct{}), conns: map[net.Conn]bool{}}
	w.running.Go(w.accept)
	return w
}

func (w *faultyNetwork) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", w.listener.Addr().String())
}

// close ends the network and waits until nothing of it is left.
func (w *faultyNetwork) close() {
	_ = w.listener.Close()
	w.setFault(cut)
	w.running.Wait()
}

// set has the network do something else from now on.
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

// end closes one end of a connection as the fault has it; mu is held.
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

// carry takes bytes one way until a connection ends.
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

// hold waits for as long as the fault keeps what is sent, and tells the fault.
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
			case <-time.After(delay):
			}
			return f
		default:
			return f
		}
	}
}
