// Package redistest starts real Redis servers on loopback ports, for tests.
package redistest

import (
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Server is a redis-server that a test may stop and restart, empty, at the same address.
type Server struct {
	// URL is the server's address.
	URL     string
	t       testing.TB
	program string
	args    []string
	port    int
	process *exec.Cmd
}

// Start starts a server with extra arguments and stops it when the test ends. It skips the test if redis-server is
// missing, unless REDIS_TESTS is "required".
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("REDIS_TESTS") == "required" {
			t.Fatal(err)
		}
		t.Skip("redis-server is not installed")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s := &Server{URL: "redis://" + l.Addr().String() + "/0", t: t, program: program, args: args, port: port}
	s.Start()
	t.Cleanup(s.Stop)
	return s
}

// Start restarts a stopped server, without its data.
func (s *Server) Start() {
	s.t.Helper()
	s.process = exec.Command(s.program, slices.Concat(s.args, []string{
		"--port", strconv.Itoa(s.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", s.t.TempDir(),
	})...)
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	deadline := time.Now().Add(30 * time.Second)
	for !s.responds() {
		if time.Now().After(deadline) {
			s.t.Fatal("redis-server does not respond")
		}
	}
}

// responds reports whether the server replies to PING within a second.
func (s *Server) responds() bool {
	c, err := net.DialTimeout("tcp", "127.0.0.1:"+strconv.Itoa(s.port), time.Second)
	if err != nil {
		return false
	}
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(time.Second))
	reply := make([]byte, len("+PONG"))
	_, err = io.WriteString(c, "PING\r\n")
	if err == nil {
		_, err = io.ReadFull(c, reply)
	}
	return err == nil && string(reply) == "+PONG"
}

// Stop kills the server.
func (s *Server) Stop() {
	if s.process != nil {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
		s.process = nil
	}
}
