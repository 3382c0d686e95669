package mongotest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Cluster makes a server look like the mongos of a sharded cluster: between the driver and the server it answers the
// commands about shards, and has the metadata that they change. Records are those of the server.
type Cluster struct {
	Proxy *Proxy

	server *Server
	// Databases are those that sharding is enabled of.
	Databases []string

	shards []string

	mu          sync.Mutex
	collections []clusterCollection
	sent        []bson.D
	fail        string // a command that fails
	indexes     bson.A // those that differ between shards; nil before MongoDB 7.0
}

type clusterCollection struct {
	name   string
	key    bson.D
	chunks []clusterChunk
}

type clusterChunk struct {
	min, max bson.D
	shard    string
}

// NewCluster returns a cluster of some shards in front of a server.
func NewCluster(server *Server, shards ...string) *Cluster {
	c := &Cluster{Proxy: NewProxy(server), server: server, shards: shards}
	c.Proxy.Handle(c.decide)
	return c
}

// Listen returns the address of the cluster for programs.
func (c *Cluster) Listen(t testing.TB) (uri string) {
	t.Helper()
	return "mongodb://" + c.Proxy.Listen(t, c.server.Address(t)) + "/?directConnection=true&retryWrites=false"
}

// Sent returns the commands that changed the cluster since the last call.
func (c *Cluster) Sent() []bson.D {
	c.mu.Lock()
	defer c.mu.Unlock()
	sent := c.sent
	c.sent = nil
	return sent
}

// AddShard adds a shard without records.
func (c *Cluster) AddShard(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shards = append(c.shards, name)
}

// Fail makes a command fail, every time; none if it is empty.
func (c *Cluster) Fail(command string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fail = command
}

// LoseIndex makes a shard lack an index of a collection. From then on the cluster compares indexes, as MongoDB 7.0.
func (c *Cluster) LoseIndex(collection, index, shard string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.indexes = append(c.indexes, bson.D{
		{Key: "type", Value: "InconsistentIndex"},
		{Key: "details", Value: bson.D{{Key: "namespace", Value: collection}, {Key: "info", Value: bson.D{
			{Key: "indexName", Value: index}, {Key: "inconsistentProperties", Value: bson.A{}},
			{Key: "missingFromShards", Value: bson.A{shard}},
		}}}},
	})
}

// Shard shards a collection by another client.
func (c *Cluster) Shard(name string, key bson.D) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shard(name, key)
}

func (c *Cluster) decide(command Command) Action {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch command.Name {
	case "hello", "isMaster", "ismaster":
		return Action{Amend: func(reply bson.D) bson.D {
			return append(
				withoutSet(reply),
				bson.E{Key: "isWritablePrimary", Value: true},
				bson.E{Key: "ismaster", Value: true},
				bson.E{Key: "msg", Value: "isdbgrid"},
				bson.E{Key: "logicalSessionTimeoutMinutes", Value: int32(30)},
			)
		}}
	case "listShards":
		var list bson.A
		for _, name := range c.shards {
			list = append(list, bson.D{{Key: "_id", Value: name}})
		}
		return Action{Reply: bson.D{{Key: "shards", Value: list}, {Key: "ok", Value: 1}}}
	case "find", "aggregate":
		if db, _ := command.Body.Lookup("$db").StringValueOK(); db == "config" {
			return Action{Reply: c.metadata(command)}
		}
	case "checkMetadataConsistency":
		if c.indexes != nil {
			return Action{Reply: batch("admin.$cmd.checkMetadataConsistency", c.indexes)}
		}
	case "createIndexes":
		if _, hashed := command.Body.Lookup("indexes", "0", "key", "_id").StringValueOK(); hashed { // MongoDB has them
			return c.change(command, func(bson.D) error { return nil })
		}
	case "enableSharding":
		return c.change(command, func(bson.D) error { c.Databases = append(c.Databases, command.Collection); return nil })
	case "shardCollection":
		return c.change(command, func(d bson.D) error { return c.shard(command.Collection, value[bson.D](d, "key")) })
	case "split":
		return c.change(command, func(d bson.D) error { return c.split(command.Collection, value[bson.D](d, "middle")) })
	case "moveChunk":
		return c.change(command, func(d bson.D) error {
			return c.move(command.Collection, value[bson.A](d, "bounds"), value[string](d, "to"))
		})
	}
	return Action{}
}

func value[T any](d bson.D, field string) (out T) {
	for _, e := range d {
		if v, ok := e.Value.(T); ok && e.Key == field {
			out = v
		}
	}
	return out
}

// change makes a change and remembers its command, without what the driver adds to it.
func (c *Cluster) change(command Command, apply func(bson.D) error) Action {
	var d bson.D
	err := bson.Unmarshal(command.Body, &d)
	if end := slices.IndexFunc(d, func(e bson.E) bool { return e.Key == "lsid" || e.Key[0] == '$' }); end >= 0 {
		d = d[:end]
	}
	if c.fail == command.Name {
		return Action{Reply: CommandFailure(1)}
	}
	if err == nil {
		err = apply(d)
	}
	if err != nil {
		return Action{Reply: append(CommandFailure(23), bson.E{Key: "errmsg", Value: err.Error()})}
	}
	c.sent = append(c.sent, d)
	return Action{Reply: bson.D{{Key: "ok", Value: 1}}}
}

func (c *Cluster) collection(name string) *clusterCollection {
	at := slices.IndexFunc(c.collections, func(x clusterCollection) bool { return x.name == name })
	if at < 0 {
		return &clusterCollection{}
	}
	return &c.collections[at]
}

func (c *Cluster) shard(name string, key bson.D) error {
	if c.collection(name).name != "" {
		return fmt.Errorf("%s is already sharded", name)
	}
	whole := clusterChunk{shard: c.shards[0]}
	for _, field := range key {
		whole.min = append(whole.min, bson.E{Key: field.Key, Value: bson.MinKey{}})
		whole.max = append(whole.max, bson.E{Key: field.Key, Value: bson.MaxKey{}})
	}
	c.collections = append(c.collections, clusterCollection{name, key, []clusterChunk{whole}})
	return nil
}

// split splits the last range: the commands come in the order of the bounds.
func (c *Cluster) split(name string, at bson.D) error {
	x := c.collection(name)
	isBound := slices.ContainsFunc(x.chunks, func(k clusterChunk) bool { return equalDocuments(k.min, at) })
	if len(x.chunks) == 0 || isBound {
		return fmt.Errorf("%v is a bound of %s, or it is not sharded", at, name)
	}
	last := &x.chunks[len(x.chunks)-1]
	next := clusterChunk{at, last.max, last.shard}
	last.max = at
	x.chunks = append(x.chunks, next)
	return nil
}

func (c *Cluster) move(name string, bounds bson.A, to string) error {
	for i, k := range c.collection(name).chunks {
		if len(bounds) == 2 && equalDocuments(k.min, bounds[0]) && equalDocuments(k.max, bounds[1]) {
			c.collection(name).chunks[i].shard = to
			return nil
		}
	}
	return fmt.Errorf("%s has no range %v", name, bounds)
}

func equalDocuments(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// metadata answers a query of the database config.
func (c *Cluster) metadata(command Command) bson.D {
	found := bson.A{}
	switch command.Collection {
	case "databases":
		if len(c.Databases) > 0 {
			found = append(found, bson.D{{Key: "_id", Value: 1}, {Key: "n", Value: len(c.Databases)}}) // a count
		}
	case "collections":
		for _, x := range c.collections {
			found = append(found, bson.D{
				{Key: "_id", Value: x.name}, {Key: "uuid", Value: uuidOf(x.name)}, {Key: "key", Value: x.key},
			})
		}
	case "chunks":
		_, wanted, _ := command.Body.Lookup("filter", "uuid").BinaryOK()
		for _, x := range c.collections {
			for _, k := range x.chunks {
				if string(wanted) == x.name {
					found = append(found, bson.D{{Key: "min", Value: k.min}, {Key: "shard", Value: k.shard}})
				}
			}
		}
	}
	return batch("config."+command.Collection, found)
}

// batch returns the reply of a command with all documents in the first batch.
func batch(namespace string, documents bson.A) bson.D {
	return bson.D{{Key: "ok", Value: 1}, {Key: "cursor", Value: bson.D{
		{Key: "id", Value: int64(0)}, {Key: "ns", Value: namespace}, {Key: "firstBatch", Value: documents},
	}}}
}

// uuidOf is an invented uuid of a collection.
func uuidOf(name string) bson.Binary { return bson.Binary{Subtype: 4, Data: []byte(name)} }

// Spread returns how many ranges of a collection each shard has.
func (c *Cluster) Spread(name string) map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[string]int{}
	for _, k := range c.collection(name).chunks {
		out[k.shard]++
	}
	return out
}
