package dump

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

var made = time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)

// options are those of tests: nobody else is at work.
func options(store *mongo.Store) Options {
	return Options{
		Program: "test", Now: made,
		WithLease:  func(ctx context.Context, work func(context.Context, int64) error) error { return work(ctx, 7) },
		RaiseEpoch: func(ctx context.Context, epoch int64) error { return store.RaiseEpoch(ctx, "leaderboards", epoch) },
	}
}

// exportedPlayers are more than one command reads and one writes.
const exportedPlayers = 1100

// An archive of a small world, and the store it was written from.
func TestArchive(t *testing.T) {
	store, dir := world(t)
	t.Run("round trip", func(t *testing.T) { roundTrip(t, dir) })
	t.Run("damage", func(t *testing.T) { damage(t, dir) })
	t.Run("broken off", func(t *testing.T) { brokenOff(t, dir) })
	t.Run("places", func(t *testing.T) { places(t, store, dir) })
}

func world(t *testing.T) (*mongo.Store, string) {
	t.Helper()
	store, _ := mongotest.Open(t)
	var people []*model.Player
	for i := range exportedPlayers {
		people = append(people, &model.Player{
			UUID:     fmt.Sprintf("00000000-0000-4000-8000-%012d", i),
			Username: fmt.Sprint("Somebody", i), Address: "192.0.2.17", LastJoin: &made,
		})
	}
	ctx := t.Context()
	if err := errors.Join(store.InsertPlayers(ctx, people), store.PutVideos(ctx, []*model.Video{{
		Position: 1,
		URI:      "https://video.example/1",
	}, {Position: 2, URI: "https://video.example/2"}}),
		store.PutTerritories(ctx, []*model.Territory{{
			Name: "Moss", Acquired: &made,
			Resources: []*model.TerritoryResource{{Type: "ORE", Stored: 1 << 60}},
		}}),
		store.InsertBoardPages(ctx, []*mongo.BoardPage{{ID: 7 << 32, Entries: []byte{0, 255, 10, 13}}})); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := Write(t.Context(), store, dir, options(store)); err != nil {
		t.Fatal(err)
	}
	return store, dir
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		info, err := e.Info()
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", e.Name(), info.Mode(), err)
		}
		out[e.Name()] = string(text)
	}
	return out
}

// An archive that was brought back is written again byte for byte, longer collections than a
// command reads included.
func roundTrip(t *testing.T, dir string) {
	before := contents(t, dir)
	if len(before) != len(mongo.Exported())+1 || strings.Count(before["players.ndjson"], "\n") != exportedPlayers ||
		strings.Contains(before["players.ndjson"], "192.0.2.17") {
		t.Fatalf("%d files", len(before))
	}
	store, _ := mongotest.Open(t)
	if _, err := Read(t.Context(), store, dir, options(store)); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "again")
	if _, err := Write(t.Context(), store, other, options(store)); err != nil {
		t.Fatal(err)
	}
	after := contents(t, other)
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s differs", name)
		}
	}
	now := time.Now()
	if lease, err := store.TakeLease(t.Context(), "leaderboards", "me", now, now.Add(time.Minute)); err != nil ||
		lease == nil || lease.Epoch != 8 {
		t.Errorf("the next lease is %+v %v", lease, err)
	}
}

// Every file that is damaged, cut off, missing or too much is found before anything is stored.
func damage(t *testing.T, dir string) {
	whole := contents(t, dir)
	store, _ := mongotest.Open(t)
	manifest := func(how func(*Manifest)) map[string]string {
		var m Manifest
		if err := json.Unmarshal([]byte(whole[manifestName]), &m); err != nil {
			t.Fatal(err)
		}
		how(&m)
		var err error
		if m.Check, err = m.sum(); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return map[string]string{manifestName: string(text)}
	}
	// refilled is an archive whose file and manifest were both changed.
	refilled := func(name, line string) map[string]string {
		files := manifest(func(m *Manifest) {
			i := slices.IndexFunc(m.Files, func(f File) bool { return f.Name() == name })
			sum := sha256.Sum256([]byte(whole[name] + line))
			m.Files[i].Rows, m.Files[i].Bytes, m.Files[i].SHA256 = m.Files[i].Rows+1, int64(len(whole[name])+len(line)),
				hex.EncodeToString(sum[:])
		})
		files[name] = whole[name] + line
		return files
	}
	change := func(name string, how func(string) string) map[string]string {
		return map[string]string{name: how(whole[name])}
	}
	for says, files := range map[string]map[string]string{
		"players.ndjson was changed": change("players.ndjson", func(s string) string {
			return strings.Replace(s,
				"Somebody7", "Somebody8", 1)
		}),
		"players.ndjson was changed since": change("players.ndjson",
			func(s string) string { return s[:strings.LastIndex(s[:len(s)-1], "\n")+1] }),
		"videos.ndjson was changed": change("videos.ndjson", func(s string) string {
			return s +
				s[:strings.Index(s, "\n")+1]
		}),
		"territories.ndjson was changed": change("territories.ndjson", func(string) string { return "" }),
		"its check does not fit": change(manifestName, func(s string) string {
			return strings.Replace(s,
				`"rows": `, `"rows": 1`, 1)
		}),
		"manifest.json":        change(manifestName, func(s string) string { return s[:len(s)/2] }),
		"more than a manifest": change(manifestName, func(s string) string { return s + "{}" }),
		"unknown field": change(manifestName, func(s string) string {
			return strings.Replace(s,
				`"format"`, `"formal"`, 1)
		}),
		"schema version 2":                         manifest(func(m *Manifest) { m.Schema = 2 }),
		"its format is":                            manifest(func(m *Manifest) { m.Format = "another" }),
		`the collection "accounts"`:                manifest(func(m *Manifest) { m.Files[0].Collection = "accounts" }),
		`the collection "../players"`:              manifest(func(m *Manifest) { m.Files[0].Collection = "../players" }),
		`the collection "characters", which`:       manifest(func(m *Manifest) { m.Files[0].Collection = "characters" }),
		"videos.ndjson, line":                      refilled("videos.ndjson", "{\"_id\":\n"),
		"no _id":                                   refilled("videos.ndjson", "{}\n"),
		"the collection guildStandings is missing": manifest(func(m *Manifest) { m.Files = m.Files[:len(m.Files)-1] }),
	} {
		t.Run(says, func(t *testing.T) {
			broken := t.TempDir()
			for name, text := range whole {
				if changed, ok := files[name]; ok {
					text = changed
				}
				if err := os.WriteFile(filepath.Join(broken, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := Read(t.Context(), store, broken, options(store)); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%v", err)
			}
			if name, err := store.NonEmptyCollection(t.Context()); name != "" || err != nil {
				t.Errorf("%s was stored: %v", name, err)
			}
		})
	}
	cut := t.TempDir()
	if err := os.WriteFile(filepath.Join(cut, manifestName), []byte(whole[manifestName]), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), store, cut, options(store)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// A run that fails after it began takes back what it wrote; one that was killed is begun anew, and
// nothing is exported meanwhile.
func brokenOff(t *testing.T, dir string) {
	store, _ := mongotest.Open(t)
	failure := errors.New("the power went")
	o := options(store)
	o.RaiseEpoch = func(context.Context, int64) error { return failure }
	if _, err := Read(t.Context(), store, dir, o); !errors.Is(err, failure) {
		t.Fatal(err)
	}
	if name, err := store.NonEmptyCollection(t.Context()); name != "" || err != nil {
		t.Errorf("%s stays: %v", name, err)
	}
	if err := store.SetMark(t.Context(), begunKey, "x"); err != nil {
		t.Fatal(err)
	}
	if err := store.PutVideos(t.Context(), []*model.Video{{Position: 3, URI: "https://video.example/3"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(t.Context(), store, filepath.Join(t.TempDir(), "half"), options(store)); err == nil ||
		!strings.Contains(err.Error(), "broken off") {
		t.Errorf("half a world is exported: %v", err)
	}
	if _, err := Read(t.Context(), store, dir, options(store)); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), store, dir, options(store)); !errors.Is(err, ErrStoreNotEmpty) {
		t.Errorf("twice: %v", err)
	}
}

// A directory that holds something stays as it is, and one whose replacement fails comes back.
func places(t *testing.T, store *mongo.Store, dir string) {
	before := contents(t, dir)
	if _, err := Write(t.Context(), store, dir, options(store)); !errors.Is(err, ErrDirNotEmpty) {
		t.Errorf("without being told: %v", err)
	}
	o := options(store)
	o.Replace, o.WithLease = true, func(context.Context, func(context.Context, int64) error) error { return errors.New("no") }
	if _, err := Write(t.Context(), store, dir, o); err == nil || !equal(before, contents(t, dir)) {
		t.Errorf("a failure changed the archive: %v", err)
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "letter"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o = options(store)
	if o.Replace = true; !replaces(t, store, dir, o) || replaces(t, store, foreign, o) || !replaces(t, store, t.TempDir(),
		o) {
		t.Error("what may be replaced")
	}
	stop, cancel := context.WithCancel(t.Context())
	cancel()
	parent := t.TempDir()
	if _, err := Write(stop, store, filepath.Join(parent, "x"), options(store)); err == nil {
		t.Error("a stopped run wrote an archive")
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

func replaces(t *testing.T, store *mongo.Store, dir string, o Options) bool {
	_, err := Write(t.Context(), store, dir, o)
	return err == nil
}

func equal(a, b map[string]string) bool {
	for name, text := range a {
		if !bytes.Equal([]byte(text), []byte(b[name])) {
			return false
		}
	}
	return len(a) == len(b)
}

// Every collection of the store is either about the game or about those who use the service: a
// new one has to be decided about.
func TestEveryCollection(t *testing.T) {
	private := []string{
		"accounts", "applications", "sessions", "accessTokens", "authCodes", "linkCodes", "usage",
		"leases", "purges",
	}
	text, err := os.ReadFile("../../mongo/index.go")
	if err != nil {
		t.Fatal(err)
	}
	block, _, _ := strings.Cut(string(text), "\n)\n\n// index is")
	_, block, _ = strings.Cut(block, "const (")
	names := 0
	for line := range strings.Lines(block) {
		_, value, ok := strings.Cut(line, "= \"")
		if !ok {
			continue
		}
		name := strings.Trim(strings.TrimSpace(value), `"`)
		names++
		if slices.Contains(mongo.Exported(), name) == slices.Contains(private, name) {
			t.Errorf("the collection %s is neither public nor private, or both", name)
		}
	}
	if names != len(mongo.Exported())+len(private) {
		t.Errorf("%d collections are named", names)
	}
}
