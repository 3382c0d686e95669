package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
)

// socketName is the Unix socket in the data directory through which other processes reach the
// server that has it open.
const socketName = "gamedata.sock"

// Listen lets other processes of the same user reach the server by Join, until Close. It may
// be called once.
func (s *Server) Listen() error {
	path := filepath.Join(filepath.Dir(s.db.Path()), socketName)
	// The directory is ours alone, so an existing socket was left by a process that was killed.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("socket of the data directory: %w", err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return fmt.Errorf("socket of the data directory: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return errors.Join(fmt.Errorf("socket of the data directory: %w", err), listener.Close())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.closing:
		return listener.Close()
	default:
	}
	s.listener = listener
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			if s.attach(conn) != nil {
				_ = conn.Close()
			}
			s.mu.Unlock()
		}
	}()
	return nil
}

// listened reports whether a server listens in a data directory.
func listened(dir string) bool {
	conn, err := net.DialTimeout("unix", filepath.Join(dir, socketName), lockTimeout)
	return err == nil && conn.Close() == nil
}

// Joined is a server in another process. Its URI only works together with DialContext, which makes it an
// options.ContextDialer of the driver.
type Joined struct{ path string }

// Join connects to the server that has a data directory open in another process. It fails when there is no such server
// or it does not listen.
func Join(ctx context.Context, dir string) (*Joined, error) {
	j := &Joined{filepath.Join(dir, socketName)}
	conn, err := j.DialContext(ctx, "", "")
	if err != nil {
		return nil, fmt.Errorf("the service on %s: %w", dir, err)
	}
	return j, conn.Close()
}

// URI is the connection string for the driver.
func (j *Joined) URI() string { return (*Server)(nil).URI() }

// DialContext opens a connection whatever the address.
func (j *Joined) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "unix", j.path)
}
