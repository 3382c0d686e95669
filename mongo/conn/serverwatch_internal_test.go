package conn

import (
	"testing"
	"testing/synctest"
	"time"

	"go.mongodb.org/mongo-driver/v2/event"
)

func topologyChange(kind string, servers ...string) *event.TopologyDescriptionChangedEvent {
	e := &event.TopologyDescriptionChangedEvent{}
	e.NewDescription.Kind = kind
	for _, s := range servers {
		e.NewDescription.Servers = append(e.NewDescription.Servers, event.ServerDescription{Kind: s})
	}
	return e
}

func TestServersForACall(t *testing.T) {
	for _, c := range []struct {
		kind           string
		servers        []string
		primary, reads bool
	}{
		{"ReplicaSetNoPrimary", []string{"Unknown", "Unknown"}, false, false},
		{"ReplicaSetNoPrimary", []string{"Unknown", "RSSecondary"}, false, true},
		{"ReplicaSetWithPrimary", []string{"Unknown", "RSPrimary"}, true, true},
		{"ReplicaSetNoPrimary", []string{"RSArbiter", "RSOther"}, false, false},
		{"Sharded", []string{"Unknown", "Mongos"}, true, true},
		{"Sharded", []string{"Unknown"}, false, false},
		{"Single", []string{"Standalone"}, true, true},
		{"Single", []string{"RSSecondary"}, true, true},
		{"LoadBalanced", []string{"LoadBalancer"}, true, true},
	} {
		description := topologyChange(c.kind, c.servers...).NewDescription
		if got := hasServer(description, true); got != c.primary {
			t.Errorf("%+v: has a primary: %t", c, got)
		}
		if got := hasServer(description, false); got != c.reads {
			t.Errorf("%+v: has a server of reads: %t", c, got)
		}
	}
}

// A call that needs a server waits for one, up to the timeout of a selection.
func TestAwaitServer(t *testing.T) {
	for _, c := range []struct {
		uri    string
		level  consistency
		server string // found after 200 ms
		waited time.Duration
		found  bool
	}{
		{"mongodb://a/", primary, "RSPrimary", 200 * time.Millisecond, true},
		{"mongodb://a/", primary, "RSSecondary", 300 * time.Millisecond, false},
		{"mongodb://a/", configured, "RSSecondary", 200 * time.Millisecond, true},
		{"mongodb://a/?readPreference=primary", configured, "RSSecondary", 300 * time.Millisecond, false},
		{"mongodb://a/?serverSelectionTimeoutMS=100", primary, "RSPrimary", 100 * time.Millisecond, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			o, _ := clientOptions(Options{URI: c.uri})
			w := watchServers(o)
			find := topologyChange("ReplicaSetWithPrimary", "Unknown", c.server)
			timer := time.AfterFunc(200*time.Millisecond, func() { w.change(find) })
			defer timer.Stop()
			begin := time.Now()
			if found := w.await(t.Context(), c.level); found != c.found || time.Since(begin) != c.waited {
				t.Errorf("%s: found %t after %v, want %+v", c.uri, found, time.Since(begin), c)
			}
		})
	}
}
