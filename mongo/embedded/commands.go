package embedded

import (
	"encoding/binary"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// handler runs one command with the arguments that fields lists. Handshakes list no fields, because every driver
// version adds some.
type handler struct {
	run    func(*command) error
	fields fieldSet
}

var commands = commandTable()

func commandTable() map[string]handler {
	table := map[string]handler{}
	for _, row := range []struct {
		names, fields string
		run           func(*command) error
	}{
		{"hello isMaster", "*", hello},
		{"ping", "", func(*command) error { return nil }},
		{"endSessions", "", endSessions},
		{"commitTransaction", "", commitTransaction},
		{"abortTransaction", "", abortTransaction},
		{"find", "filter sort projection skip limit batchSize singleBatch", find},
		{"getMore", "collection batchSize", getMore},
		{"killCursors", "cursors", killCursors},
		{"insert", "documents ordered", insert},
		{"update", "updates ordered", update},
		{"delete", "deletes ordered", remove},
		{"bulkWrite", "ops nsInfo ordered errorsOnly", bulkWrite},
		{"findAndModify", "query remove update new upsert", findAndModify},
		{"aggregate", "pipeline cursor", aggregate},
		{"count", "", countAll},
		{"create", "", create},
		{"createIndexes", "indexes", createIndexes},
		{"listIndexes", "cursor", listIndexes},
		{"dropIndexes", "index", dropIndexes},
		{"listCollections", "filter nameOnly cursor", listCollections},
		{"backup", "", backup},
		{"verify", "", verifyStore},
	} {
		h := handler{run: row.run}
		if row.fields != "*" {
			h.fields = parseFieldSet(row.fields)
		}
		for _, name := range strings.Fields(row.names) {
			table[name] = h
		}
	}
	return table
}

const (
	maxWireVersion = 25 // of MongoDB 8.0, which this server emulates
	oldWireVersion = 21 // of MongoDB 7.0
	maxWriteBatch  = 100_000
	setName        = "embedded"
	hostName       = "embedded:27017" // every address leads to the server, see DialContext
	sessionMinutes = 30
)

// hello introduces the server as the primary of a replica set of one member, because drivers use sessions and
// transactions with replica sets only. The server offers no compression.
func hello(c *command) error {
	primary := "isWritablePrimary"
	if c.name != "hello" {
		primary = "ismaster"
	}
	c.dst = appendBool(c.dst, "helloOk", true)
	c.dst = appendBool(c.dst, primary, true)
	c.dst = appendBool(c.dst, "secondary", false)
	c.dst = appendString(c.dst, "setName", setName)
	c.dst = appendInt32(c.dst, "setVersion", 1)
	c.dst = appendValue(c.dst, "hosts", array([]value{{bson.TypeString, appendText(nil, hostName)}}))
	c.dst = appendString(c.dst, "primary", hostName)
	c.dst = appendString(c.dst, "me", hostName)
	c.dst = appendInt32(c.dst, "logicalSessionTimeoutMinutes", sessionMinutes)
	c.dst = appendInt32(c.dst, "maxBsonObjectSize", maxDocument)
	c.dst = appendInt32(c.dst, "maxMessageSizeBytes", maxMessage)
	c.dst = appendInt32(c.dst, "maxWriteBatchSize", maxWriteBatch)
	now := binary.LittleEndian.AppendUint64(nil, uint64(time.Now().UnixMilli()))
	c.dst = appendValue(c.dst, "localTime", value{bson.TypeDateTime, now})
	c.dst = appendInt32(c.dst, "connectionId", c.connection)
	c.dst = appendInt32(c.dst, "minWireVersion", 0)
	version := int32(maxWireVersion)
	if c.s.options.NoBulkWrite {
		version = oldWireVersion
	}
	c.dst = appendInt32(c.dst, "maxWireVersion", version)
	c.dst = appendBool(c.dst, "readOnly", false)
	c.dst = appendString(c.dst, "serverRun", c.s.run) // not in MongoDB
	return nil
}
