package webhook

import (
	"context"
	"net"
	"net/http"
	"time"
)

// SetTimeout sets the time limit of a request.
func (s *Sender) SetTimeout(limit time.Duration) { s.client.Timeout = limit }

// OnConnect calls f before a connection is made.
func (s *Sender) OnConnect(f func()) {
	transport := s.client.Transport.(*http.Transport)
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		f()
		return dial(ctx, network, address)
	}
}
