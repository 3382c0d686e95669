package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"gamedata/mongo"
	"gamedata/mongo/embedded"
)

// storeFlags say which store the verbs work on.
type storeFlags struct {
	dataDir, mongoURI, database string
	timeout, selection          time.Duration
}

func (f *storeFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.dataDir, "data-dir", "data", "directory of the embedded store, made when missing")
	flags.StringVar(&f.mongoURI, "mongo-uri", "", "use this MongoDB instead of the embedded store")
	flags.StringVar(&f.database, "mongo-database", "gamedata", "name of the database")
	flags.DurationVar(&f.timeout, "store-timeout", 800*time.Millisecond, "longest wait for one answer of the store")
	flags.DurationVar(&f.selection, "store-selection-timeout", 300*time.Millisecond, "longest search for a server of the store")
}

func (f *storeFlags) check() error {
	for name, d := range map[string]time.Duration{"store-timeout": f.timeout, "store-selection-timeout": f.selection} {
		if d <= 0 || d > time.Hour {
			return usageError{fmt.Errorf("--%s must be between 1ms and 1h", name)}
		}
	}
	if f.database == "" || len(f.database) > 60 {
		return usageError{errors.New("--mongo-database must have 1 to 60 characters")}
	}
	if f.mongoURI == "" && f.dataDir == "" {
		return usageError{errors.New("--data-dir must not be empty")}
	}
	return nil
}

// openStore is a store and how it is called.
type openStore struct {
	*mongo.Store
	name  string
	close func() error
}

// open opens MongoDB when an address is given, else the embedded store.
func (f *storeFlags) open(ctx context.Context) (*openStore, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	o := mongo.Options{URI: f.mongoURI, Database: f.database, Timeout: f.timeout, ServerSelectionTimeout: f.selection}
	out := &openStore{name: "MongoDB, database " + f.database}
	var server *embedded.Server
	if f.mongoURI == "" {
		var err error
		if server, err = embedded.Open(f.dataDir, embedded.Options{}); err != nil {
			return nil, err
		}
		o.URI, o.Dialer = server.URI(), server
		out.name = "embedded, in " + f.dataDir
	}
	var err error
	if out.Store, err = mongo.Open(ctx, o); err != nil {
		if server != nil {
			err = errors.Join(err, server.Close())
		}
		return nil, fmt.Errorf("opening the store (%s): %w", out.name, err)
	}
	out.close = func() error {
		// The context of the program may have ended, which is why the store closes.
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		err := out.Store.Close(ctx)
		if server != nil {
			err = errors.Join(err, server.Close())
		}
		return err
	}
	return out, nil
}
