package config

import (
	"errors"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// maxByteSize limits every ByteSize to a pebibyte.
const maxByteSize = 1 << 50

// ByteSize is a flag for a number of bytes.
type ByteSize int64

// Set parses a whole number with or without a unit: 0, 65536, 64KiB, 64MiB, 1GiB.
func (b *ByteSize) Set(s string) error {
	n, err := humanize.ParseBytes(s)
	if err != nil || n > maxByteSize || strings.ContainsAny(s, ".,") {
		return errors.New("want a number of bytes such as 64MiB")
	}
	*b = ByteSize(n)
	return nil
}

// String formats the number exactly, with a binary unit if that needs no fraction.
func (b *ByteSize) String() string {
	text := strings.NewReplacer(" ", "", ".0 ", "").Replace(humanize.IBytes(uint64(*b)))
	if n, err := humanize.ParseBytes(text); err != nil || n != uint64(*b) || *b < 1<<10 || strings.Contains(text, ".") {
		return strconv.FormatInt(int64(*b), 10)
	}
	return text
}

// Type returns the kind of value for the help.
func (b *ByteSize) Type() string { return "bytes" }
