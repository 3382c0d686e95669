package embedded

import (
	"time"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// handler runs one command with the arguments that fields lists. Handshakes list no fields, because every driver
// version adds some.
type handler struct {
	run    func(*command) error
	fields fieldSet
}

var commands = map[string]handler{
	"hello":             {run: hello},
	"isMaster":          {run: hello},
	"ping":              {func(*command) error { return nil }, parseFieldSet("")},
	"endSessions":       {endSessions, parseFieldSet("")},
	"commitTransaction": {commitTransaction, parseFieldSet("")},
	"abortTransaction":  {abortTransaction, parseFieldSet("")},
	"find":              {find, parseFieldSet("filter sort projection skip limit batchSize singleBatch")},
	"getMore":           {getMore, parseFieldSet("collection batchSize")},
	"killCursors":       {killCursors, parseFieldSet("cursors")},
	"insert":            {insert, parseFieldSet("documents ordered")},
	"update":            {update, parseFieldSet("updates ordered")},
	"delete":            {remove, parseFieldSet("deletes ordered")},
	"bulkWrite":         {bulkWrite, parseFieldSet("ops nsInfo ordered errorsOnly")},
	"findAndModify":     {findAndModify, parseFieldSet("query remove update new upsert")},
	"aggregate":         {aggregate, parseFieldSet("pipeline cursor")},
	"count":             {onCollection(countAll), parseFieldSet("")},
	"create":            {onCollection(create), parseFieldSet("")},
	"createIndexes":     {createIndexes, parseFieldSet("indexes")},
	"listIndexes":       {onCollection(listIndexes), parseFieldSet("cursor")},
	"dropIndexes":       {onCollection(dropIndexes), parseFieldSet("index")},
	"listCollections":   {listCollections, parseFieldSet("filter nameOnly cursor")},
	"backup":            {backup, parseFieldSet("")},
	"verify":            {verifyStore, parseFieldSet("")},
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
	c.dst = bsoncore.AppendBooleanElement(c.dst, "helloOk", true)
	c.dst = bsoncore.AppendBooleanElement(c.dst, primary, true)
	c.dst = bsoncore.AppendBooleanElement(c.dst, "secondary", false)
	c.dst = bsoncore.AppendStringElement(c.dst, "setName", setName)
	c.dst = bsoncore.AppendInt32Element(c.dst, "setVersion", 1)
	c.dst = appendList(c.dst, "hosts", hostName)
	c.dst = bsoncore.AppendStringElement(c.dst, "primary", hostName)
	c.dst = bsoncore.AppendStringElement(c.dst, "me", hostName)
	c.dst = bsoncore.AppendInt32Element(c.dst, "logicalSessionTimeoutMinutes", sessionMinutes)
	c.dst = bsoncore.AppendInt32Element(c.dst, "maxBsonObjectSize", maxDocument)
	c.dst = bsoncore.AppendInt32Element(c.dst, "maxMessageSizeBytes", maxMessage)
	c.dst = bsoncore.AppendInt32Element(c.dst, "maxWriteBatchSize", maxWriteBatch)
	c.dst = bsoncore.AppendTimeElement(c.dst, "localTime", time.Now())
	c.dst = bsoncore.AppendInt32Element(c.dst, "connectionId", c.connection)
	c.dst = bsoncore.AppendInt32Element(c.dst, "minWireVersion", 0)
	version := int32(maxWireVersion)
	if c.s.options.NoBulkWrite {
		version = oldWireVersion
	}
	c.dst = bsoncore.AppendInt32Element(c.dst, "maxWireVersion", version)
	c.dst = bsoncore.AppendBooleanElement(c.dst, "readOnly", false)
	c.dst = bsoncore.AppendStringElement(c.dst, "serverRun", c.s.run) // not in MongoDB
	return nil
}
