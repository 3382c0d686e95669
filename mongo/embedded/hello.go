package embedded

import (
	"encoding/binary"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

const (
	// maxWireVersion is that of MongoDB 7.0, whose behaviour is the one imitated.
	maxWireVersion = 21
	serverVersion  = "7.0.0"
	maxWriteBatch  = 100_000
)

// hello introduces the server as a stand-alone one without sessions: the driver then needs no replica set, retries
// nothing and sends no session ids. No compression is offered.
func hello(c *command) error {
	primary := "isWritablePrimary"
	if c.name != "hello" {
		primary = "ismaster"
	}
	c.dst = appendBool(c.dst, "helloOk", true)
	c.dst = appendBool(c.dst, primary, true)
	c.dst = appendInt32(c.dst, "maxBsonObjectSize", maxDocument)
	c.dst = appendInt32(c.dst, "maxMessageSizeBytes", maxMessage)
	c.dst = appendInt32(c.dst, "maxWriteBatchSize", maxWriteBatch)
	now := binary.LittleEndian.AppendUint64(nil, uint64(time.Now().UnixMilli()))
	c.dst = appendValue(c.dst, "localTime", value{bson.TypeDateTime, now})
	c.dst = appendInt32(c.dst, "connectionId", c.connection)
	c.dst = appendInt32(c.dst, "minWireVersion", 0)
	c.dst = appendInt32(c.dst, "maxWireVersion", maxWireVersion)
	c.dst = appendBool(c.dst, "readOnly", false)
	return nil
}

func buildInfo(c *command) error {
	c.dst = appendString(c.dst, "version", serverVersion)
	c.dst = appendValue(c.dst, "versionArray", array([]value{int32Value(7), int32Value(0), int32Value(0), int32Value(0)}))
	c.dst = appendInt32(c.dst, "bits", 64)
	c.dst = appendInt32(c.dst, "maxBsonObjectSize", maxDocument)
	return nil
}
