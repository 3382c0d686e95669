package embedded_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/mongo/embedded"
)

// Another process sees what this one wrote, only its owner can open the socket, and it is removed
// when the server is.
func TestJoin(t *testing.T) {
	dir, err := os.MkdirTemp("", "join") // short: the path of a socket has about 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if _, err := embedded.Join(t.Context(), dir); err == nil {
		t.Error("joined a directory without a server")
	}
	// What a killed process left is no obstacle.
	if err := os.WriteFile(filepath.Join(dir, "gamedata.sock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := embedded.Open(dir, embedded.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	owner := fmt.Sprintf("process %d (", os.Getpid())
	if _, err := embedded.Open(dir, embedded.Options{}); !errors.Is(err, embedded.ErrInUse) ||
		!strings.Contains(err.Error(), owner) {
		t.Errorf("a second server: got %v, want ErrInUse with %q", err, owner)
	}
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "gamedata.sock"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v", info, err)
	}
	joined, err := embedded.Join(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	inside, outside := connect(t, s.URI(), s), connect(t, joined.URI(), joined)
	if _, err := outside.InsertOne(t.Context(), bson.D{{Key: "_id", Value: 1}}); err != nil {
		t.Fatal(err)
	}
	if n, err := inside.CountDocuments(t.Context(), bson.D{}); err != nil || n != 1 {
		t.Errorf("inside there are %d documents, %v", n, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "gamedata.[ps]*")); len(left) > 0 || err != nil {
		t.Errorf("a closed server left %v, %v", left, err)
	}
	if _, err := joined.DialContext(t.Context(), "", ""); err == nil {
		t.Error("a closed server is reached")
	}
}

func connect(t *testing.T, uri string, dialer options.ContextDialer) *mongo.Collection {
	t.Helper()
	client, err := mongo.Connect(options.Client().ApplyURI(uri).SetDialer(dialer))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Disconnect(t.Context()) })
	return client.Database("db").Collection("things")
}
