package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"gamedata/internal/config"
	"gamedata/internal/httpapi"
	"gamedata/internal/telemetry"
)

// adminServer is the operators' listener: metrics, profiles, health and purging.
type adminServer struct {
	listener net.Listener // nil when --admin-listen is not set
	hosts    []string
	server   *http.Server
	failed   chan error
}

func listenAdmin(c *config.Service) (*adminServer, error) {
	o := &adminServer{hosts: c.AllowedHosts, failed: make(chan error, 1)}
	if c.AdminListen == "" {
		return o, nil
	}
	var err error
	if o.listener, err = net.Listen("tcp", c.AdminListen); err != nil {
		return nil, listenError("--admin-listen", err)
	}
	return o, nil
}

// banner returns the listener's line in the startup message; empty without a listener.
func (o *adminServer) banner() string {
	if o.listener == nil {
		return ""
	}
	return fmt.Sprintf("  admin    http://%s\n", o.listener.Addr())
}

// serve serves in the background until close.
func (o *adminServer) serve(s *Service) {
	if o.listener == nil {
		return
	}
	o.server = httpapi.NewServer(telemetry.AdminHandler(telemetry.AdminOptions{
		AllowedHost: httpapi.AllowedHost(o.hosts), Metrics: s.watch.metrics.Handler(),
		Live: http.HandlerFunc(live), Ready: s.ready, Purge: httpapi.Purge(s.store.Purge),
	}), s.log)
	go func() { o.failed <- o.server.Serve(o.listener) }()
}

// close closes the listener. Call it after draining, so that operators can observe draining.
func (o *adminServer) close() error {
	switch {
	case o.listener == nil:
		return nil
	case o.server == nil:
		return o.listener.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if o.server.Shutdown(ctx) != nil {
		_ = o.server.Close() // a profile was being recorded
	}
	if err := <-o.failed; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("--admin-listen: %w", err)
	}
	return nil
}
