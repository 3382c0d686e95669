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
type wire struct {
	listener net.Listener
	far      func(context.Context) (net.Conn, error)
	running  sync.WaitGroup

	mu      sync.Mutex
	fault   fault
	changed chan struct{} // closed at the next change
	ends    map[net.Conn]bool
}

type fault string

const (
	healthy   fault = ""
	cut       fault = "cut"        // connections end, new ones too
	reset     fault = "reset"      // the same, rudely
	silent    fault = "black hole" // nothing arrives until it is over
	late      fault = "delay"      // everything arrives, two seconds later
	torn      fault = "torn"       // half of what is sent arrives, then the connection ends
	lateBy          = 2 * time.Second
	wholeWire       = 64 << 10
)

// newWire opens the network to what far connects to.
func newWire(t testing.TB, far func(context.Context) (net.Conn, error)) *wire {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: listener, far: far, changed: make(chan struct{}), ends: map[net.Conn]bool{}}
	w.running.Go(w.accept)
	return w
}

func (w *wire) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", w.listener.Addr().String())
}

// close ends the network and waits until nothing of it is left.
func (w *wire) close() {
	_ = w.listener.Close()
	w.set(cut)
	w.running.Wait()
}

// set has the network do something else from now on.
func (w *wire) set(f fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = f
	close(w.changed)
	w.changed = make(chan struct{})
	if f == cut || f == reset {
		for end := range w.ends {
			w.end(end)
		}
	}
}

// end closes one end of a connection as the fault has it; mu is held.
func (w *wire) end(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok && w.fault == reset {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func (w *wire) accept() {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		far, err := w.far(context.Background())
		if err != nil {
			_ = near.Close()
			continue
		}
		w.mu.Lock()
		w.ends[near], w.ends[far] = true, true
		if w.fault == cut || w.fault == reset {
			w.end(near)
			w.end(far)
		}
		w.mu.Unlock()
		w.running.Go(func() { w.carry(far, near) })
		w.running.Go(func() { w.carry(near, far) })
	}
}

// carry takes bytes one way until a connection ends.
func (w *wire) carry(to, from net.Conn) {
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, end := range []net.Conn{to, from} {
			w.end(end)
			delete(w.ends, end)
		}
	}()
	buffer := make([]byte, wholeWire)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		f := w.hold()
		if f == torn {
			n /= 2
		}
		if _, err := to.Write(buffer[:n]); err != nil || f == torn {
			return
		}
	}
}

// hold waits for as long as the fault keeps what is sent, and tells the fault.
func (w *wire) hold() fault {
	for {
		w.mu.Lock()
		f, changed := w.fault, w.changed
		w.mu.Unlock()
		switch f {
		case silent:
			<-changed
		case late:
			select {
			case <-changed:
			case <-time.After(lateBy):
			}
			return f
		default:
			return f
		}
	}
}
