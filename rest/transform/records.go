package transform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxRecord is the maximum size in bytes of a record in a recorded body, and of a body that is not a list of records.
const MaxRecord = 4 << 20

// records returns the field whose elements are the records of a body, or nil if the body is not a list of records.
func (op *Operation) records() *field {
	f := op.root
	if f.Pick != nil {
		f = f.picked()
		if op.root.Pick.Variable == "" && f.field.Name != "nodes" {
			return nil // the list is part of the root field's record
		}
	}
	if op.oneWay || f.list() == nil || f.Numbered {
		return nil
	}
	return f
}

// ReverseEach reads a recorded body like Reverse, but one record at a time, so that its memory does not depend on the
// size of the body. yield gets the data of each record as a list of one and must not retain it. ReverseEach adds the
// place of the record to an error of yield; to find the place, it reads the body again from the beginning.
func (op *Operation) ReverseEach(body io.ReadSeeker, vars map[string]any, yield func(json.RawMessage) error) error {
	s := recordReader{op: op, vars: vars, yield: yield, source: boundedReader{from: body}}
	// yield detects repeated keys of records, because the decoder would have to remember all keys.
	s.dec = jsontext.NewDecoder(&s.source, jsontext.AllowDuplicateNames(true))
	err := s.body()
	if err == nil {
		err = s.end()
	}
	if err == nil {
		return nil
	}
	if _, e := body.Seek(0, io.SeekStart); e != nil {
		return errors.Join(err, e)
	}
	return withPosition(body, err)
}

type recordReader struct {
	op     *Operation
	vars   map[string]any
	yield  func(json.RawMessage) error
	source boundedReader
	dec    *jsontext.Decoder
}

func (s *recordReader) body() error {
	f := s.op.records()
	switch kind := s.peek(); {
	case kind == '[' && f.keyBy == nil:
		return s.array(f)
	case kind == '{' && f.keyBy != nil:
		return s.keyed(f)
	case kind == '{' && f != s.op.root && s.op.root.Pick.Variable != "":
		return s.page(f)
	}
	n, err := s.value()
	if err != nil {
		return err
	}
	r := reverser{vars: s.vars}
	return r.value(s.op.root, s.op.root.typ, n) // returns an error
}

// array reads the records of an array.
func (s *recordReader) array(f *field) error {
	if _, err := s.token(); err != nil {
		return err
	}
	for i := 0; s.peek() != ']'; i++ {
		n, err := s.value()
		if err == nil {
			err = s.record(n, func(r *reverser) error {
				r.out.WriteByte('[')
				defer r.out.WriteByte(']')
				return r.value(f, f.list(), n)
			})
		}
		if err != nil {
			return within(indexStep(i), inRecord(i+1, err))
		}
	}
	_, err := s.token()
	return err
}

// keyed reads the records of an object keyed by one of their fields.
func (s *recordReader) keyed(f *field) error {
	if _, err := s.token(); err != nil {
		return err
	}
	for i := 0; s.peek() != '}'; i++ {
		key, err := s.token()
		if err != nil {
			return inRecord(i+1, err)
		}
		name := key.String()
		n, err := s.value()
		if err != nil {
			return within(keyStep(name), inRecord(i+1, err))
		}
		entry := &node{at: n.at, kind: '{'}
		entry.put(name, n)
		if err := s.record(n, func(r *reverser) error { return r.keyed(f, entry) }); err != nil {
			return inRecord(i+1, err) // keyed and the caller add the key
		}
	}
	_, err := s.token()
	return err
}

// page reads an object with the list of records in one member.
func (s *recordReader) page(f *field) error {
	if _, err := s.token(); err != nil {
		return err
	}
	page := &node{kind: '{'}
	for s.peek() != '}' {
		key, err := s.token()
		if err != nil {
			return err
		}
		name, at := key.String(), int(s.dec.InputOffset())
		switch {
		case page.get(name) != nil:
			return within(keyStep(name), &bodyError{at: at, text: "duplicate key"})
		case !s.op.root.claimed[name]:
			return within(keyStep(name), &bodyError{at: at, text: "unknown key, its value would be lost"})
		case name == f.key && s.peek() == '[':
			err = s.array(f)
			page.put(name, &node{kind: '['})
		default:
			var n *node
			n, err = s.value()
			page.put(name, n)
		}
		if err != nil {
			return within(keyStep(name), err)
		}
	}
	if _, err := s.token(); err != nil {
		return err
	}
	r := reverser{vars: s.vars}
	return r.value(s.op.root, s.op.root.typ, page)
}

// record reverses one record and yields its data.
func (s *recordReader) record(n *node, reverse func(*reverser) error) error {
	r := reverser{vars: s.vars}
	if err := reverse(&r); err != nil {
		return err
	}
	if err := s.yield(r.out.Bytes()); err != nil {
		return &bodyError{at: n.at, text: err.Error(), cause: err}
	}
	return nil
}

// end rejects data behind the body.
func (s *recordReader) end() error {
	_, err := s.token()
	var b *bodyError
	if errors.As(err, &b) && errors.Is(b.cause, io.EOF) {
		return nil
	}
	return &bodyError{at: int(s.dec.InputOffset()), text: "unexpected data after the JSON value"}
}

func (s *recordReader) peek() jsontext.Kind {
	s.source.allow(s.dec.InputOffset())
	return s.dec.PeekKind()
}

func (s *recordReader) token() (jsontext.Token, error) {
	s.source.allow(s.dec.InputOffset())
	token, err := s.dec.ReadToken()
	if err != nil {
		return token, s.syntaxError(err)
	}
	return token, nil
}

// value reads a whole value.
func (s *recordReader) value() (*node, error) {
	s.source.allow(s.dec.InputOffset())
	text, err := s.dec.ReadValue()
	if err != nil {
		return nil, s.syntaxError(err)
	}
	return parse(bytes.Clone(text), int(s.dec.InputOffset())-len(text))
}

func (s *recordReader) syntaxError(err error) error {
	if errors.Is(err, errTooLarge) {
		return &bodyError{at: int(s.dec.InputOffset()), text: errTooLarge.Error()}
	}
	return syntaxError(err, 0, s.source.read, int(s.dec.InputOffset()))
}

// inRecord adds the number of the record to an error.
func inRecord(number int, err error) error {
	var b *bodyError
	if errors.As(err, &b) {
		b.record = number
	}
	return err
}

var errTooLarge = fmt.Errorf("a record is larger than %d MB", MaxRecord>>20)

// boundedReader reads no further than one record beyond what the decoder has returned.
type boundedReader struct {
	from        io.Reader
	read, limit int
}

func (b *boundedReader) allow(returned int64) { b.limit = int(returned) + MaxRecord }

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.read >= b.limit {
		return 0, errTooLarge
	}
	n, err := b.from.Read(p[:min(len(p), b.limit-b.read)])
	b.read += n
	return n, err
}
