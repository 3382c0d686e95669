package tabular

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ByteOrderMark begins a CSV file for people: without it Excel assumes another encoding.
const ByteOrderMark = "\ufeff"

// WriteCSV encodes rows under named columns. It numbers duplicate names.
func WriteCSV(columns []string, rows [][]json.RawMessage) []byte {
	columns = slices.Clone(columns)
	for i, name := range columns {
		for n := 2; slices.Contains(columns[:i], columns[i]); n++ {
			columns[i] = fmt.Sprintf("%s (%d)", name, n)
		}
	}
	return (&table{columns, rows}).csv()
}

// csv encodes the table as RFC 4180 with a header row; empty if it has no columns. Null and missing values are empty
// fields, an empty string is "". An apostrophe protects strings that a spreadsheet would run as a formula; numbers are
// unchanged. There is no byte order mark: the media type names the encoding, and programs would read the mark as part
// of the first name.
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
		_ = json.Unmarshal(value, &text) // cannot fail: it was decoded before
		writeText(b, text)
	case '[', '{':
		writeText(b, string(value))
	default:
		b.Write(value)
	}
}

func writeText(b *bytes.Buffer, text string) {
	if isFormula(text) {
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

// isFormula reports whether a spreadsheet could run a text as a formula: after any invisible characters, it begins with
// a tab, a line break or a formula sign of any width.
func isFormula(text string) bool {
	if text != "" && strings.ContainsRune("\t\r\n", rune(text[0])) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, isBlank))
	return strings.ContainsRune("=+-@＝＋－＠﹦﹢﹣﹫⁺⁻⁼₊₋₌−", first)
}

func isBlank(r rune) bool {
	const braille = '\u2800'
	return r == braille || unicode.IsSpace(r) ||
		unicode.In(r, unicode.C, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
