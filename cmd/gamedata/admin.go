package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/httpapi"
	"gamedata/internal/telemetry"
)

// adminFlags say where operators reach the service.
type adminFlags struct {
	listen string
	hosts  []string
}

func (f *adminFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.listen, "admin-listen", "",
		"address of a second listener with metrics, profiles and purging, such as 127.0.0.1:9090; none when empty. It asks for no credential: never make it public")
	flags.StringSliceVar(&f.hosts, "admin-hosts", nil,
		"names under which --admin-listen may be asked, besides loopback and its own address")
}

// operators are answered on a listener of their own.
type operators struct {
	listener net.Listener // nil when there is none
	hosts    []string
	server   *http.Server
	failed   chan error
}

// bind takes the address.
func (f *adminFlags) bind() (*operators, error) {
	o := &operators{hosts: f.hosts, failed: make(chan error, 1)}
	if f.listen == "" {
		return o, nil
	}
	var err error
	if o.listener, err = net.Listen("tcp", f.listen); err != nil {
		return nil, fmt.Errorf("--admin-listen: %w", err)
	}
	return o, nil
}

// told is the line about the listener that the service begins with; empty without one.
func (o *operators) told() string {
	if o.listener == nil {
		return ""
	}
	return fmt.Sprintf("  admin    http://%s\n", o.listener.Addr())
}

// serve answers until close.
func (o *operators) serve(s *service) {
	if o.listener == nil {
		return
	}
	o.server = telemetry.AdminServer(telemetry.AdminHandler(telemetry.AdminOptions{
		Hosts: o.hosts, Metrics: s.metrics.Handler(), Live: http.HandlerFunc(s.live), Ready: s.ready,
		Purge: httpapi.Purge(s.store.Purge),
	}))
	go func() { o.failed <- o.server.Serve(o.listener) }()
}

// close is for the end of the service, after it has drained: how it drains can be watched.
func (o *operators) close() error {
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
