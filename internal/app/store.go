package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gamedata/internal/config"
	"gamedata/mongo"
	"gamedata/mongo/embedded"
)

// Store is an open store.
type Store struct {
	*mongo.Store
	Name string // for messages to operators

	server *embedded.Server // nil with MongoDB, and when another process owns the embedded store
}

// OpenStore connects to MongoDB when the settings name one. Otherwise it opens the embedded store for this process
// alone, and returns embedded.ErrInUse when another process has it open.
func OpenStore(ctx context.Context, c *config.Store) (*Store, error) {
	return openStore(ctx, c, mongo.Options{})
}

func openStore(ctx context.Context, c *config.Store, o mongo.Options) (*Store, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if c.MongoURI != "" {
		o.URI = c.MongoURI
		return connect(ctx, c, o, &Store{Name: "MongoDB, database " + c.Database})
	}
	server, err := embedded.Open(c.DataDir, embedded.Options{NoSync: NoSync})
	if err != nil {
		return nil, err
	}
	o.URI, o.Dialer, o.InProcess = server.URI(), server, true
	return connect(ctx, c, o, &Store{Name: "embedded, in " + c.DataDir, server: server})
}

// NoSync lets tests write without waiting for the disk, since they throw their stores away.
var NoSync = false

// JoinStore is OpenStore, but if a running service owns the embedded store it connects through that service.
func JoinStore(ctx context.Context, c *config.Store) (*Store, error) {
	return joinStore(ctx, c, mongo.Options{})
}

// JoinExistingStore is JoinStore for commands that have nothing to do in a new store: it must exist.
func JoinExistingStore(ctx context.Context, c *config.Store) (*Store, error) {
	if err := c.CheckExists(); err != nil {
		return nil, err
	}
	return JoinStore(ctx, c)
}

// InspectStore is JoinStore for commands that only read: it creates no collections and no indexes. The store must
// exist.
func InspectStore(ctx context.Context, c *config.Store) (*Store, error) {
	if err := c.CheckExists(); err != nil {
		return nil, err
	}
	return joinStore(ctx, c, mongo.Options{ReadOnly: true})
}

func joinStore(ctx context.Context, c *config.Store, o mongo.Options) (*Store, error) {
	store, err := openStore(ctx, c, o)
	if !errors.Is(err, embedded.ErrInUse) {
		return store, err
	}
	running, joinErr := embedded.Join(ctx, c.DataDir)
	if joinErr != nil {
		return nil, errors.Join(err, joinErr)
	}
	o.URI, o.Dialer = running.URI(), running
	return connect(ctx, c, o, &Store{Name: "embedded, in " + c.DataDir + ", of the running service"})
}

func connect(ctx context.Context, c *config.Store, o mongo.Options, s *Store) (*Store, error) {
	o.Database, o.Timeout, o.ServerSelectionTimeout = c.Database, c.Timeout, c.Selection()
	o.StartTimeout, o.FailFast = c.Start(), c.FailFast
	var err error
	if s.Store, err = mongo.Open(ctx, o); err != nil {
		if s.server != nil {
			err = errors.Join(err, s.server.Close())
		}
		return nil, fmt.Errorf("opening the store (%s): %w", s.Name, err)
	}
	return s, nil
}

// Close disconnects, then closes an embedded store of this process.
func (s *Store) Close() error {
	// The program's context has ended by now, so use a new one.
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := s.Store.Close(ctx)
	if s.server != nil {
		err = errors.Join(err, s.server.Close())
	}
	return err
}
