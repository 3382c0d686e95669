package transform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a body that is read.
const maxDepth = 64

// parse reads one JSON value and nothing behind it. It is stricter than encoding/json: text
// must be UTF-8 and a key may stand once. Its errors are bodyErrors at the place of the fault.
func parse(body []byte) (*node, error) {
	p := reader{scanner{in: body}}
	for i := 0; i < len(body); {
		r, size := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && size == 1 {
			return nil, &bodyError{at: i, text: "the text is not UTF-8"}
		}
		i += size
	}
	root, err := p.value(0)
	if err == nil && p.blank() != 0 {
		err = p.wrong("something stands behind the JSON value")
	}
	return root, err
}

type reader struct{ scanner }

// blank goes over white space and gives the next byte, 0 at the end.
func (p *reader) blank() byte {
	for ; p.i < len(p.in); p.i++ {
		if c := p.in[p.i]; strings.IndexByte(" \t\r\n", c) < 0 {
			return max(c, 1)
		}
	}
	return 0
}

// wrong is an error at the present place.
func (p *reader) wrong(text string) error {
	if p.i >= len(p.in) {
		return &bodyError{at: len(p.in), text: "the JSON ends too early"}
	}
	return &bodyError{at: p.i, text: text}
}

func (p *reader) value(depth int) (*node, error) {
	c := p.blank()
	n := &node{at: p.i}
	var err error
	switch c {
	case '{', '[':
		if depth == maxDepth {
			return nil, p.wrong(fmt.Sprintf("nested deeper than %d levels", maxDepth))
		}
		p.i++
		n.delim = json.Delim(c)
		return n, p.inside(n, c+2, depth+1) // '}' and ']' are two behind
	case '"':
		n.value, err = p.string()
		return n, err
	}
	var word []byte
	if c > ' ' { // skip would go over a control character
		word, _ = p.skip()
	}
	switch {
	case string(word) == "null":
	case string(word) == "true":
		n.value = true
	case string(word) == "false":
		n.value = false
	case len(word) > 0 && (word[0] == '-' || '0' <= word[0] && word[0] <= '9') && json.Valid(word):
		n.value = json.Number(word)
	default:
		p.i = min(n.at, len(p.in))
		return nil, p.wrong("not JSON: no value begins like this")
	}
	return n, nil
}

// inside reads what an object or an array holds, up to its end.
func (p *reader) inside(n *node, end byte, depth int) error {
	if p.blank() == end {
		p.i++
		return nil
	}
	for {
		if err := p.one(n, depth); err != nil {
			return err
		}
		switch p.blank() {
		case end:
			p.i++
			return nil
		case ',':
			p.i++
		default:
			return p.wrong("not JSON: want a comma or the end here")
		}
	}
}

// one reads a member or an element.
func (p *reader) one(n *node, depth int) error {
	if n.delim == '[' {
		v, err := p.value(depth)
		if err != nil {
			return under(index(len(n.items)), err)
		}
		n.items = append(n.items, v)
		return nil
	}
	key, err := p.key(n)
	if err != nil {
		return err
	}
	v, err := p.value(depth)
	if err != nil {
		return under(step(key), err)
	}
	n.put(key, v)
	return nil
}

// key reads the key of a member and the colon behind it.
func (p *reader) key(n *node) (string, error) {
	if p.blank() != '"' {
		return "", p.wrong("not JSON: want a key")
	}
	at := p.i
	key, err := p.string()
	if err != nil {
		return "", err
	}
	if n.get(key) != nil {
		return "", under(step(key), &bodyError{at: at, text: "this key stands twice"})
	}
	if p.blank() != ':' {
		return "", p.wrong("not JSON: want a colon")
	}
	p.i++
	return key, nil
}

// string reads a text.
func (p *reader) string() (string, error) {
	from := p.i
	p.quoted()
	if p.i > len(p.in) {
		return "", &bodyError{at: len(p.in), text: "the JSON ends too early"}
	}
	raw := p.in[from:p.i]
	if i := bytes.IndexFunc(raw, func(r rune) bool { return r < ' ' }); i >= 0 {
		return "", &bodyError{at: from + i, text: "not JSON: a control character in a text"}
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), nil
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", &bodyError{at: from, text: "not JSON: an escape in this text means nothing"}
	}
	return s, nil
}
