package embedded

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// What happens to the file below an open server is an error of the commands that notice it, and of every later write.
// Each was a crash, a closed connection or a stack before.
func TestDamageBelowServer(t *testing.T) {
	t.Parallel()
	zero := func(from, to int64) func(*os.File) error {
		return func(f *os.File) error {
			_, err := f.WriteAt(make([]byte, to-from), from)
			return err
		}
	}
	noise := make([]byte, 40*pageSize)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	for name, damage := range map[string]func(*os.File) error{
		"cut to nothing": func(f *os.File) error { return f.Truncate(0) },
		"cut":            func(f *os.File) error { return f.Truncate(4 * pageSize) },
		"zeroed metas":   zero(0, 2*pageSize),
		"zeroed":         zero(2*pageSize, 200*pageSize),
		"noise": func(f *os.File) error {
			_, err := f.WriteAt(noise, 2*pageSize)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := filled(t)
			file, err := os.OpenFile(s.db.Path(), os.O_RDWR, 0)
			if err == nil {
				err = errors.Join(damage(file), file.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.UpdateMany(t.Context(), d(), d("$set", d("name.x", 1)))
			if !isDamage(err) {
				t.Errorf("update: got %v, want code %d", err, codeDamaged)
			}
			if _, err := c.InsertOne(t.Context(), d()); !isDamage(err) {
				t.Errorf("insert: got %v, want code %d", err, codeDamaged)
			}
			err = inTransactions(t.Context(), c.Database().Client(), func(ctx context.Context) error {
				_, err := c.InsertOne(ctx, d())
				return errors.Join(err, c.FindOne(ctx, d()).Err())
			})
			if !isDamage(err) {
				t.Errorf("transaction: got %v, want code %d", err, codeDamaged)
			}
			verify := c.Database().RunCommand(t.Context(), d("verify", 1))
			if !isDamage(verify.Err()) {
				t.Errorf("verify: got %v, want code %d", verify.Err(), codeDamaged)
			}
		})
	}
}

// A server whose file was removed or replaced refuses writes, which nobody would find there, and serves reads. The
// directory stays its own.
func TestMovedFile(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced": func(path string) error {
			other := path + ".other"
			return errors.Join(os.WriteFile(other, nil, 0o600), os.Rename(other, path))
		},
	} {
		s, c := filled(t)
		if err := errors.Join(s.Listen(), move(s.db.Path())); err != nil {
			t.Fatal(err)
		}
		if _, err := c.InsertOne(t.Context(), d()); !isDamage(err) {
			t.Errorf("%s: insert: got %v, want code %d", name, err, codeDamaged)
		}
		if err := c.Database().RunCommand(t.Context(), d("verify", 1)).Err(); !isDamage(err) {
			t.Errorf("%s: verify: got %v, want code %d", name, err, codeDamaged)
		}
		if n, err := c.CountDocuments(t.Context(), d()); n != 2000 || err != nil {
			t.Errorf("%s: reading: %d, %v", name, n, err)
		}
		dir := filepath.Dir(s.db.Path())
		if _, err := Open(dir, Options{}); !errors.Is(err, ErrInUse) || !Has(dir) {
			t.Errorf("%s: another server: got %v, has %v, want ErrInUse", name, err, Has(dir))
		}
	}
}

// filled returns a server with documents of about 1 MB.
func filled(t *testing.T) (*Server, *driver.Collection) {
	s := must(Open(t.TempDir(), Options{NoSync: true}))(t)
	client := must(driver.Connect(options.Client().ApplyURI(s.URI()).SetDialer(s).SetTimeout(5 * time.Second)))(t)
	t.Cleanup(func() {
		_ = client.Disconnect(context.WithoutCancel(t.Context()))
		_ = s.Close() // fails when the file is damaged; that it ends is what matters
	})
	c := client.Database("d").Collection("c")
	docs := make([]any, 2000)
	for i := range docs {
		docs[i] = d("n", i, "name", strings.Repeat("n", 500))
	}
	must(c.InsertMany(t.Context(), docs))(t)
	return s, c
}

func isDamage(err error) bool {
	var refused driver.ServerError
	return errors.As(err, &refused) && refused.HasErrorCode(int(codeDamaged))
}

// A backup of a store with a document that makes no sense is refused: it would replace a better one.
func TestBackupOfDamage(t *testing.T) {
	t.Parallel()
	s, c := filled(t)
	whole := must(os.ReadFile(s.db.Path()))(t)
	// The length of the string, in all documents: some of the pages that have them may be free.
	broken := bytes.ReplaceAll(whole, []byte("\x02name\x00\xf5\x01\x00\x00"), []byte("\x02name\x00\xff\xff\xff\x7f"))
	file := must(os.OpenFile(s.db.Path(), os.O_RDWR, 0))(t)
	must(file.WriteAt(broken, 0))(t)
	check(t, file.Close())
	to := filepath.Join(t.TempDir(), "backup")
	if err := c.Database().RunCommand(t.Context(), d("backup", to)).Err(); !isDamage(err) {
		t.Errorf("got %v, want code %d", err, codeDamaged)
	}
	if left, err := os.ReadDir(filepath.Dir(to)); err != nil || len(left) > 0 {
		t.Errorf("files left: %v %v", left, err)
	}
}
