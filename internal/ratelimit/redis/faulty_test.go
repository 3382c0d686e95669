package redis_test

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/internal/ratelimit/redis"
)

// faultyServer handles connections on a loopback port. It returns its URL and counts connections.
func faultyServer(t *testing.T, handle func(net.Conn)) (url string, connections *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	connections = new(atomic.Int64)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			go func() {
				defer func() { _ = c.Close() }()
				handle(c)
			}()
		}
	}()
	t.Cleanup(func() { _ = l.Close() })
	return "redis://" + l.Addr().String(), connections
}

// Whatever server is at the address, requests are counted, and only the first one waits.
func TestFaultyRedis(t *testing.T) {
	for name, handle := range map[string]func(net.Conn){
		"never replies": func(c net.Conn) { _, _ = io.Copy(io.Discard, c) },
		"hangs up":      func(net.Conn) {},
		"speaks HTTP":   func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n") },
		"an endless reply": func(c net.Conn) {
			_, _ = io.WriteString(c, "$9999999999999999\r\n")
			_, _ = io.Copy(io.Discard, c)
		},
		"rejects commands": func(c net.Conn) { replyAll(c, "-ERR no\r\n") },
		"too few numbers":  func(c net.Conn) { replyAll(c, "*0\r\n") },
		"text for numbers": func(c net.Conn) { replyAll(c, "*1\r\n$3\r\nabc\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			url, connections := faultyServer(t, handle)
			log := &journal{}
			c := open(t, redis.Options{
				URL: url, Timeout: 50 * time.Millisecond, Retry: time.Hour,
				Log: slog.New(slog.NewTextHandler(log, nil)),
			})
			for i := range 60 {
				d := c.Take("ITEMS", "token a", 1, perMinute(50))
				if d.Limit != 50 || d.Bucket != "ITEMS" || i == 0 && d.Remaining != 49 || i < 50 && !d.Allowed {
					t.Fatalf("take %d: %+v", i, d)
				}
			}
			if err := c.Check(); !errors.Is(err, redis.ErrLost) {
				t.Error(err)
			}
			if n := connections.Load(); n > 3 {
				t.Errorf("%d connections were made", n)
			}
			if n := log.count("redis does not respond"); n != 1 {
				t.Errorf("logged %d outages", n)
			}
		})
	}
}

// replyAll sends the same reply to everything it reads.
func replyAll(c net.Conn, reply string) {
	command := make([]byte, 4096)
	for {
		if _, err := c.Read(command); err != nil {
			return
		}
		if _, err := io.WriteString(c, reply); err != nil {
			return
		}
	}
}
