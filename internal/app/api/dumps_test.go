package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/httpapi/httpapitest"
	"gamedata/internal/publicdump"
)

func writeDumps(svc *apptest.Service, dir string, at time.Time) *publicdump.Manifest {
	svc.T.Helper()
	m, err := app.WriteDumps(svc.T.Context(), svc.Store, dir, at, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		svc.T.Fatal(err)
	}
	return m
}

// The dumps have every record as a guest sees it, in both encodings, and the manifest describes each file. They are
// served with ETag and ranges; the generation before stays, older ones and interrupted ones are removed.
func TestDumps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	svc := apptest.NewService(t, "--dumps-dir", dir)
	interrupted := filepath.Join(dir, ".20260101T000000Z.part")
	if err := os.Mkdir(interrupted, 0o750); err != nil {
		t.Fatal(err)
	}
	svc.Request("GET", "/dumps/manifest.json", "").Expect(t, "before the first dumps", 404)
	svc.Request("OPTIONS", "/dumps/manifest.json", "").Expect(t, "preflight", 204,
		"Access-Control-Allow-Headers", "Authorization, Content-Type, If-None-Match, If-Range, Range")
	for day := range 2 {
		writeDumps(svc, dir, apptest.Now().AddDate(0, 0, day-2))
	}
	second, err := publicdump.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := writeDumps(svc, dir, apptest.Now())
	if due, err := publicdump.Due(dir, apptest.Now().Add(23*time.Hour)); err != nil || due {
		t.Errorf("due again on the same day: %v, %v", due, err)
	}
	if due, err := publicdump.Due(dir, apptest.Now().Add(24*time.Hour)); err != nil || !due {
		t.Errorf("not due on the next day: %v, %v", due, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("want two generations and a manifest, got %v, %v", entries, err)
	}

	var m publicdump.Manifest
	manifest := svc.Request("GET", "/dumps/manifest.json", "")
	manifest.Expect(t, "manifest", 200, "Content-Type", "application/json", "Cache-Control", "public, max-age=60")
	if err := json.Unmarshal(manifest.Body, &m); err != nil || !m.GeneratedAt.Equal(want.GeneratedAt) {
		t.Fatalf("got %s, %v", manifest.Body, err)
	}
	svc.Request("GET", "/dumps/manifest.json", "", "If-None-Match", manifest.Header.Get("ETag")).
		Expect(t, "the same manifest", 304)
	lines := map[string][]byte{}
	for _, f := range m.Files {
		res := svc.Request("GET", "/dumps/"+f.Path, "")
		res.Expect(t, f.Path, 200, "ETag", `"`+f.SHA256+`"`, "Accept-Ranges", "bytes", "Content-Encoding", "")
		sum := sha256.Sum256(res.Body)
		content := []byte(httpapitest.Decompress(t, f.Encoding, string(res.Body)))
		if hex.EncodeToString(sum[:]) != f.SHA256 || int64(len(res.Body)) != f.Bytes ||
			int64(len(content)) != f.UncompressedBytes || int64(bytes.Count(content, []byte("\n"))) != f.Rows {
			t.Errorf("%s is not as the manifest says", f.Path)
		}
		if before, ok := lines[f.Name]; ok && !bytes.Equal(before, content) {
			t.Errorf("the files of %s differ", f.Name)
		}
		lines[f.Name] = content
	}
	part := svc.Request("GET", "/dumps/"+m.Files[0].Path, "", "Range", "bytes=10-19")
	if part.Status != 206 || len(part.Body) != 10 {
		t.Errorf("a range: %d with %d bytes", part.Status, len(part.Body))
	}
	svc.Request("HEAD", "/dumps/"+second.Files[0].Path, "").Expect(t, "the generation before", 200)
	for _, path := range []string{
		"/dumps/", "/dumps/nothing", "/dumps/20260320T000000Z/manifest.json", "/dumps/%2e%2e/x",
	} {
		svc.Request("GET", path, "").Expect(t, path, 404)
	}
	if res := svc.Request("GET", "/dumps/", "", "Accept", "text/html"); res.Status != 200 || !res.Has(m.Files[0].Path) {
		t.Errorf("the list of files: %d %s", res.Status, res.Body)
	}
	svc.Request("POST", "/dumps/manifest.json", "{}").Expect(t, "POST", 405, "Allow", "GET, HEAD, OPTIONS")

	counts := map[string]int{}
	for name, content := range lines {
		counts[name] = bytes.Count(content, []byte("\n"))
	}
	players, guilds, err := svc.Store.Census.Records(t.Context())
	if err != nil || int64(counts["players"]) != players || int64(counts["guilds"]) != guilds ||
		counts["items"] == 0 || counts["territories"] == 0 {
		t.Errorf("of %d players and %d guilds, the dumps have %v, %v", players, guilds, counts, err)
	}
	// Veiled hides everything that can be hidden.
	veiled := slices.Collect(bytes.Lines(lines["players"]))
	veiled = slices.DeleteFunc(veiled, func(line []byte) bool {
		return !bytes.Contains(line, []byte(`"username":"Veiled"`))
	})
	if len(veiled) != 1 || !bytes.Contains(veiled[0], []byte(`"lastJoinedAt":null`)) ||
		!bytes.Contains(veiled[0], []byte(`"totals":null`)) ||
		!bytes.Contains(veiled[0], []byte(`"characters":{"nodes":[]}`)) {
		t.Errorf("a player who hides everything: %s", veiled)
	}
}

// The files of the day before stay for a download that runs, and no cache has them much longer: a player may have
// hidden what is in them.
func TestOlderDumpsEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	svc := apptest.NewService(t, "--dumps-dir", dir)
	var paths []string
	for day := range 2 {
		m := writeDumps(svc, dir, apptest.Now().AddDate(0, 0, day-1))
		paths = append(paths, "/dumps/"+m.Files[0].Path)
	}
	svc.Request("HEAD", paths[0], "").Expect(t, "the older file at first", 200, "Cache-Control", "public, max-age=900")
	past := time.Now().Add(-publicdump.Overlap - time.Second)
	if err := os.Chtimes(filepath.Join(dir, "manifest.json"), past, past); err != nil {
		t.Fatal(err)
	}
	svc.Request("HEAD", paths[0], "").Expect(t, "the older file later", 404)
	svc.Request("HEAD", paths[1], "").Expect(t, "the latest file", 200)
	if err := publicdump.RemoveOld(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("want one generation and a manifest, got %v, %v", entries, err)
	}
}
