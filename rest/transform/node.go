package transform

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value of a recorded body. Members keep their order, because it carries meaning in some bodies.
type node struct {
	at    int // byte offset in the recorded body
	kind  jsontext.Kind
	raw   jsontext.Value   // JSON text of a string, number, boolean or null
	keys  []string         // of an object
	items []*node          // of an object or an array
	index map[string]*node // of an object with many keys
}

const (
	// maxDepth is the maximum nesting of a body.
	maxDepth = 64
	// maxValues is the maximum number of JSON values in a body or one of its records: a node takes more memory than its
	// text.
	maxValues = 250_000
)

// parse parses one JSON value that begins at an offset of the recorded body. It rejects invalid UTF-8 and duplicate
// keys. Every error is a *bodyError.
func parse(text []byte, offset int) (*node, error) {
	p := &bodyParser{text, offset, jsontext.NewDecoder(bytes.NewBuffer(text)), 0}
	root, err := p.value()
	if err != nil {
		return nil, err
	}
	rest := bytes.TrimLeft(text[p.dec.InputOffset():], " \t\r\n")
	if len(rest) > 0 {
		return nil, &bodyError{at: offset + len(text) - len(rest), text: "unexpected data after the JSON value"}
	}
	return root, nil
}

type bodyParser struct {
	text   []byte
	offset int // of text in the recorded body
	dec    *jsontext.Decoder
	values int
}

func (p *bodyParser) value() (*node, error) {
	p.values++
	if p.values > maxValues {
		return nil, &bodyError{at: p.offset + int(p.dec.InputOffset()), text: fmt.Sprintf("more than %d values", maxValues)}
	}
	switch p.dec.PeekKind() {
	case '{':
		return p.object()
	case '[':
		return p.array()
	}
	value, err := p.dec.ReadValue()
	if err != nil {
		return nil, p.syntaxError(err)
	}
	end := int(p.dec.InputOffset())
	at := end - len(value)
	return &node{at: p.offset + at, kind: value.Kind(), raw: p.text[at:end]}, nil
}

func (p *bodyParser) object() (*node, error) {
	n, err := p.open()
	if err != nil {
		return nil, err
	}
	for p.dec.PeekKind() != '}' {
		key, err := p.dec.ReadToken()
		if err != nil {
			return nil, p.syntaxError(err)
		}
		name := key.String()
		value, err := p.value()
		if err != nil {
			return nil, within(keyStep(name), err)
		}
		n.put(name, value)
	}
	return n, p.close()
}

func (p *bodyParser) array() (*node, error) {
	n, err := p.open()
	if err != nil {
		return nil, err
	}
	for p.dec.PeekKind() != ']' {
		value, err := p.value()
		if err != nil {
			return nil, within(indexStep(len(n.items)), err)
		}
		n.items = append(n.items, value)
	}
	return n, p.close()
}

// open reads the bracket that begins an object or an array.
func (p *bodyParser) open() (*node, error) {
	token, err := p.dec.ReadToken()
	if err != nil {
		return nil, p.syntaxError(err)
	}
	n := &node{at: p.offset + int(p.dec.InputOffset()) - 1, kind: token.Kind()}
	if p.dec.StackDepth() > maxDepth {
		return nil, errorAt(n, "nested deeper than %d levels", maxDepth)
	}
	return n, nil
}

// close reads the bracket that ends an object or an array.
func (p *bodyParser) close() error {
	if _, err := p.dec.ReadToken(); err != nil {
		return p.syntaxError(err)
	}
	return nil
}

func (p *bodyParser) syntaxError(err error) error {
	return syntaxError(err, p.offset, p.offset+len(p.text), p.offset+int(p.dec.InputOffset()))
}

// syntaxError adds an offset to a decoder's error. begin and end are the offsets of the decoder's text in the recorded
// body; at is the offset that the decoder has reached.
func syntaxError(err error, begin, end, at int) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &bodyError{at: end, text: "unexpected end of the JSON text", cause: err}
	case !errors.As(err, &syntax):
		return &bodyError{at: at, text: err.Error(), cause: err}
	}
	at = begin + int(syntax.ByteOffset)
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return within(keyStep(syntax.JSONPointer.LastToken()), &bodyError{at: at, text: "duplicate key"})
	}
	return &bodyError{at: at, text: "not JSON: " + syntax.Err.Error()}
}

func (n *node) null() bool { return n.kind == 'n' }

// string returns the value of a string. ok is false for any other kind.
func (n *node) string() (s string, ok bool) {
	if n.kind != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, n.raw)
	return string(text), err == nil
}

// number returns the text of a number, or "" for any other kind.
func (n *node) number() string {
	if n.kind != '0' {
		return ""
	}
	return string(n.raw)
}

// equal reports whether two single values are the same. Numbers are compared as text.
func (n *node) equal(other *node) bool {
	if n.kind == '"' && other.kind == '"' {
		a, _ := n.string()
		b, _ := other.string()
		return a == b
	}
	return n.kind == other.kind && string(n.raw) == string(other.raw)
}

// get returns the member with a key, or nil.
func (n *node) get(key string) *node {
	if n.index != nil {
		return n.index[key]
	}
	if i := slices.Index(n.keys, key); i >= 0 {
		return n.items[i]
	}
	return nil
}

// indexedFrom is the minimum number of keys for which an object gets an index.
const indexedFrom = 9

// put adds a member with a new key.
func (n *node) put(key string, v *node) {
	n.keys, n.items = append(n.keys, key), append(n.items, v)
	if n.index == nil && len(n.keys) >= indexedFrom {
		n.index = make(map[string]*node, 2*len(n.keys))
		for i, k := range n.keys {
			n.index[k] = n.items[i]
		}
	} else if n.index != nil {
		n.index[key] = v
	}
}

// only returns an object with the members whose key is accepted.
func (n *node) only(accept func(key string) bool) *node {
	out := &node{at: n.at, kind: '{'}
	for i, k := range n.keys {
		if accept(k) {
			out.put(k, n.items[i])
		}
	}
	return out
}

// bodyError is an error at a place of a recorded body.
type bodyError struct {
	at     int      // byte offset
	record int      // number of the record; 0 if the body is read as a whole
	path   []string // steps from the root
	text   string
	cause  error // nil if there is none
}

func (e *bodyError) Error() string { return e.text }

func (e *bodyError) Unwrap() error { return e.cause }

// errorAt is an error at a node.
func errorAt(n *node, format string, args ...any) error {
	return &bodyError{at: n.at, text: fmt.Sprintf(format, args...)}
}

// within prepends a step to the path of an error.
func within(step string, err error) error {
	var b *bodyError
	if errors.As(err, &b) {
		b.path = append([]string{step}, b.path...)
	}
	return err
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// keyStep returns the path step to a member. It quotes a key that is not an identifier.
func keyStep(key string) string {
	if identifier.MatchString(key) {
		return "." + key
	}
	return "[" + strconv.Quote(key) + "]"
}

// indexStep returns the path step to an element.
func indexStep(i int) string { return "[" + strconv.Itoa(i) + "]" }

// withPosition prefixes an error with its line, column, record and path.
func withPosition(body io.Reader, err error) error {
	var b *bodyError
	if !errors.As(err, &b) {
		return err
	}
	line, column := 1, 1
	for text := bufio.NewReader(io.LimitReader(body, int64(b.at))); ; {
		switch c, err := text.ReadByte(); {
		case err != nil:
			place := fmt.Sprintf("line %d, column %d", line, column)
			if b.record > 0 {
				place += fmt.Sprintf(", record %d", b.record)
			}
			return fmt.Errorf("%s ($%s): %w", place, strings.Join(b.path, ""), b)
		case c == '\n':
			line, column = line+1, 1
		case utf8.RuneStart(c):
			column++
		}
	}
}
