package graph

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
)

// A long list, such as all items, is several megabytes of JSON. An operation whose owner sets Stream does not write
// such a list when it is resolved: Response.Stream writes it in frames while the owner reads them, on another core if
// there is one, so that the JSON is never in memory as a whole. TestStreamMemory in internal/app bounds the memory of a
// response: 1.2 times its length while it is sent, instead of 2; 2.8 times are allocated, instead of 6.7.
//
// Values that access rules guard are not streamed, since gqlgen reports each restriction.

// frameSize is the number of bytes after which a frame ends with the next element of a list.
const frameSize = 64 << 10

// ErrNotStreamed means that gqlgen has to write a value of a streamed list: run the operation without Stream, which
// reports errors and restrictions.
var ErrNotStreamed = errors.New("graph: the list cannot be streamed")

// streaming is the state of a run whose owner reads frames.
type streaming struct {
	found atomic.Bool // there is a value that is not written yet
	root  graphql.Marshaler
}

// add returns the marshaler of a value that is streamed, nil for others. Values in lists are not.
func (s *streaming) add(p *plan, value any, fc *graphql.FieldContext) graphql.Marshaler {
	if s == nil || p.stream == nil || reflect.TypeOf(value) != p.typ {
		return nil
	}
	for ; fc != nil; fc = fc.Parent {
		if fc.Index != nil {
			return nil
		}
	}
	s.found.Store(true)
	return &streamedValue{p.stream, reflect.ValueOf(value)}
}

// streamedValue is a value that is written in frames.
type streamedValue struct {
	stream streamer
	value  reflect.Value
}

// MarshalGQL writes the value to a frameWriter: the owner of the run reads nothing else.
func (s *streamedValue) MarshalGQL(to io.Writer) {
	if w := to.(*frameWriter); w.err == nil && !s.stream(w, s.value) && w.err == nil {
		w.err = ErrNotStreamed
	}
}

// streamer writes a value in frames. ok is false if gqlgen has to write it.
type streamer func(w *frameWriter, v reflect.Value) (ok bool)

func (f fieldWriter) streams() bool { return f.stream != nil }

func streamPointer(inner streamer, nonNull bool) streamer {
	if inner == nil {
		return nil
	}
	return func(w *frameWriter, v reflect.Value) bool {
		if v.IsNil() {
			w.buf = append(w.buf, "null"...)
			return !nonNull
		}
		return inner(w, v.Elem())
	}
}

func streamList(element writer, nonNull bool) streamer {
	if element == nil {
		return nil
	}
	whole := writeList(element, nonNull)
	return func(w *frameWriter, v reflect.Value) (ok bool) {
		n := v.Len()
		if n == 0 {
			w.buf, ok = whole(w.buf, v)
			return ok
		}
		for i := range n {
			separator := byte(',')
			if i == 0 {
				separator = '['
			}
			if w.buf, ok = element(append(w.buf, separator), v.Index(i)); !ok {
				return false
			}
			if len(w.buf) >= frameSize {
				if w.flush(float64(i+1) / float64(n)); w.err != nil {
					return false
				}
			}
		}
		w.buf = append(w.buf, ']')
		return true
	}
}

// stream writes an object with a list, which no access rule guards.
func (o *objectWriter) stream(w *frameWriter, v reflect.Value) (ok bool) {
	for i := range o.fields {
		f := &o.fields[i]
		key := f.key
		if i == 0 {
			w.buf, key = append(w.buf, '{'), key[1:] // without the comma
		}
		w.buf = append(w.buf, key...)
		value, has := f.of(v)
		switch {
		case !has:
			return false
		case f.stream != nil:
			ok = f.stream(w, value)
		default:
			w.buf, ok = f.writer(w.buf, value)
		}
		if !ok {
			return false
		}
	}
	w.buf = append(w.buf, '}')
	return true
}

// Stream is the value of the only root field of a response as JSON.
type Stream struct{ root graphql.Marshaler }

// Frame is a part of the JSON: it ends between two tokens.
type Frame struct {
	Text []byte
	// Done is how much of the list is written, from 0 to 1.
	Done float64
}

// FrameReader reads a stream. It must be closed.
type FrameReader struct {
	w       *frameWriter
	current []byte
}

// errClosed ends the writing of a stream whose reader was closed.
var errClosed = errors.New("graph: the reader of the stream was closed")

// frameWriter collects what marshalers write.
type frameWriter struct {
	buf    []byte
	err    error // read when frames is closed
	frames chan Frame
	free   chan []byte // buffers that were read
	closed chan struct{}
}

// Read begins to write the stream.
func (s *Stream) Read() *FrameReader {
	w := &frameWriter{frames: make(chan Frame), free: make(chan []byte, 2), closed: make(chan struct{})}
	go func() {
		defer close(w.frames)
		defer func() {
			if r := recover(); r != nil {
				w.err = fmt.Errorf("writing a streamed response: %v", r)
			}
		}()
		s.root.MarshalGQL(w)
		w.flush(1)
	}()
	return &FrameReader{w: w}
}

// Next returns the next frame, none at the end. It is valid until the following call.
func (r *FrameReader) Next() (Frame, error) {
	if r.current != nil {
		r.w.free <- r.current[:0] // never blocks: there are two buffers besides the current one
		r.current = nil
	}
	f, ok := <-r.w.frames
	if !ok {
		return Frame{}, r.w.err
	}
	r.current = f.Text
	return f, nil
}

// Close ends the stream; its frames may not be used any more.
func (r *FrameReader) Close() {
	close(r.w.closed)
	for range r.w.frames { // until the writer has returned
	}
}

func (w *frameWriter) Write(text []byte) (int, error) {
	w.buf = append(w.buf, text...)
	return len(text), nil
}

// flush passes on what is written.
func (w *frameWriter) flush(done float64) {
	if w.err != nil || len(w.buf) == 0 {
		return
	}
	select {
	case w.frames <- Frame{w.buf, done}:
	case <-w.closed:
		w.err = errClosed
		return
	}
	select {
	case w.buf = <-w.free:
	default:
		w.buf = make([]byte, 0, frameSize+frameSize/8)
	}
}
