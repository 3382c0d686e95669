package feedhttp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"gamedata/internal/feed"
)

// lineReader reads lines of at most MaxLine bytes.
type lineReader struct {
	r      *bufio.Reader
	number int // of the last line read, from 1
}

func newLineReader(r io.Reader) *lineReader { return &lineReader{r: bufio.NewReaderSize(r, MaxLine+1)} }

// next returns the next line that is not blank, without its end. The text is valid until the next call; nil means that
// the line is too long. The last line needs no line break, but a line cut off by an error is not returned.
func (l *lineReader) next() (text []byte, err error) {
	for {
		text, err = l.r.ReadSlice('\n')
		tooLong := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = l.r.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) || len(text) == 0 && !tooLong {
			return nil, err
		}
		l.number++
		text = bytes.TrimSpace(text)
		switch {
		case tooLong:
			return nil, nil
		case len(text) > 0:
			return text, nil
		case err != nil:
			return nil, err
		}
	}
}

// line is an event as JSON on the wire.
type line struct {
	ID    string         `json:"id"`
	Event string         `json:"event"`
	Data  jsontext.Value `json:"data"`
}

const maxID = 128 // characters

// decodeLine decodes a line. The id is returned if it can be read; a nil event comes with the reason.
func decodeLine(text []byte) (id string, event feed.Event, wrong *feed.Error) {
	var l line
	if err := json.Unmarshal(text, &l, json.RejectUnknownMembers(true)); err != nil {
		return "", nil, &feed.Error{Code: feed.Invalid, Message: syntaxError(err)}
	}
	if l.ID != "" && !validID(l.ID) {
		return "", nil, &feed.Error{
			Code: feed.Invalid, Field: "id",
			Message: fmt.Sprintf("id has at most %d characters and no control characters", maxID),
		}
	}
	if l.Event == "" {
		return l.ID, nil, &feed.Error{Code: feed.Invalid, Field: "event", Message: "event is missing"}
	}
	if l.Data == nil {
		l.Data = jsontext.Value("{}")
	}
	event, err := feed.Decode(l.Event, l.Data)
	switch {
	case errors.As(err, &wrong):
		return l.ID, nil, wrong
	case err != nil:
		return l.ID, nil, &feed.Error{Code: feed.Invalid, Field: "data", Message: err.Error()}
	}
	return l.ID, event, nil
}

// syntaxError describes a line that is not a JSON object with the fields of a line.
func syntaxError(err error) string {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) && semantic.JSONPointer != "" {
		field := strings.TrimPrefix(string(semantic.JSONPointer), "/")
		return fmt.Sprintf("the field %s is unknown or has the wrong type", field)
	}
	return `the line is not a JSON object such as {"id": "…", "event": "…", "data": {…}}`
}

func validID(s string) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= maxID && !strings.ContainsFunc(s, unicode.IsControl)
}
