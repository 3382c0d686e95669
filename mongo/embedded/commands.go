package embedded

import (
	"encoding/binary"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// handler runs one command with the arguments that fields lists. Handshakes list none: they gain fields with every
// driver version.
type handler struct {
	run    func(*command) error
	fields fieldSet
}

var commands = commandTable()

func commandTable() map[string]handler {
	table := map[string]handler{}
	const query = "filter sort projection skip limit batchSize singleBatch hint allowDiskUse noCursorTimeout " +
		"allowPartialResults -tailable -awaitData -oplogReplay -returnKey -showRecordId -min -max -collation -let"
	for _, row := range []struct {
		names, fields string
		run           func(*command) error
	}{
		{"hello isMaster ismaster", "*", hello},
		{"ping", "", func(*command) error { return nil }},
		{"endSessions killSessions", "", endSessions},
		{"commitTransaction", "", commitTransaction},
		{"abortTransaction", "", abortTransaction},
		{"buildInfo buildinfo", "", buildInfo},
		{"find", query, find},
		{"getMore", "collection batchSize", getMore},
		{"killCursors", "cursors", killCursors},
		{"insert", "documents ordered bypassDocumentValidation", insert},
		{"update", "updates ordered bypassDocumentValidation -let", update},
		{"delete", "deletes ordered -let", remove},
		{"bulkWrite", "ops nsInfo ordered errorsOnly bypassDocumentValidation -let", bulkWrite},
		{"findAndModify findandmodify", "query sort remove update new fields upsert hint bypassDocumentValidation " +
			"-arrayFilters -collation -let", findAndModify},
		{"aggregate", "pipeline cursor allowDiskUse hint bypassDocumentValidation -explain -collation -let", aggregate},
		{"count", "query limit skip hint fields -collation", count},
		{"distinct", "key query hint -collation", distinct},
		{"createIndexes", "indexes commitQuorum ignoreUnknownIndexOptions", createIndexes},
		{"listIndexes", "cursor", listIndexes},
		{"dropIndexes deleteIndexes", "index", dropIndexes},
		{"listCollections", "filter nameOnly authorizedCollections cursor", listCollections},
		{"listDatabases", "filter nameOnly authorizedDatabases", listDatabases},
		{"drop", "", drop},
		{"dropDatabase", "", dropDatabase},
		{"explain", "verbosity", explain},
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
	// maxWireVersion belongs to serverVersion, the version that this server emulates.
	maxWireVersion = 25
	serverVersion  = "8.0.0"
	maxWriteBatch  = 100_000
	setName        = "embedded"
	hostName       = "embedded:27017" // every address leads to the server, see DialContext
	sessionMinutes = 30
)

// hello introduces the server as the primary of a replica set of one member, as drivers use sessions and transactions
// with replica sets only. No compression is offered.
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
	c.dst = appendInt32(c.dst, "maxWireVersion", maxWireVersion)
	c.dst = appendBool(c.dst, "readOnly", false)
	c.dst = appendString(c.dst, "serverRun", c.s.run) // not in MongoDB
	return nil
}

func buildInfo(c *command) error {
	c.dst = appendString(c.dst, "version", serverVersion)
	c.dst = appendValue(c.dst, "versionArray", array([]value{int32Value(8), int32Value(0), int32Value(0), int32Value(0)}))
	c.dst = appendInt32(c.dst, "bits", 64)
	c.dst = appendInt32(c.dst, "maxBsonObjectSize", maxDocument)
	return nil
}
