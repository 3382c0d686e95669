package transform

import (
	"errors"
	"fmt"
	"regexp"
	"time"
)

// tick is how a moment stands in a header (WIRE §1.1).
const tick = "2006-01-02 15:04:05.000000+00:00"

var headerName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// header reads a field that is sent beside the body. Null sends nothing.
func (t *transformer) header(f *field) error {
	raw, err := t.skip()
	if err != nil || string(raw) == "null" {
		return err
	}
	moment, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(raw))
	if err != nil {
		return ErrData
	}
	if t.headers == nil {
		t.headers = map[string][]string{}
	}
	t.headers[f.header] = []string{moment.UTC().Format(tick)} // Set would spell it otherwise
	return nil
}

// checkHeader sees that a field can stand in a header.
func (f *field) checkHeader() error {
	switch {
	case f.header == "":
		return nil
	case !headerName.MatchString(f.header):
		return fmt.Errorf("%q is no name of a header, lower-case words and dashes", f.header)
	case !f.leaf() || f.typ.Name() != "DateTime" || f.conditional || f.omitNull || f.coalesced || f.offset:
		return errors.New("@header wants a moment that is always selected, and no other directive beside it")
	}
	return nil
}

// checkHeaders sees that only an answer as a whole has headers, each once.
func (f *field) checkHeaders(root bool) error {
	seen := map[string]bool{}
	for _, c := range f.children {
		if c.header != "" && (!root || c.on != nil || f.list() != nil || f.tuple || f.unwrap != "" || f.pick != nil) {
			return fmt.Errorf("%s: @header wants a field of the root object, which is written whole", c.name)
		}
		if c.header != "" && seen[c.header] {
			return fmt.Errorf("%s: the header %s is sent twice", c.name, c.header)
		}
		seen[c.header] = true
		if err := c.checkHeaders(false); err != nil {
			return err
		}
	}
	return nil
}
