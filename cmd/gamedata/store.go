package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"gamedata/mongo"
	"gamedata/mongo/embedded"
)

// storeFlags say which store the verbs work on.
type storeFlags struct {
	dataDir, mongoURI, database string
	timeout, selection, start   time.Duration
	failFast                    bool
	// watch is told of every command; see mongo.Options.Watch.
	watch func(ctx context.Context, command, collection string) func(time.Duration, error)
	// lost is told when calls begin to be refused; see mongo.Options.Lost.
	lost func(bool)
}

// add is for the service, where a person waits for each answer: while the store is lost nobody
// waits in vain.
func (f *storeFlags) add(flags *pflag.FlagSet) {
	f.failFast = true
	f.addPatience(flags, 800*time.Millisecond, 300*time.Millisecond)
}

// addVerb is for verbs that do their work once: an answer that comes late is better than none.
func (f *storeFlags) addVerb(flags *pflag.FlagSet) {
	f.addPatience(flags, 30*time.Second, 10*time.Second)
}

func (f *storeFlags) addPatience(flags *pflag.FlagSet, timeout, selection time.Duration) {
	flags.StringVar(&f.dataDir, "data-dir", "data", "directory of the embedded store, made when missing")
	flags.StringVar(&f.mongoURI, "mongo-uri", "", "use this MongoDB instead of the embedded store")
	flags.StringVar(&f.database, "mongo-database", "gamedata", "name of the database")
	flags.DurationVar(&f.timeout, "store-timeout", timeout, "longest wait for one answer of the store")
	flags.DurationVar(&f.selection, "store-selection-timeout", selection, "longest search for a server of the store")
	flags.DurationVar(&f.start, "store-start-timeout", 10*time.Second,
		"longest wait for a store that does not answer yet when the program starts")
}

func (f *storeFlags) check() error {
	for name, d := range map[string]time.Duration{
		"store-timeout": f.timeout, "store-selection-timeout": f.selection,
		"store-start-timeout": f.start,
	} {
		if d <= 0 || d > time.Hour {
			return usageError{fmt.Errorf("--%s must be between 1ms and 1h", name)}
		}
	}
	if f.database == "" || len(f.database) > 60 || strings.ContainsAny(f.database, "/\\. \"$*<>:|?\x00") {
		return usageError{errors.New("--mongo-database must have 1 to 60 characters, none of which MongoDB refuses in such a name")}
	}
	if f.mongoURI == "" && f.dataDir == "" {
		return usageError{errors.New("--data-dir must not be empty")}
	}
	return nil
}

// there refuses an embedded store that nobody made yet: what only reads makes none.
func (f *storeFlags) there() error {
	if err := f.check(); err != nil {
		return err
	}
	if f.mongoURI == "" && !embedded.Has(f.dataDir) {
		return fmt.Errorf("--data-dir: there is no store in %s", f.dataDir)
	}
	return nil
}

// openStore is a store and how it is called.
type openStore struct {
	*mongo.Store
	name  string
	close func() error
	// server is the embedded store, nil on MongoDB and when it belongs to another process.
	server *embedded.Server
}

// open opens MongoDB when an address is given, else the embedded store, which this process
// then has for itself.
func (f *storeFlags) open(ctx context.Context) (*openStore, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	if f.mongoURI != "" {
		return f.connect(ctx, mongo.Options{URI: f.mongoURI}, &openStore{name: "MongoDB, database " + f.database})
	}
	server, err := embedded.Open(f.dataDir, embedded.Options{})
	if err != nil {
		return nil, err
	}
	return f.connect(ctx, mongo.Options{URI: server.URI(), Dialer: server}, &openStore{
		name:   "embedded, in " + f.dataDir,
		server: server,
	})
}

// join is open, but an embedded store that a running service has open is reached through it.
func (f *storeFlags) join(ctx context.Context) (*openStore, error) {
	out, err := f.open(ctx)
	if !errors.Is(err, embedded.ErrInUse) {
		return out, err
	}
	running, joinErr := embedded.Join(ctx, f.dataDir)
	if joinErr != nil {
		return nil, errors.Join(err, joinErr)
	}
	return f.connect(ctx, mongo.Options{URI: running.URI(), Dialer: running}, &openStore{name: "embedded, in " +
		f.dataDir + ", of the running service"})
}

func (f *storeFlags) connect(ctx context.Context, o mongo.Options, out *openStore) (*openStore, error) {
	o.Database, o.Timeout, o.ServerSelectionTimeout, o.StartTimeout, o.FailFast = f.database, f.timeout, f.selection, f.start,
		f.failFast
	o.OnCommand, o.OnUnavailable = f.watch, f.lost
	var err error
	if out.Store, err = mongo.Open(ctx, o); err != nil {
		if out.server != nil {
			err = errors.Join(err, out.server.Close())
		}
		return nil, fmt.Errorf("opening the store (%s): %w", out.name, err)
	}
	out.close = func() error {
		// The context of the program may have ended, which is why the store closes.
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		err := out.Store.Close(ctx)
		if out.server != nil {
			err = errors.Join(err, out.server.Close())
		}
		return err
	}
	return out, nil
}
