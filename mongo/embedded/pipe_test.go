package embedded

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

func TestPipe(t *testing.T) {
	t.Run("carries more than its buffer", func(t *testing.T) {
		a, b := newPipe()
		sent := bytes.Repeat([]byte("0123456789abcdef!"), pipeBuffer/8)
		go func() {
			_, _ = a.Write(sent)
			_ = a.Close()
		}()
		got, err := io.ReadAll(b)
		if err != nil || !bytes.Equal(got, sent) {
			t.Fatalf("%d bytes of %d arrived in order (%v)", len(got), len(sent), err)
		}
	})
	t.Run("read deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, _ := newPipe()
			start := time.Now()
			_ = a.SetReadDeadline(start.Add(time.Second))
			_, err := a.Read(make([]byte, 1))
			var timeout net.Error
			if !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
				t.Errorf("got %v", err)
			}
			if took := time.Since(start); took != time.Second {
				t.Errorf("waited %v", took)
			}
		})
	})
	t.Run("write deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, _ := newPipe()
			_ = a.SetDeadline(time.Now().Add(time.Second))
			n, err := a.Write(make([]byte, 2*pipeBuffer))
			if n != pipeBuffer || !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("wrote %d, %v", n, err)
			}
		})
	})
	t.Run("deadline moved while waiting", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, _ := newPipe()
			done := make(chan error)
			go func() {
				_, err := a.Read(make([]byte, 1))
				done <- err
			}()
			synctest.Wait()
			_ = a.SetReadDeadline(time.Now())
			if err := <-done; !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		})
	})
	t.Run("a passed deadline can be lifted", func(t *testing.T) {
		a, b := newPipe()
		_ = a.SetReadDeadline(time.Now().Add(-time.Second))
		if _, err := a.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
		_ = a.SetReadDeadline(time.Time{})
		_, _ = b.Write([]byte{7})
		got := make([]byte, 1)
		if _, err := a.Read(got); err != nil || got[0] != 7 {
			t.Fatal(got, err)
		}
	})
	t.Run("closing wakes both sides", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b := newPipe()
			done := make(chan error, 2)
			for _, end := range []*pipeEnd{a, b} {
				go func() {
					_, err := end.Read(make([]byte, 1))
					done <- err
				}()
			}
			synctest.Wait()
			_ = a.Close()
			if x, y := <-done, <-done; x == nil || y == nil {
				t.Error(x, y)
			}
			if _, err := b.Write([]byte{1}); err == nil {
				t.Error("wrote to a closed connection")
			}
		})
	})
}
