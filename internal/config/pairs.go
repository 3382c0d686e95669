package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// pairs is a flag of values by name. It accumulates: a later value adds to earlier ones.
type pairs struct {
	of interface {
		set(name, value string) error
		pairs() []string // NAME=VALUE
	}
	kind, example string
}

var (
	_ pflag.Value = pairs{}
	_ nestedFlag  = pairs{}
)

// Set reads NAME=VALUE, several separated by commas.
func (p pairs) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return fmt.Errorf("want values such as %s, separated by commas", p.example)
		}
		if err := p.of.set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// String gives the values as Set reads them, sorted.
func (p pairs) String() string {
	if p.of == nil {
		return ""
	}
	return strings.Join(slices.Sorted(slices.Values(p.of.pairs())), ",")
}

// Type names the kind of value in the help.
func (p pairs) Type() string { return p.kind }

// SetNested sets a value that the settings file nests below the flag's name.
func (p pairs) SetNested(name, value string) error { return p.of.set(name, value) }

func joined[T ~string](words []T) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return strings.Join(out, ", ")
}
