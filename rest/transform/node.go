package transform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// node is a JSON value of a recorded body with its place in the text. Members keep the
// order of the text, which carries meaning in some bodies.
type node struct {
	at    int              // offset in the text
	value any              // nil, bool, string, json.Number; unset for objects and arrays
	keys  []string         // of an object
	items []*node          // of an object or an array
	delim json.Delim       // '{', '[' or 0
	index map[string]*node // of an object with many keys
}

func (n *node) null() bool { return n.delim == 0 && n.value == nil }

// get is the member of a key, nil when there is none.
func (n *node) get(key string) *node {
	if n.index != nil {
		return n.index[key]
	}
	for i, k := range n.keys {
		if k == key {
			return n.items[i]
		}
	}
	return nil
}

// few is up to how many keys are found by looking at each.
const few = 8

// put adds a member that is not there yet.
func (n *node) put(key string, v *node) {
	n.keys, n.items = append(n.keys, key), append(n.items, v)
	if n.index == nil && len(n.keys) > few {
		n.index = make(map[string]*node, 2*len(n.keys))
		for i, k := range n.keys {
			n.index[k] = n.items[i]
		}
	} else if n.index != nil {
		n.index[key] = v
	}
}

// only is an object with those of its members that have a place.
func (n *node) only(has func(key string) bool) *node {
	out := &node{at: n.at, delim: '{'}
	for i, k := range n.keys {
		if has(k) {
			out.put(k, n.items[i])
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
