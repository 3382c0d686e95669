package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// A backup taken while the service runs and others write is consistent.
func TestBackup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p, store := apptest.StartDemo(t)
	data := []string{"--data-dir", store}
	stop, ended := make(chan struct{}), make(chan int)
	go func() {
		made := 0
		for ; ; made++ {
			select {
			case <-stop:
				ended <- made
				return
			default:
			}
			if code, _, errs := run(append([]string{"account", "create", fmt.Sprintf("Keeper%d", made)},
				data...)...); code != 0 {
				t.Error(errs)
				<-stop
				ended <- made
				return
			}
		}
	}()
	file := filepath.Join(dir, "store.backup")
	code, out, errs := run(append([]string{"backup", file}, data...)...)
	close(stop)
	<-ended
	if code != 0 || !strings.Contains(out, "of the running service") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the backup: %v %v", info, err)
	}
	if code, _, errs := run(append([]string{"backup", file}, data...)...); code != 1 || !strings.HasSuffix(errs,
		"backup: "+file+" is there already\n") {
		t.Errorf("wrote over a backup: %d %s", code, errs)
	}
	if code, _, errs := run(append([]string{"restore", file, "--replace"}, data...)...); code != 1 ||
		!strings.Contains(errs, "in use") {
		t.Errorf("restored below a running service: %d %s", code, errs)
	}
	paths := []string{
		"/v3/player/Salted?fullResult", "/v3/guild/Mossbound%20Company", "/v3/leaderboards/warsCompletion",
		"/v3/item/metadata",
	}
	before := map[string][]byte{}
	for _, path := range paths {
		before[path] = apptest.RequestOK(t, p.Base, "GET", path, "")
	}
	p.Stop()

	fresh := filepath.Join(dir, "fresh")
	if code, _, errs := run("restore", file, "--data-dir", fresh); code != 0 {
		t.Fatal(errs)
	}
	again := apptest.Start(t, append(apptest.DemoFlags, "--data-dir", fresh)...)
	for _, path := range paths {
		apptest.ExpectSameJSON(t, path, before[path], apptest.RequestOK(t, again.Base, "GET", path, ""))
	}
	again.Stop()

	if code, _, errs := run("restore", file, "--data-dir", fresh); code != 1 || !strings.Contains(errs, "--replace") {
		t.Errorf("restored over a store: %d %s", code, errs)
	}
	// Without a service the command opens the store itself.
	if code, out, errs := run("backup", filepath.Join(dir, "second"), "--data-dir", fresh); code != 0 ||
		strings.Contains(out, "running") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	for _, irregular := range []string{dir, os.DevNull} {
		if code, _, errs := run("restore", irregular, "--data-dir", filepath.Join(dir, "irregular")); code != 1 ||
			!strings.Contains(errs, "no whole backup") {
			t.Errorf("%s: %d %s", irregular, code, errs)
		}
	}
	for name, bytes := range map[string][]byte{"changed": text, "short": text[:len(text)/2], "none": []byte("none")} {
		bad := filepath.Join(dir, name)
		if err := os.WriteFile(bad, bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, errs := run("restore", bad, "--data-dir", filepath.Join(dir, "of-"+name)); code != 1 ||
			!strings.Contains(errs, "no whole backup") {
			t.Errorf("%s: %d %s", name, code, errs)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "of-"+name, "*")); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
	if code, _, errs := run("restore", file, "--replace", "--data-dir", fresh); code != 0 {
		t.Error(errs)
	}
}

// What a killed restore left in the data directory is a whole store in size; the next start or restore removes it.
// Other users who may write there could replace the store: the service and doctor warn.
func TestDataDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	left, backup := filepath.Join(dir, ".part-1"), filepath.Join(t.TempDir(), "backup")
	for _, args := range [][]string{
		{"feed-token", "list"}, {"backup", backup}, {"restore", backup, "--replace"},
	} {
		if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, errs := run(append(args, "--data-dir", dir)...); code != 0 {
			t.Fatal(errs)
		}
		if _, err := os.Stat(left); err == nil {
			t.Errorf("%s left %s", args[0], left)
		}
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	const warning = "other users can write to"
	if code, out, errs := run("doctor", "--listen", "127.0.0.1:0", "--data-dir", dir); code != 0 ||
		!strings.Contains(out, warning) {
		t.Errorf("doctor: %d %s%s", code, out, errs)
	}
	p := apptest.Start(t, "--data-dir", dir)
	p.Stop()
	if !strings.Contains(p.Stderr.String(), warning) {
		t.Errorf("log: %s", p.Stderr)
	}
}
