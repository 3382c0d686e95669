package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a body that is imported.
const maxDepth = 64

// node is a JSON value of a recorded body with its place in the text. Members keep the
// order of the text, which carries meaning in some bodies.
type node struct {
	at    int              // offset in the text
	value any              // nil, bool, string, json.Number; unset for objects and arrays
	keys  []string         // of an object
	items []*node          // of an object or an array
	delim json.Delim       // '{', '[' or 0
	index map[string]*node // of an object
}

func (n *node) null() bool         { return n.delim == 0 && n.value == nil }
func (n *node) get(k string) *node { return n.index[k] }

// only is an object with those of its members that have a place.
func (n *node) only(has func(key string) bool) *node {
	out := &node{at: n.at, delim: '{', index: n.index}
	for i, k := range n.keys {
		if has(k) {
			out.keys, out.items = append(out.keys, k), append(out.items, n.items[i])
		}
	}
	return out
}

// bodyError is a fault of a recorded body, at a place in it.
type bodyError struct {
	at   int
	path []string
	text string
}

func (e *bodyError) Error() string { return e.text }

// under adds a step to the path of an error.
func under(step string, err error) error {
	var b *bodyError
	if errors.As(err, &b) {
		b.path = append([]string{step}, b.path...)
	}
	return err
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// step is the step of a path to a member; a key that is no plain word is quoted.
func step(key string) string {
	if identifier.MatchString(key) {
		return "." + key
	}
	return "[" + strconv.Quote(key) + "]"
}

// index is the step of a path to an element.
func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// placed gives an error its line and column in the text and the path to it.
func placed(body []byte, err error) error {
	var b *bodyError
	if !errors.As(err, &b) {
		return err
	}
	before := body[:min(b.at, len(body))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	path := "$" + strings.Join(b.path, "")
	return fmt.Errorf("line %d, column %d (%s): %s", line, column, path, b.text)
}

// parse reads one JSON value and nothing behind it.
func parse(body []byte) (*node, error) {
	if !utf8.Valid(body) {
		return nil, &bodyError{text: "the text is not UTF-8"}
	}
	p := &treeParser{body: body, dec: json.NewDecoder(bytes.NewReader(body))}
	p.dec.UseNumber()
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := p.dec.Token(); err != io.EOF {
		return nil, &bodyError{at: p.next(), text: "something stands behind the JSON value"}
	}
	return root, nil
}

type treeParser struct {
	body []byte
	dec  *json.Decoder
}

// next is the offset of the next token.
func (p *treeParser) next() int {
	i := int(p.dec.InputOffset())
	for i < len(p.body) && strings.IndexByte(" \t\r\n,:", p.body[i]) >= 0 {
		i++
	}
	return i
}

func (p *treeParser) token() (json.Token, int, error) {
	at := p.next()
	t, err := p.dec.Token()
	if err == nil {
		return t, at, nil
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = max(int(syntax.Offset)-1, 0)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, at, &bodyError{at: len(p.body), text: "the JSON ends too early"}
	}
	return nil, at, &bodyError{at: at, text: "not JSON: " + strings.TrimPrefix(err.Error(), "json: ")}
}

func (p *treeParser) value(depth int) (*node, error) {
	t, at, err := p.token()
	if err != nil {
		return nil, err
	}
	d, ok := t.(json.Delim)
	if !ok {
		return &node{at: at, value: t}, nil
	}
	if depth == maxDepth {
		return nil, &bodyError{at: at, text: fmt.Sprintf("nested deeper than %d levels", maxDepth)}
	}
	n := &node{at: at, delim: d}
	if d == '{' {
		n.index = map[string]*node{}
	}
	for p.dec.More() {
		if d == '{' {
			k, at, err := p.token()
			if err != nil {
				return nil, err
			}
			key := k.(string)
			if n.index[key] != nil {
				return nil, under(step(key), &bodyError{at: at, text: "this key stands twice"})
			}
			child, err := p.value(depth + 1)
			if err != nil {
				return nil, under(step(key), err)
			}
			n.keys, n.index[key] = append(n.keys, key), child
			n.items = append(n.items, child)
			continue
		}
		child, err := p.value(depth + 1)
		if err != nil {
			return nil, under(index(len(n.items)), err)
		}
		n.items = append(n.items, child)
	}
	_, _, err = p.token()
	return n, err
}
