package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// Whatever is wrong with the file of the embedded store, every subcommand says so in a sentence and ends with status 1.
// Each damage was a signal, a stack, or a new store in place of the old one before.
func TestDamagedStore(t *testing.T) {
	t.Parallel()
	whole := apptest.DemoDir(t)
	exported := filepath.Join(t.TempDir(), "exported")
	if code, _, errs := run("export", exported, "--data-dir", whole); code != 0 {
		t.Fatal(errs)
	}
	const page = 8192
	data := apptest.ReadFile(t, filepath.Join(whole, "gamedata.db"))
	noise := make([]byte, len(data))
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	// What Open does not read: the pages of documents and index entries.
	inside := func(fill func([]byte)) []byte {
		changed := bytes.Clone(data)
		for at := 2 * page; at+page <= len(changed); at += page {
			const leaf = 2
			p := changed[at : at+page]
			if binary.NativeEndian.Uint16(p[8:]) == leaf && !bytes.Contains(p, []byte("catalog")) &&
				!bytes.Contains(p, []byte("multikey")) {
				fill(p)
			}
		}
		return changed
	}
	t.Run("while serving", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		name := filepath.Join(dir, "gamedata.db")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		p := apptest.Start(t, "--data-dir", dir)
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = file.WriteAt(inside(func(p []byte) { clear(p) }), 0)
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/v3/player/Salted", "/v3/guild/Mossbound%20Company", "/v3/player/Salted?fullResult"} {
			res := apptest.Get(t, p.Base+path)
			res.Expect(t, path, 503)
			if res.Header.Get("Retry-After") == "" {
				t.Errorf("%s: got no Retry-After", path)
			}
		}
		if ready := apptest.Get(t, p.Base+"/readyz"); !ready.Has("degraded: store: the store's file is damaged") {
			t.Errorf("readiness: %s", ready.Body)
		}
		p.Stop()
		log := p.Stderr.String()
		if strings.Count(log, "store damaged") != 1 || strings.Contains(log, "goroutine") {
			t.Errorf("log: %s", log)
		}
	})
	used := 0 // of the file, which has free pages at its end; see the meta pages of bbolt
	for meta := range 2 {
		used = max(used, page*int(binary.LittleEndian.Uint64(data[meta*page+56:])))
	}
	text := []byte(strings.Repeat("no store ", 1000))
	zeros := make([]byte, len(data))
	for name, damaged := range map[string][]byte{
		"empty":           {},
		"a byte":          data[:1],
		"one meta page":   data[:page],
		"two meta pages":  data[:2*page],
		"half a page":     data[:used/2+page/2],
		"no end":          data[:used/3*2/page*page],
		"zeros":           zeros,
		"zeroed metas":    slices.Concat(zeros[:2*page], data[2*page:]),
		"zeroed rest":     slices.Concat(data[:2*page], zeros[2*page:]),
		"noise":           noise,
		"noise in it":     slices.Concat(data[:2*page], noise[2*page:]),
		"zeroed leaves":   inside(func(p []byte) { clear(p) }),
		"noise in leaves": inside(func(p []byte) { copy(p[16:], noise) }),
		"text":            text,
		"a directory":     nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, args := range [][]string{
				{"doctor", "--listen", "127.0.0.1:0"},
				{"serve", "--listen", "127.0.0.1:0", "--log-level", "error"},
				{"export", filepath.Join(t.TempDir(), "export")},
				{"backup", filepath.Join(t.TempDir(), "backup")},
				{"import", exported},
				{"migrate"},
				{"jobs", "run", "leaderboards"},
				{"account", "show", "Salted"},
				{"feed-token", "list"},
				{"seed"},
			} {
				dir := t.TempDir()
				file := filepath.Join(dir, "gamedata.db")
				err := os.WriteFile(file, damaged, 0o600)
				if damaged == nil {
					err = errors.Join(os.Remove(file), os.Mkdir(file, 0o700))
				}
				if err != nil {
					t.Fatal(err)
				}
				var stdout, stderr bytes.Buffer
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // a service that starts must end too
				code := Run(ctx, append(args, "--data-dir", dir), &stdout, &stderr)
				cancel()
				out, errs := stdout.String(), stderr.String()
				said := errs
				if args[0] == "doctor" {
					said = out
					if !strings.Contains(out, "gamedata restore FILE --replace --data-dir "+dir) && damaged != nil {
						t.Errorf("doctor names no remedy: %s", out)
					}
				}
				if code != 1 || strings.Count(errs, "\n") != 1 || !strings.Contains(said, "damaged") && damaged != nil ||
					slices.ContainsFunc([]string{"goroutine", "SIG", "panic", ".go:"}, func(trace string) bool {
						return strings.Contains(out+errs, trace)
					}) {
					t.Errorf("%s: status %d: %s%s", args[0], code, out, errs)
				}
			}
		})
	}
}
