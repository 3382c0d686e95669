package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Settings registers flags with the ranges of their values. {range} in a description is replaced by the range.
type Settings struct {
	*pflag.FlagSet

	checks []func() error
}

// NewSettings returns Settings that register on flags.
func NewSettings(flags *pflag.FlagSet) *Settings { return &Settings{FlagSet: flags} }

// Check validates the ranges.
func (s *Settings) Check() error {
	var errs []error
	for _, check := range s.checks {
		errs = append(errs, check())
	}
	return errors.Join(errs...)
}

// Range bounds the values of a setting. A High of 0 means no upper bound; with OrZero the value may also be 0.
type Range[T cmp.Ordered] struct {
	Low, High T
	OrZero    bool
}

func (r Range[T]) text(format func(T) string) string {
	var none T
	if r.High == none {
		return format(r.Low) + " or more"
	}
	return format(r.Low) + " to " + format(r.High)
}

// contains is also false for NaN.
func (r Range[T]) contains(value T) bool {
	var none T
	return r.OrZero && value == none || value >= r.Low && (r.High == none || value <= r.High)
}

// number registers a number in a range and returns its description.
func number[T cmp.Ordered](s *Settings, value *T, name string, r Range[T], usage string, format func(T) string) string {
	s.checks = append(s.checks, func() error {
		switch {
		case r.contains(*value):
			return nil
		case r.OrZero:
			return Usagef("--%s must be 0, or %s", name, r.text(format))
		}
		return Usagef("--%s must be %s", name, r.text(format))
	})
	return strings.ReplaceAll(usage, "{range}", r.text(format))
}

// Int registers a whole number.
func (s *Settings) Int(value *int, name string, standard int, r Range[int], usage string) {
	usage = number(s, value, name, r, usage, func(n int) string { return fmt.Sprint(n) })
	s.IntVar(value, name, standard, usage)
}

// Float registers a number.
func (s *Settings) Float(value *float64, name string, standard float64, r Range[float64], usage string) {
	usage = number(s, value, name, r, usage, func(n float64) string { return fmt.Sprint(n) })
	s.Float64Var(value, name, standard, usage)
}

// Duration registers a duration.
func (s *Settings) Duration(value *time.Duration, name string, standard time.Duration, r Range[time.Duration],
	usage string,
) {
	usage = number(s, value, name, r, usage, func(d time.Duration) string {
		return strings.NewReplacer("h0m0s", "h", "m0s", "m").Replace(d.String())
	})
	s.DurationVar(value, name, standard, usage)
}

// Bytes registers a number of bytes.
func (s *Settings) Bytes(value *ByteSize, name string, standard ByteSize, r Range[ByteSize], usage string) {
	*value = standard
	s.Var(value, name, number(s, value, name, r, usage, func(b ByteSize) string { return b.String() }))
}

// Choice registers a choice between words.
func (s *Settings) Choice(value *string, name, standard, usage string, words ...string) {
	s.StringVar(value, name, standard, usage)
	s.checks = append(s.checks, func() error {
		if slices.Contains(words, *value) {
			return nil
		}
		last := len(words) - 1
		return Usagef("--%s must be %s or %s", name, strings.Join(words[:last], ", "), words[last])
	})
}
