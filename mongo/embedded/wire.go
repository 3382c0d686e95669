package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"
)

const (
	headerSize = 16
	maxMessage = 48_000_000 // bytes, as hello advertises

	opQuery wiremessage.OpCode = 2004

	flagsRequired = 0xFFFF // a checksum, no reply, or unknown flags: all are rejected
)

var errFrame = errors.New("malformed wire message")

// request is one command as it came over the wire. Everything in it aliases the message.
type request struct {
	id        int32
	body      raw
	sequences []sequence // documents sent beside the body
	legacy    bool       // OP_QUERY, whose reply is OP_REPLY; drivers still use it for their first command
}

// sequence is an array argument of a command, sent as bare documents.
type sequence struct {
	name string
	docs []raw
}

// readMessage reads one message into buf. It allocates memory as bytes arrive, not as the header promises.
func readMessage(r io.Reader, buf []byte) ([]byte, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return buf, err
	}
	length, _, _ := bsoncore.ReadLength(header[:])
	if length < headerSize || length > maxMessage {
		return buf, fmt.Errorf("%w: length %d", errFrame, length)
	}
	message := bytes.NewBuffer(append(buf[:0], header[:]...))
	message.Grow(min(int(length), 1<<20) + bytes.MinRead)
	_, err := io.CopyN(message, r, int64(length)-headerSize)
	return message.Bytes(), err
}

// parseRequest parses a message and validates every document in it.
func parseRequest(message []byte) (*request, error) {
	_, id, _, operation, b, _ := wiremessage.ReadHeader(message)
	req := &request{id: id, legacy: operation == opQuery}
	switch operation {
	case wiremessage.OpMsg:
		return req, req.parseMsg(b)
	case opQuery:
		return req, req.parseQuery(b)
	}
	return nil, fmt.Errorf("%w: operation %d", errFrame, operation)
}

func (req *request) parseMsg(b []byte) error {
	flags, b, ok := wiremessage.ReadMsgFlags(b)
	if !ok || flags&flagsRequired != 0 {
		return fmt.Errorf("%w: flags %#x", errFrame, flags)
	}
	for len(b) > 0 {
		var err error
		switch kind := wiremessage.SectionType(b[0]); kind {
		case wiremessage.SingleDocument:
			b, err = req.parseBody(b[1:])
		case wiremessage.DocumentSequence:
			b, err = req.parseSequence(b[1:])
		default:
			err = fmt.Errorf("%w: section kind %d", errFrame, kind)
		}
		if err != nil {
			return err
		}
	}
	if req.body == nil {
		return fmt.Errorf("%w: no body", errFrame)
	}
	return nil
}

func (req *request) parseBody(b []byte) (rest []byte, err error) {
	doc, rest, ok := bsoncore.ReadDocument(b)
	if !ok || req.body != nil {
		return nil, fmt.Errorf("%w: body", errFrame)
	}
	req.body = raw(doc)
	return rest, validate(doc)
}

func (req *request) parseSequence(b []byte) (rest []byte, err error) {
	name, docs, rest, ok := wiremessage.ReadMsgSectionDocumentSequence(b)
	if !ok {
		return nil, fmt.Errorf("%w: sequence", errFrame)
	}
	seq := sequence{name: name}
	for _, doc := range docs {
		if err := validate(doc); err != nil {
			return nil, err
		}
		seq.docs = append(seq.docs, raw(doc))
	}
	req.sequences = append(req.sequences, seq)
	return rest, nil
}

// parseQuery reads the legacy OP_QUERY, which drivers still use for their first command.
func (req *request) parseQuery(b []byte) error {
	const flags, skipAndReturn = 4, 8 // bytes
	if len(b) < flags {
		return errFrame
	}
	_, b, ok := bsoncore.ReadKeyBytes(b[flags:]) // the collection
	if !ok || len(b) < skipAndReturn {
		return errFrame
	}
	_, err := req.parseBody(b[skipAndReturn:])
	return err
}

// openReply starts a message in dst; the body document follows, then closeReply.
func (req *request) openReply(dst []byte) []byte {
	if req.legacy {
		_, dst = wiremessage.AppendHeaderStart(dst[:0], req.id, req.id, wiremessage.OpReply)
		dst = wiremessage.AppendReplyFlags(dst, wiremessage.AwaitCapable)
		dst = append(dst, make([]byte, 12)...) // cursor and first position
		return wiremessage.AppendReplyNumberReturned(dst, 1)
	}
	_, dst = wiremessage.AppendHeaderStart(dst[:0], req.id, req.id, wiremessage.OpMsg)
	return append(dst, 0, 0, 0, 0, 0) // no flags, a section of kind 0
}

func closeReply(dst []byte) []byte { return bsoncore.UpdateLength(dst, 0, int32(len(dst))) }
