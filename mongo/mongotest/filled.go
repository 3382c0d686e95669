package mongotest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"
	"testing/fstest"

	"gamedata/mongo"
)

// filled holds the files of filled stores by name, for all tests of a process.
var filled sync.Map // of func() (fstest.MapFS, error)

// OpenFilled opens a store with the records that fill writes to an empty one. fill runs once for all tests with the
// same name: each gets a copy of the files. On the MongoDB of MONGO_TEST_URI it runs for each test.
func OpenFilled(
	t testing.TB, name string, fill func(context.Context, *mongo.Store) error,
) (*mongo.Store, *Server) {
	t.Helper()
	if os.Getenv(testURI) != "" {
		store, server := Open(t)
		if err := fill(t.Context(), store); err != nil {
			t.Fatal(err)
		}
		return store, server
	}
	once, _ := filled.LoadOrStore(name, sync.OnceValues(func() (fstest.MapFS, error) { return fillOnce(fill) }))
	files, err := once.(func() (fstest.MapFS, error))()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	return openIn(t, dir)
}

// fillOnce returns the files of a store that fill has written to.
func fillOnce(fill func(context.Context, *mongo.Store) error) (files fstest.MapFS, err error) {
	dir, err := os.MkdirTemp("", "mongotest")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	server, err := StartServer(dir)
	if err != nil {
		return nil, err
	}
	ctx := context.Background() // not the context of the first test
	store, err := mongo.Open(ctx, server.Options())
	if err != nil {
		return nil, errors.Join(err, server.Close())
	}
	if err := errors.Join(fill(ctx, store), store.Close(ctx), server.Close()); err != nil {
		return nil, err
	}
	files = fstest.MapFS{}
	return files, fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(os.DirFS(dir), path)
		files[path] = &fstest.MapFile{Data: data, Mode: 0o600}
		return err
	})
}
