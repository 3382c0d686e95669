package config

import (
	"io"
	"log/slog"

	"github.com/spf13/pflag"
)

// Log holds the log settings, which every command has.
type Log struct{ Level, Format string }

// Add registers the settings as flags.
func (c *Log) Add(flags *pflag.FlagSet) {
	flags.StringVar(&c.Level, "log-level", "info", "debug, info, warn or error")
	flags.StringVar(&c.Format, "log-format", "text", "text or json")
}

// LogOf reads the log settings from flags.
func LogOf(flags *pflag.FlagSet) (c Log, err error) {
	if c.Level, err = flags.GetString("log-level"); err != nil {
		return c, err
	}
	c.Format, err = flags.GetString("log-format")
	return c, err
}

// Logger returns a logger to w with the level and format of the settings.
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

// AccessLog holds the settings of the access log.
type AccessLog struct {
	Mode      string
	Addresses bool
}

// sampleEvery is how many requests one line of a sampled access log represents.
const sampleEvery = 100

// Every returns how many requests one log line represents; 0 logs none.
func (c *AccessLog) Every() int { return map[string]int{"sampled": sampleEvery, "on": 1}[c.Mode] }
