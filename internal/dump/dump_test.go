package dump

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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

var exportTime = time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)

// options fit tests without other instances.
func options(store *mongo.Store) Options {
	return Options{
		Program: "test", Now: exportTime,
		WhileIdle: func(ctx context.Context, work func(context.Context, int64) error) error { return work(ctx, 7) },
		WithLease: func(ctx context.Context, work func(context.Context, int64) error) error { return work(ctx, 7) },
		RaiseEpoch: func(ctx context.Context, epoch int64) error {
			return store.Leases.RaiseEpoch(ctx, "leaderboards", epoch)
		},
	}
}

// exportedPlayers is more than one command reads or writes.
const exportedPlayers = 1100

func TestDump(t *testing.T) {
	store, dir := exportWorld(t)
	t.Run("round trip", func(t *testing.T) { testRoundTrip(t, dir) })
	t.Run("damage", func(t *testing.T) { testDamage(t, dir) })
	t.Run("interrupted", func(t *testing.T) { testInterrupted(t, dir) })
	t.Run("targets", func(t *testing.T) { testTargets(t, store, dir) })
}

func exportWorld(t *testing.T) (*mongo.Store, string) {
	t.Helper()
	store, _ := mongotest.Open(t)
	var people []*model.Player
	for i := range exportedPlayers {
		people = append(people, &model.Player{
			UUID:     mongotest.UUID(i),
			Username: fmt.Sprint("Player", i), Address: "192.0.2.17", LastJoinedAt: &exportTime,
		})
	}
	ctx := t.Context()
	if err := errors.Join(store.Players.Insert(ctx, people), mongo.Videos.Put(ctx, store, []*model.Video{
		{Position: 1, URI: "https://video.example/1"}, {Position: 2, URI: "https://video.example/2"},
	}),
		store.Territories.Put(ctx, []*model.Territory{{
			Name: "Moss", AcquiredAt: &exportTime,
			Resources: []*model.TerritoryResource{{Type: "ORE", Stored: 1 << 60}},
		}}),
		store.Boards.InsertPages(ctx, []*mongo.BoardPage{{ID: 7 << 32, Entries: []byte{0, 255, 10, 13}}})); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := Export(t.Context(), store, dir, options(store)); err != nil {
		t.Fatal(err)
	}
	return store, dir
}

func readFiles(t *testing.T, dir string) map[string]string {
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

// Exporting an imported export gives the same bytes, also of collections longer than one batch.
func testRoundTrip(t *testing.T, dir string) {
	before := readFiles(t, dir)
	if len(before) != len(mongo.Exported())+1 || strings.Count(before["players.ndjson"], "\n") != exportedPlayers ||
		strings.Contains(before["players.ndjson"], "192.0.2.17") {
		t.Fatalf("%d files", len(before))
	}
	store, _ := mongotest.Open(t)
	if _, err := Import(t.Context(), store, dir, options(store)); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "again")
	if _, err := Export(t.Context(), store, other, options(store)); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(before, readFiles(t, other)) {
		t.Error("the exports differ")
	}
	if lease, err := store.Leases.Take(t.Context(), "leaderboards", "me", time.Minute); err != nil ||
		lease == nil || lease.Epoch != 8 {
		t.Errorf("next lease: got %+v, %v, want epoch 8", lease, err)
	}
}

// A damaged, truncated, missing or superfluous file is detected before anything is written.
func testDamage(t *testing.T, dir string) {
	whole := readFiles(t, dir)
	store, _ := mongotest.Open(t)
	manifest := func(how func(*Manifest)) map[string]string {
		var m Manifest
		if err := json.Unmarshal([]byte(whole[manifestName]), &m); err != nil {
			t.Fatal(err)
		}
		how(&m)
		var err error
		if m.Check, err = m.checksum(); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return map[string]string{manifestName: string(text)}
	}
	// refilled returns an export whose file and manifest were both changed.
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
	swap := func(old, other string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, other, 1) }
	}
	for says, files := range map[string]map[string]string{
		"players.ndjson was changed": change("players.ndjson", swap("Player7", "Player8")),
		"players.ndjson was changed after": change("players.ndjson",
			func(s string) string { return s[:strings.LastIndex(s[:len(s)-1], "\n")+1] }),
		"videos.ndjson was changed": change("videos.ndjson",
			func(s string) string { return s + s[:strings.Index(s, "\n")+1] }),
		"territories.ndjson was changed":     change("territories.ndjson", func(string) string { return "" }),
		"wrong checksum":                     change(manifestName, swap(`"rows": `, `"rows": 1`)),
		"manifest.json":                      change(manifestName, func(s string) string { return s[:len(s)/2] }),
		"more than a manifest":               change(manifestName, func(s string) string { return s + "{}" }),
		"unknown field":                      change(manifestName, swap(`"format"`, `"formal"`)),
		"schema version 2":                   manifest(func(m *Manifest) { m.Schema = 2 }),
		"its format is":                      manifest(func(m *Manifest) { m.Format = "another" }),
		`the collection "accounts"`:          manifest(func(m *Manifest) { m.Files[0].Collection = "accounts" }),
		`the collection "../players"`:        manifest(func(m *Manifest) { m.Files[0].Collection = "../players" }),
		`the collection "characters", which`: manifest(func(m *Manifest) { m.Files[0].Collection = "characters" }),
		"videos.ndjson, line":                refilled("videos.ndjson", "{\"_id\":\n"),
		"longer than 64 MiB": change("videos.ndjson",
			func(string) string { return strings.Repeat(" ", maxLine+1) }),
		"no _id": refilled("videos.ndjson", "{}\n"),
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
			if _, err := Import(t.Context(), store, broken, options(store)); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("got %v, want an error that says %q", err, says)
			}
			if name, err := store.Export.NonEmptyCollection(t.Context()); name != "" || err != nil {
				t.Errorf("%s was written: %v", name, err)
			}
		})
	}
	cut := t.TempDir()
	if err := os.WriteFile(filepath.Join(cut, manifestName), []byte(whole[manifestName]), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Import(t.Context(), store, cut, options(store)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: got %v, want ErrNotExist", err)
	}
}

// An import that fails deletes what it wrote. One that was killed can be repeated, and prevents exports
// until then.
func testInterrupted(t *testing.T, dir string) {
	store, _ := mongotest.Open(t)
	failure := errors.New("the power went")
	var purged []string
	store.OnPurge(func(tags ...string) { purged = append(purged, tags...) })
	o := options(store)
	o.RaiseEpoch = func(context.Context, int64) error { return failure }
	if _, err := Import(t.Context(), store, dir, o); !errors.Is(err, failure) {
		t.Fatal(err)
	}
	if name, err := store.Export.NonEmptyCollection(t.Context()); name != "" || err != nil {
		t.Errorf("%s was not deleted: %v", name, err)
	}
	if !slices.Equal(purged, []string{"*"}) {
		t.Errorf("after a failed import: purged %v, want everything", purged)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o = options(store)
	o.Progress = func(string, int, int) { cancel() }
	if _, err := Import(ctx, store, dir, o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
	if err := CheckWhole(t.Context(), store); err != nil {
		t.Errorf("after an import that cleaned up: %v", err)
	}
	if err := store.SetMark(t.Context(), importingKey, "x"); err != nil {
		t.Fatal(err)
	}
	videos := []*model.Video{{Position: 3, URI: "https://video.example/3"}}
	if err := mongo.Videos.Put(t.Context(), store, videos); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(t.Context(), store, filepath.Join(t.TempDir(), "half"), options(store)); err == nil ||
		!strings.Contains(err.Error(), "interrupted") {
		t.Errorf("export after an interrupted import: got %v, want an error", err)
	}
	purged = nil
	if _, err := Import(t.Context(), store, dir, options(store)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(purged, []string{"*"}) {
		t.Errorf("after an import: purged %v, want everything", purged)
	}
	if _, err := Import(t.Context(), store, dir, options(store)); !errors.Is(err, ErrStoreNotEmpty) {
		t.Errorf("second import: got %v, want ErrStoreNotEmpty", err)
	}
}

// A directory with other files is not replaced, and an export whose replacement fails is restored.
func testTargets(t *testing.T, store *mongo.Store, dir string) {
	before := readFiles(t, dir)
	if _, err := Export(t.Context(), store, dir, options(store)); !errors.Is(err, ErrDirNotEmpty) {
		t.Errorf("without Replace: got %v, want ErrDirNotEmpty", err)
	}
	o := options(store)
	o.Replace = true
	o.WhileIdle = func(context.Context, func(context.Context, int64) error) error { return errors.New("no") }
	if _, err := Export(t.Context(), store, dir, o); err == nil || !maps.Equal(before, readFiles(t, dir)) {
		t.Errorf("a failed replacement changed the export: %v", err)
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "letter"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o = options(store)
	o.Replace = true
	for target, ok := range map[string]bool{dir: true, foreign: false, t.TempDir(): true} {
		if _, err := Export(t.Context(), store, target, o); (err == nil) != ok {
			t.Errorf("Replace: got %v, want success for an export and an empty directory only", err)
		}
	}
	stop, cancel := context.WithCancel(t.Context())
	cancel()
	parent := t.TempDir()
	if _, err := Export(stop, store, filepath.Join(parent, "x"), options(store)); err == nil {
		t.Error("a cancelled export succeeded")
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("a cancelled export left %v", left)
	}
}

// A new collection is not private by accident, nor exported by accident.
func TestPrivateCollections(t *testing.T) {
	want := []string{
		"accounts", "applications", "sessions", "webhooks", "competitions",
		"accessTokens", "authCodes", "linkCodes", "usage", "leases", "purges", "deletions",
		"feedTokens", "peppers", "locks", "feedKeys",
	}
	var got []string
	for _, c := range mongo.Collections {
		if c.Export == mongo.Private {
			got = append(got, c.Name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("private collections are %v, want %v", got, want)
	}
}
