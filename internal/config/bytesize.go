package config

import (
	"errors"
	"strconv"
	"strings"
)

// ByteSize is a flag that takes a number of bytes.
type ByteSize int64

// byteUnits are the units of a ByteSize, the largest first.
var byteUnits = []struct {
	name string
	of   int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}

// Set reads 0, 65536, 64KiB, 64MiB or 1GiB.
func (b *ByteSize) Set(s string) error {
	for _, u := range byteUnits {
		digits, ok := strings.CutSuffix(s, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 0 || n > (1<<50)/u.of {
			break
		}
		*b = ByteSize(n * u.of)
		return nil
	}
	return errors.New("want a number of bytes such as 64MiB")
}

// String gives the number in the largest unit that divides it.
func (b *ByteSize) String() string {
	for _, u := range byteUnits {
		if n := int64(*b); n != 0 && n%u.of == 0 {
			return strconv.FormatInt(n/u.of, 10) + u.name
		}
	}
	return "0"
}

// Type is the word for the value in the help.
func (b *ByteSize) Type() string { return "bytes" }
