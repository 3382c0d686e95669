package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "rewrite testdata/usage.txtar")

// The help of every command, and the error of every wrong command line, is as in the golden. -update rewrites it.
func TestUsage(t *testing.T) {
	golden, err := filepath.Abs("testdata/usage.txtar")
	if err != nil {
		t.Fatal(err)
	}
	archive, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	addHelp(archive)
	t.Setenv("GAMEDATA_LOG_LEVEL", "warn")
	t.Chdir(t.TempDir())
	writeUnusableFiles(t)
	for i, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			code, out, errs := run(strings.Fields(f.Name)[1:]...)
			archive.Files[i].Data = fmt.Appendf(nil, "%d\n%s%s", code, out, errs)
			if diff := cmp.Diff(string(f.Data), string(archive.Files[i].Data)); diff != "" && !*update {
				t.Errorf("-want +got:\n%s", diff)
			}
			if strings.Contains(out+errs, "\x1b") {
				t.Error("the output contains the escape character of a file's name")
			}
		})
	}
	if _, err := os.Stat("absent"); err == nil {
		t.Error("a service that cannot start created a store")
	}
	if *update {
		if err := os.WriteFile(golden, txtar.Format(archive), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// addHelp adds the help of each command that the golden lacks.
func addHelp(archive *txtar.Archive) {
	root := command()
	rejectUnknownArgs(root)
	visit(root, func(cmd *cobra.Command) {
		name := cmd.CommandPath() + " --help"
		if !slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == name }) {
			archive.Files = append(archive.Files, txtar.File{Name: name})
		}
	})
}

// writeUnusableFiles writes the files that the golden's command lines name.
func writeUnusableFiles(t *testing.T) {
	t.Helper()
	for _, name := range []string{"pipes", "hostile"} {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, "guild-list-guild.json", `{"Lantern Row": {"uuid": "a0000000-0000-4000-8000-000000000001"}}`)
	writeFile(t, "hostile/item-sets\x1b[2J\n.json", "{")
	if err := exec.Command("mkfifo", "pipes/item-sets.json").Run(); err != nil {
		t.Fatal(err)
	}
}
