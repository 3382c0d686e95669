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
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		for made := 0; ; made++ {
			select {
			case <-stop:
				close(ended)
				return
			default:
			}
			if code, _, errs := run("account", "create", fmt.Sprint("Keeper", made), "--data-dir", store); code != 0 {
				t.Error(errs)
				<-stop
				close(ended)
				return
			}
		}
	}()
	file := filepath.Join(dir, "store.backup")
	code, out, errs := run("backup", file, "--data-dir", store)
	close(stop)
	<-ended
	if code != 0 || !strings.Contains(out, "of the running service") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the backup: %v %v", info, err)
	}
	expect(t, 1, "backup: "+file+" is there already\n", "backup", file, "--data-dir", store)
	missing := filepath.Join(dir, "missing", "file")
	expect(t, 1, "backup: create "+missing+": no such file or directory\n", "backup", missing, "--data-dir", store)
	expect(t, 1, "in use", "restore", file, "--replace", "--data-dir", store)
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
	expect(t, 0, "", "restore", file, "--data-dir", fresh)
	again := apptest.Start(t, append(apptest.DemoFlags, "--data-dir", fresh)...)
	for _, path := range paths {
		apptest.ExpectSameJSON(t, path, before[path], apptest.RequestOK(t, again.Base, "GET", path, ""))
	}
	again.Stop()

	expect(t, 1, "--replace", "restore", file, "--data-dir", fresh)
	// Without a service the command opens the store itself.
	if said := expect(t, 0, "", "backup", filepath.Join(dir, "second"), "--data-dir", fresh); strings.Contains(said, "running") {
		t.Errorf("got %s", said)
	}
	text := apptest.ReadFile(t, file)
	text[len(text)/2] ^= 1
	for _, irregular := range []string{dir, os.DevNull} {
		expect(t, 1, "no whole backup", "restore", irregular, "--data-dir", filepath.Join(dir, "irregular"))
	}
	for name, content := range map[string]string{
		"changed": string(text), "short": string(text[:len(text)/2]), "none": "none",
	} {
		bad := filepath.Join(dir, name)
		writeFile(t, bad, content)
		expect(t, 1, "no whole backup", "restore", bad, "--data-dir", filepath.Join(dir, "of-"+name))
		if left, _ := filepath.Glob(filepath.Join(dir, "of-"+name, "*")); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
	expect(t, 0, "", "restore", file, "--replace", "--data-dir", fresh)
}

// What a killed restore left in the data directory is a whole store in size; the next start or restore removes it.
// Other users who may write there could replace the store: the service and doctor warn.
func TestDataDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	left, backup := filepath.Join(dir, ".part-1"), filepath.Join(t.TempDir(), "backup")
	for _, args := range [][]string{
		{"feed-token", "create", "eu-1"}, {"backup", backup}, {"restore", backup, "--replace"},
	} {
		writeFile(t, left, "half")
		runCommand(t, dir, 0, args...)
		if _, err := os.Stat(left); err == nil {
			t.Errorf("%s left %s", args[0], left)
		}
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	const warning = "other users can write to"
	expect(t, 0, warning, "doctor", "--listen", "127.0.0.1:0", "--data-dir", dir)
	p := apptest.Start(t, "--data-dir", dir)
	p.Stop()
	if !strings.Contains(p.Stderr.String(), warning) {
		t.Errorf("log: %s", p.Stderr)
	}
}
