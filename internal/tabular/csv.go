package tabular

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// csv encodes the table as RFC 4180 with a header row; empty if it has no columns. Null and missing
// values are empty fields, an empty string is "". A string that a spreadsheet would run as a formula
// gets an apostrophe before it; numbers are unchanged. There is no byte order mark: the media type
// names the encoding, and programs would read the mark as a part of the first name.
func (t *table) csv() []byte {
	var b bytes.Buffer
	if len(t.columns) == 0 {
		return nil
	}
	for i, name := range t.columns {
		if i > 0 {
			b.WriteByte(',')
		}
		writeText(&b, name)
	}
	b.WriteString("\r\n")
	for _, cells := range t.rows {
		for i, value := range cells {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCell(&b, value)
		}
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

func writeCell(b *bytes.Buffer, value json.RawMessage) {
	switch kind(value) {
	case 0, 'n': // missing, null
	case '"':
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = string(value) // cannot happen: it was decoded before
		}
		writeText(b, text)
	case '[', '{':
		writeText(b, string(value))
	default:
		b.Write(value)
	}
}

func writeText(b *bytes.Buffer, text string) {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		text = "'" + text
	}
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	if text != "" && !strings.ContainsAny(text, ",\"\r\n") && !unicode.IsSpace(first) && !unicode.IsSpace(last) {
		b.WriteString(text)
		return
	}
	b.WriteByte('"')
	b.WriteString(strings.ReplaceAll(text, `"`, `""`))
	b.WriteByte('"')
}
