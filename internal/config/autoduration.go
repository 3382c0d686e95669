package config

import (
	"errors"
	"time"

	"github.com/spf13/pflag"
)

// AutoDuration is a duration, or "auto" when the program chooses one.
type AutoDuration struct {
	Fixed bool
	time.Duration
}

var _ pflag.Value = (*AutoDuration)(nil)

const auto = "auto"

// String implements pflag.Value.
func (d *AutoDuration) String() string {
	if !d.Fixed {
		return auto
	}
	return d.Duration.String()
}

// Set implements pflag.Value.
func (d *AutoDuration) Set(text string) error {
	if text == auto {
		*d = AutoDuration{}
		return nil
	}
	fixed, err := time.ParseDuration(text)
	if err != nil {
		return errors.New("must be auto, or a duration such as 30s")
	}
	*d = AutoDuration{Fixed: true, Duration: fixed}
	return nil
}

// Type implements pflag.Value.
func (d *AutoDuration) Type() string { return "auto|duration" }
