package conn

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
)

// serverWatch mirrors the driver's knowledge of the servers. A second try uses it to wait for a server, because the
// driver may miss one: it reads which servers are known and then subscribes to changes (topology.Subscribe, still in
// version 2.10.0), and a change in between does not end its wait. After a connection broke, the driver finds the server
// again just when the call is retried.
type serverWatch struct {
	timeout     time.Duration // for the selection of a server; 0 is no timeout
	needPrimary bool          // the URI's read preference is primary

	mu      sync.Mutex
	known   event.TopologyDescription
	changed chan struct{} // closed when known changes
}

// watchServers returns the serverWatch of a client with options.
func watchServers(o *options.ClientOptions) *serverWatch {
	w := &serverWatch{
		timeout: *o.ServerSelectionTimeout, needPrimary: o.ReadPreference.Mode() == readpref.PrimaryMode,
		changed: make(chan struct{}),
	}
	o.SetServerMonitor(&event.ServerMonitor{TopologyDescriptionChanged: w.change})
	return w
}

func (w *serverWatch) change(e *event.TopologyDescriptionChangedEvent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known = e.NewDescription
	close(w.changed)
	w.changed = make(chan struct{})
}

// await waits for a server that can serve a call with a consistency. It returns false when there is none in time.
func (w *serverWatch) await(ctx context.Context, level consistency) bool {
	if w.timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, w.timeout)
		defer cancel()
		ctx = limited
	}
	for {
		w.mu.Lock()
		known, changed := w.known, w.changed
		w.mu.Unlock()
		if hasServer(known, w.needPrimary || level != configured) {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// hasServer reports whether the driver can select a server; primary is false if a secondary will do.
func hasServer(t event.TopologyDescription, primary bool) bool {
	return slices.ContainsFunc(t.Servers, func(s event.ServerDescription) bool {
		switch s.Kind {
		case "RSPrimary", "Standalone", "Mongos", "LoadBalancer":
			return true
		case "RSSecondary":
			return !primary || t.Kind == "Single" // a direct connection
		}
		return false
	})
}
