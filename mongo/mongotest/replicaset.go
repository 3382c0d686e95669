package mongotest

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// ReplicaSet makes a server look like the members of a replica set: Action is for Proxy.Handle. All members are one
// server, so a secondary is never behind. As from MongoDB, the driver gets a hello at once when the primary changes,
// and secondaries reject commands that only the primary may run.
type ReplicaSet struct {
	hosts    []string
	ended    chan struct{}
	sessions bool

	mu       sync.Mutex
	primary  string // empty while there is none
	term     int64
	version  int64 // of the topology
	changed  chan struct{}
	rejects  bool
	rejected int
	replies  map[string]bson.D // of retryable writes, by session and number
}

// NewReplicaSet returns a replica set; the first host is its primary.
func NewReplicaSet(t testing.TB, hosts ...string) *ReplicaSet {
	r := &ReplicaSet{
		hosts: hosts, primary: hosts[0], term: 1, version: 1, changed: make(chan struct{}), ended: make(chan struct{}),
		replies: map[string]bson.D{},
	}
	t.Cleanup(func() { close(r.ended) })
	return r
}

// WithSessions makes the members offer sessions, and with them retryable writes: the driver sends a write again when it
// does not know the outcome, and the members carry it out once.
func (r *ReplicaSet) WithSessions() *ReplicaSet {
	r.sessions = true
	return r
}

// URI returns the connection string.
func (r *ReplicaSet) URI() string {
	return "mongodb://" + strings.Join(r.hosts, ",") + "/?replicaSet=test"
}

// Interrupt begins an election: the primary rejects commands that only a primary may run, but has not announced the
// election yet.
func (r *ReplicaSet) Interrupt() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rejects = true
}

// StepDown makes the primary a secondary. There is no primary until Elect.
func (r *ReplicaSet) StepDown() { r.Elect("") }

// Elect makes a member the primary.
func (r *ReplicaSet) Elect(host string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.primary, r.rejects = host, false
	if host != "" {
		r.term++
	}
	r.version++
	close(r.changed)
	r.changed = make(chan struct{})
}

// Rejected returns how many commands were rejected because they were sent to a member that is not the primary.
func (r *ReplicaSet) Rejected() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rejected
}

// Action returns the action for a command.
func (r *ReplicaSet) Action(c Command) Action {
	switch {
	case c.Name == "hello" || strings.EqualFold(c.Name, "isMaster"):
		r.await(c)
		return Action{Amend: func(hello bson.D) bson.D { return r.hello(c.Address, hello) }}
	case c.Name == "ping", c.Name == "endSessions", c.Name == "buildInfo":
		return Action{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if reply, write := r.rejection(c); reply != nil {
		r.rejected++
		reply = append(reply, bson.E{Key: "topologyVersion", Value: r.topologyVersion(c.Address, r.version+1)})
		if write {
			reply = labelled(reply, []string{"RetryableWriteError"})
		}
		return Action{Reply: reply}
	}
	return r.once(c)
}

// rejection returns the reply of a member that may not carry out a command; nil when it may.
func (r *ReplicaSet) rejection(c Command) (reply bson.D, write bool) {
	write = slices.Contains([]string{"insert", "update", "delete", "findAndModify", "createIndexes"}, c.Name)
	mode, _ := c.Body.Lookup("$readPreference", "mode").StringValueOK()
	switch {
	case !write && mode != "" && mode != "primary", c.Address == r.primary && !r.rejects:
		return nil, false
	case r.rejects:
		return CommandFailure(189), write // PrimarySteppedDown
	case write:
		return CommandFailure(10107), true // NotWritablePrimary
	}
	return CommandFailure(13435), false // NotPrimaryNoSecondaryOk
}

// once repeats the reply to a retryable write that was already carried out.
func (r *ReplicaSet) once(c Command) Action {
	number, ok := c.Body.Lookup("txnNumber").Int64OK()
	if _, transaction := c.Body.Lookup("autocommit").BooleanOK(); !ok || transaction {
		return Action{}
	}
	_, session := c.Body.Lookup("lsid", "id").Binary()
	write := fmt.Sprintf("%x %d", session, number)
	if reply, ok := r.replies[write]; ok {
		return Action{Reply: reply}
	}
	return Action{Without: []string{"txnNumber"}, Amend: func(reply bson.D) bson.D {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.replies[write] = reply
		return reply
	}}
}

// await delays a hello until the topology changes, for at most the time that a client that knows the topology allows.
func (r *ReplicaSet) await(c Command) {
	known, ok := c.Body.Lookup("topologyVersion", "counter").AsInt64OK()
	wait, waits := c.Body.Lookup("maxAwaitTimeMS").AsInt64OK()
	r.mu.Lock()
	version, changed := r.version, r.changed
	r.mu.Unlock()
	if !ok || !waits || known != version {
		return
	}
	select {
	case <-changed:
	case <-time.After(time.Duration(wait) * time.Millisecond):
	case <-r.ended:
	}
}

func (r *ReplicaSet) topologyVersion(address string, version int64) bson.D {
	process := bson.ObjectID{byte(slices.Index(r.hosts, address))}
	return bson.D{{Key: "processId", Value: process}, {Key: "counter", Value: version}}
}

// withoutSet removes the replica set and the sessions from a server's hello.
func withoutSet(hello bson.D) bson.D {
	return slices.DeleteFunc(hello, func(e bson.E) bool {
		return slices.Contains([]string{
			"isWritablePrimary", "ismaster", "secondary", "setName", "setVersion", "hosts", "primary", "me",
			"logicalSessionTimeoutMinutes",
		}, e.Key)
	})
}

// hello returns the hello of a member, derived from the server's hello.
func (r *ReplicaSet) hello(address string, hello bson.D) bson.D {
	r.mu.Lock()
	defer r.mu.Unlock()
	hello = append(
		withoutSet(hello),
		bson.E{Key: "setName", Value: "test"},
		bson.E{Key: "setVersion", Value: int32(1)},
		bson.E{Key: "hosts", Value: r.hosts},
		bson.E{Key: "me", Value: address},
		bson.E{Key: "isWritablePrimary", Value: address == r.primary},
		bson.E{Key: "ismaster", Value: address == r.primary},
		bson.E{Key: "secondary", Value: address != r.primary},
		bson.E{Key: "lastWrite", Value: bson.D{{Key: "lastWriteDate", Value: time.Now()}}},
		bson.E{Key: "topologyVersion", Value: r.topologyVersion(address, r.version)},
	)
	if r.primary != "" {
		hello = append(hello, bson.E{Key: "primary", Value: r.primary})
	}
	if address == r.primary {
		election := bson.ObjectID{0x7f, 0xff, 0xff, 0xff}
		binary.BigEndian.PutUint64(election[4:], uint64(r.term))
		hello = append(hello, bson.E{Key: "electionId", Value: election})
	}
	if r.sessions {
		hello = append(hello, bson.E{Key: "logicalSessionTimeoutMinutes", Value: int32(30)})
	}
	return hello
}
