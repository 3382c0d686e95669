package config

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"gamedata/mongo/embedded"
)

// Store says which store to use and how long to wait for it.
type Store struct {
	DataDir, MongoURI, Database string
	Timeout                     time.Duration // of one command
	// FailFast rejects calls at once while the store is known to be unavailable.
	FailFast bool

	settings *Settings
}

// AddServing registers the settings as flags for the service. Its calls fail fast, because people wait for each
// response.
func (c *Store) AddServing(flags *pflag.FlagSet) {
	c.FailFast = true
	c.add(flags, 800*time.Millisecond)
}

// AddCommand registers the settings as flags for a one-off command, which should wait rather than fail.
func (c *Store) AddCommand(flags *pflag.FlagSet) { c.add(flags, 30*time.Second) }

// AddEmbedded is AddCommand for a command that knows only the embedded store. Its help leaves the other settings out.
func (c *Store) AddEmbedded(flags *pflag.FlagSet) {
	c.AddCommand(flags)
	for _, name := range []string{"mongo-uri", "mongo-database", "store-timeout"} {
		flags.Lookup(name).Hidden = true
	}
}

func (c *Store) add(flags *pflag.FlagSet, timeout time.Duration) {
	s := NewSettings(flags)
	c.settings = s
	s.StringVar(&c.DataDir, "data-dir", "data", "directory of the embedded store, created when missing")
	s.StringVar(&c.MongoURI, "mongo-uri", "", "use this MongoDB instead of the embedded store")
	s.StringVar(&c.Database, "mongo-database", "gamedata", "name of the database")
	s.Duration(&c.Timeout, "store-timeout", timeout, Range[time.Duration]{Low: time.Millisecond, High: time.Hour},
		"time limit of one store command, three eighths of which may pass until a server is found")
}

// Selection returns the time limit for finding a server of the store: 300 ms of the service's 800.
func (c *Store) Selection() time.Duration { return c.Timeout * 3 / 8 }

// Start returns the time limit at startup for a store that does not respond yet.
func (c *Store) Start() time.Duration { return max(c.Timeout, 30*time.Second) }

// Check validates the ranges and the names.
func (c *Store) Check() error {
	if len(c.Database) > 60 || strings.ContainsAny(c.Database, "/\\. \"$*<>:|?\x00") {
		return Usagef("--mongo-database must have 1 to 60 characters and none of / \\ . \" $ * < > : | ? or space")
	}
	return c.settings.Check()
}

// TempDir returns the directory for temporary files: the directory of an embedded store, whose disk has enough space,
// or "" for the system's.
func (c *Store) TempDir() string {
	if c.MongoURI != "" {
		return ""
	}
	return c.DataDir
}

// CheckExists is Check for read-only commands: it also fails if the embedded store does not exist yet.
func (c *Store) CheckExists() error {
	if err := c.Check(); err != nil {
		return err
	}
	if c.MongoURI == "" && !embedded.Has(c.DataDir) {
		return fmt.Errorf("--data-dir: there is no store in %s", c.DataDir)
	}
	return nil
}
