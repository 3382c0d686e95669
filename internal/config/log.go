package config

import (
	"io"
	"log/slog"

	"github.com/spf13/pflag"
)

// Log holds the settings of the log, which every command has.
type Log struct{ Level, Format string }

// Add registers the settings as flags.
func (c *Log) Add(flags *pflag.FlagSet) {
	flags.StringVar(&c.Level, "log-level", "info", "debug, info, warn or error")
	flags.StringVar(&c.Format, "log-format", "text", "text or json")
	setGroup(flags, groupLogging, "log-level", "log-format")
}

// LogOf reads the settings of flags.
func LogOf(flags *pflag.FlagSet) (c Log, err error) {
	if c.Level, err = flags.GetString("log-level"); err != nil {
		return c, err
	}
	c.Format, err = flags.GetString("log-format")
	return c, err
}

// Logger writes to w at the level and in the format of the settings.
func (c *Log) Logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Level)); err != nil {
		return nil, Usagef("--log-level must be debug, info, warn or error")
	}
	o := &slog.HandlerOptions{Level: level}
	switch c.Format {
	case "text":
		return slog.New(slog.NewTextHandler(w, o)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, o)), nil
	}
	return nil, Usagef("--log-format must be text or json")
}
