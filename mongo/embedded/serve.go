package embedded

import (
	"errors"
	"log/slog"
	"net"
	"runtime/debug"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// maxReusedBuffer is the largest message buffer that a connection reuses for the next message.
const maxReusedBuffer = 1 << 20

// maxElementHeader is the size of the type and the index of a document in a reply.
const maxElementHeader = 1 + 10 + 1

// grow makes space for n more bytes of the reply. A reply that is too large for the connection's own buffer reuses a
// shared one: growing a new buffer for all items, say, copies and clears several times its size.
func (c *command) grow(n int) {
	if cap(c.dst)-len(c.dst) >= n {
		return
	}
	size := 2*len(c.dst) + n
	if size > maxReusedBuffer/8 { // most replies that grow this far grow further
		if large, ok := c.s.largeReplies.Get().(*[]byte); ok && cap(*large) >= size {
			c.dst = append((*large)[:0], c.dst...)
			return
		}
	}
	c.dst = slices.Grow(c.dst, size-len(c.dst))
}

// serve runs the commands of one connection until it ends. A panic ends this connection only.
func (s *Server) serve(conn net.Conn, id int32) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("embedded store: command failed", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	defer s.abandon(id)
	debug.SetPanicOnFault(true)
	var in, out []byte
	for {
		message, err := readMessage(conn, in)
		if err != nil {
			return
		}
		in = message
		req, err := parseRequest(message)
		var rejected *failure
		switch {
		case errors.As(err, &rejected) && req != nil:
			out = closeReply(rejected.reply(req.openReply(out)))
		case err != nil:
			return
		default:
			c := &command{s: s, req: req, body: req.body, connection: id}
			if out, err = c.answer(out); err != nil {
				slog.Error("embedded store: command failed", "command", c.name, "error", err)
				return
			}
			if c.keep {
				in = nil
			}
		}
		if _, err := conn.Write(out); err != nil {
			return
		}
		if cap(in) > maxReusedBuffer {
			in = nil
		}
		if cap(out) > maxReusedBuffer {
			large := out
			s.largeReplies.Put(&large)
			out = nil
		}
	}
}

type command struct {
	s            *Server
	req          *request
	connection   int32
	name         string
	body         raw
	db           string
	argument     value     // of the command's name: usually the collection
	deadline     time.Time // from maxTimeMS; zero for none
	dst          []byte    // the reply so far, an open document
	openCursorAt int       // where the field "cursor" of the reply begins
	keep         bool      // something that outlives the reply aliases the request
	err          error     // of the first invalid argument

	transactional bool         // a command of a transaction, or a retryable write
	session       *session     // nil without a transaction
	tx            *transaction // nil without
	rejected      bool         // the reply has errors of single writes
}

var errTimeExpired = errorf(codeMaxTimeExpired, "operation exceeded time limit")

// answer runs the command and returns the finished message. An error means that the connection must end.
func (c *command) answer(out []byte) ([]byte, error) {
	out = c.req.openReply(out)
	start := len(out)
	var at int
	c.dst, at = openDoc(out)
	err := c.run()
	if err == nil {
		return closeReply(closeDoc(bsoncore.AppendDoubleElement(c.dst, "ok", 1), at)), nil
	}
	var panicked *panicError
	if errors.As(err, &panicked) {
		return nil, err
	}
	return closeReply(asFailure(err).reply(c.dst[:start])), nil
}

func (c *command) run() error {
	it := c.body.elements()
	name, argument, ok := it.next()
	if !ok {
		return errorf(codeCommandNotFound, "no such command: ''")
	}
	c.name, c.argument = string(name), argument
	h, known := commands[c.name]
	known = known && (c.name != "bulkWrite" || !c.s.options.NoBulkWrite)
	if !known {
		return errorf(codeCommandNotFound, "no such command: '%s'", c.name)
	}
	c.s.stats.count(c.name)
	for key, v, more := it.next(); more; key, v, more = it.next() {
		if err := c.checkField(string(key), v, h.fields); err != nil {
			return err
		}
	}
	for _, seq := range c.req.sequences {
		if err := h.fields.check(c.name, seq.name); err != nil {
			return err
		}
	}
	if !c.req.legacy {
		db := c.body.lookup("$db")
		if db.kind != bson.TypeString {
			return errorf(40571, "OP_MSG requests require a $db argument")
		}
		c.db = string(db.text())
	}
	if c.transactional {
		return c.runInTransaction(h.run)
	}
	return h.run(c)
}

// checkField accepts the command's own arguments and the arguments that all commands share.
func (c *command) checkField(name string, v value, own fieldSet) error {
	switch name {
	case "$db", "lsid", "$readPreference", "readConcern", "writeConcern":
		return nil
	case "maxTimeMS":
		n, ok := v.integer()
		if !ok || n < 0 {
			return errorf(codeBadValue, "maxTimeMS must be a non-negative integer")
		}
		if n > 0 {
			c.deadline = time.Now().Add(time.Duration(min(n, 1<<31)) * time.Millisecond)
		}
		return nil
	case "txnNumber", "startTransaction", "autocommit":
		c.transactional = true
		return nil
	}
	return own.check(c.name, name)
}
