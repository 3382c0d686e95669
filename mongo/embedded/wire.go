package embedded

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	opReply = 1
	opQuery = 2004
	opMsg   = 2013

	headerSize = 16
	maxMessage = 48_000_000 // bytes, as hello advertises

	flagsRequired = 0xFFFF // a checksum, no reply, or unknown flags: all are rejected
)

var errFrame = errors.New("malformed wire message")

// header opens every message; its numbers are little-endian int32.
type header struct{ length, requestID, responseTo, opCode int32 }

// request is one command as it came over the wire. Everything in it aliases the message.
type request struct {
	header
	body      raw
	sequences []sequence // kind 1 sections: documents sent beside the body
	legacy    bool       // OP_QUERY, whose reply is OP_REPLY
}

// sequence is an array argument of a command, sent as bare documents.
type sequence struct {
	name string
	docs []raw
}

// readMessage reads one frame into buf and returns its header and the bytes after it. It allocates memory as bytes
// arrive, not as the header promises.
func readMessage(r io.Reader, buf []byte) (header, []byte, error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return header{}, buf, err
	}
	h := header{
		int32(binary.LittleEndian.Uint32(head[0:])), int32(binary.LittleEndian.Uint32(head[4:])),
		int32(binary.LittleEndian.Uint32(head[8:])), int32(binary.LittleEndian.Uint32(head[12:])),
	}
	if h.length < headerSize || h.length > maxMessage {
		return h, buf, fmt.Errorf("%w: length %d", errFrame, h.length)
	}
	const step = 1 << 20
	buf = buf[:0]
	for left := int(h.length) - headerSize; left > 0; {
		n := min(left, max(step, len(buf)))
		if cap(buf)-len(buf) < n {
			buf = append(make([]byte, 0, len(buf)+n), buf...)
		}
		part := buf[len(buf) : len(buf)+n]
		if _, err := io.ReadFull(r, part); err != nil {
			return h, buf, err
		}
		buf, left = buf[:len(buf)+n], left-n
	}
	return h, buf, nil
}

// parseRequest parses a message and validates every document in it.
func parseRequest(h header, b []byte) (*request, error) {
	req := &request{header: h}
	switch h.opCode {
	case opMsg:
		return req, req.parseMsg(b)
	case opQuery:
		return req, req.parseQuery(b)
	}
	return nil, fmt.Errorf("%w: operation %d", errFrame, h.opCode)
}

func (req *request) parseMsg(b []byte) error {
	if len(b) < 5 {
		return errFrame
	}
	if flags := binary.LittleEndian.Uint32(b); flags&flagsRequired != 0 {
		return fmt.Errorf("%w: flags %#x", errFrame, flags)
	}
	for b = b[4:]; len(b) > 0; {
		kind := b[0]
		doc, rest, err := cut(b[1:])
		if err != nil {
			return err
		}
		switch kind {
		case 0:
			if req.body != nil {
				return fmt.Errorf("%w: two bodies", errFrame)
			}
			if err := validate(doc); err != nil {
				return err
			}
			req.body = doc
		case 1:
			seq, err := parseSequence(doc[4:])
			if err != nil {
				return err
			}
			req.sequences = append(req.sequences, seq)
		default:
			return fmt.Errorf("%w: section kind %d", errFrame, kind)
		}
		b = rest
	}
	if req.body == nil {
		return fmt.Errorf("%w: no body", errFrame)
	}
	return nil
}

// cut splits off a first part that begins with its own length.
func cut(b []byte) (first, rest []byte, err error) {
	if len(b) < 5 {
		return nil, nil, errFrame
	}
	n := int(int32(binary.LittleEndian.Uint32(b)))
	if n < 5 || n > len(b) {
		return nil, nil, errFrame
	}
	return b[:n:n], b[n:], nil
}

func parseSequence(b []byte) (sequence, error) {
	end := bytes.IndexByte(b, 0)
	if end < 0 {
		return sequence{}, errFrame
	}
	seq := sequence{name: string(b[:end])}
	for b = b[end+1:]; len(b) > 0; {
		doc, rest, err := cut(b)
		if err != nil {
			return seq, err
		}
		if err := validate(doc); err != nil {
			return seq, err
		}
		seq.docs, b = append(seq.docs, doc), rest
	}
	return seq, nil
}

// parseQuery reads the legacy OP_QUERY, which drivers still use for their first command.
func (req *request) parseQuery(b []byte) error {
	req.legacy = true
	if len(b) < 4 {
		return errFrame
	}
	end := bytes.IndexByte(b[4:], 0)
	if end < 0 || len(b) < 4+end+1+8 {
		return errFrame
	}
	doc, _, err := cut(b[4+end+1+8:])
	if err != nil {
		return err
	}
	if err := validate(doc); err != nil {
		return err
	}
	if inner := raw(doc).lookup("$query"); inner.kind != 0 {
		return fmt.Errorf("%w: wrapped query", errFrame)
	}
	req.body = doc
	return nil
}

// openReply starts a message in dst; the body document follows, then closeReply.
func (req *request) openReply(dst []byte) []byte {
	op := int32(opMsg)
	if req.legacy {
		op = opReply
	}
	dst = append(dst[:0], 0, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(req.requestID))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(req.requestID))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(op))
	if req.legacy {
		const awaitCapable = 8
		dst = binary.LittleEndian.AppendUint32(dst, awaitCapable)
		dst = append(dst, make([]byte, 12)...)          // cursor and first position
		return binary.LittleEndian.AppendUint32(dst, 1) // documents
	}
	return append(dst, 0, 0, 0, 0, 0) // no flags, a section of kind 0
}

func closeReply(dst []byte) []byte {
	binary.LittleEndian.PutUint32(dst, uint32(len(dst)))
	return dst
}
