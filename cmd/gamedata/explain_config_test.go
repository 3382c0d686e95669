package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"gamedata/internal/config"
)

func TestConfigExplain(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "settings.yaml")
	if err := os.WriteFile(file, []byte("page-size: 30\nguest-rate: 70\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GAMEDATA_GUEST_RATE", "80")
	t.Setenv("GAMEDATA_PEPPER", "hidden-pepper")
	t.Setenv("GAMEDATA_MONGO_URI", "mongodb://keeper:hidden-word@one:27017,two:27017/?replicaSet=game")
	code, out, errs := run("config", "explain", "--config", file, "--listen", ":9000")
	if code != 0 || strings.Contains(out+errs, "hidden") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	for _, want := range []string{
		`listen +:9000 +command line +GAMEDATA_LISTEN\n`,
		`page-size +30 +page-size in \S+settings.yaml +GAMEDATA_PAGE_SIZE\n`,
		`guest-rate +80 +GAMEDATA_GUEST_RATE +GAMEDATA_GUEST_RATE\n`,
		`pepper +\(secret\) +GAMEDATA_PEPPER +`,
		`mongo-uri +mongodb://keeper:xxxxx@one:27017,two:27017/\S+ +GAMEDATA_MONGO_URI +`,
		`cache-size +64MiB +default +GAMEDATA_CACHE_SIZE\n`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("got no %q in\n%s", want, out)
		}
	}
	if code, _, errs := run("config", "explain", "--page-size", "0"); code != 2 || !strings.Contains(errs, "--page-size") {
		t.Errorf("a wrong setting: %d %s", code, errs)
	}
	for value, want := range map[string]string{
		"redis://:word@host/0":      "redis://:xxxxx@host/0",
		"mongodb+srv://a:word@host": "mongodb+srv://a:xxxxx@host", "10.0.0.0/8": "10.0.0.0/8",
	} {
		code, out, _ := run("config", "explain", "--mongo-uri", value)
		if code != 0 || !strings.Contains(out, want) || strings.Contains(out, "word@") {
			t.Errorf("%s: %d %s", value, code, out)
		}
	}
}

var update = flag.Bool("update", false, "rewrite the table of docs/configuration.md")

const (
	tableBegins = "<!-- written by go test ./cmd/gamedata -run ConfigurationTable -update -->\n"
	tableEnds   = "<!-- end -->\n"
)

// The documented table of settings is up to date.
func TestConfigurationTable(t *testing.T) {
	const file = "../../docs/configuration.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableBegins)
	_, after, ended := strings.Cut(rest, tableEnds)
	if !ok || !ended {
		t.Fatal("the document has no place for the table")
	}
	code, made, _ := run("config", "markdown")
	want := before + tableBegins + made + tableEnds + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if code != 0 || string(text) != want {
		t.Error("the table in docs/configuration.md is outdated: run the test with -update")
	}
}

// Manual pages and completion cover the commands and their flags.
func TestManualAndCompletion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	if code, out, errs := run("man", dir); code != 0 || !strings.Contains(out, "pages") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	page, err := os.ReadFile(filepath.Join(dir, "gamedata-serve.1"))
	if err != nil || !strings.Contains(string(page), `admin\-listen`) && !strings.Contains(string(page), "admin-listen") {
		t.Errorf("%v: the page of serve lacks --admin-listen", err)
	}
	at := 0
	for _, group := range config.FlagGroups {
		next := strings.Index(string(page), "\n.SS "+group+"\n")
		if next <= at {
			t.Errorf("the part %s of the page of serve is missing or too early", group)
		}
		at = next
	}
	serveCommand().Flags().VisitAll(func(flag *pflag.Flag) {
		if n := strings.Count(string(page), `\fB--`+flag.Name+`\fP`); n != 1 {
			t.Errorf("the page of serve lists --%s %d times, want once", flag.Name, n)
		}
	})
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if code, out, errs := run("completion", shell); code != 0 || !strings.Contains(out, "gamedata") {
			t.Errorf("completion %s: %d %s", shell, code, errs)
		}
	}
	if code, out, _ := run("__complete", "serve", "--admin"); code != 0 || !strings.Contains(out, "--admin-listen") {
		t.Errorf("completes %s", out)
	}
	if code, _, errs := run("man"); code != 2 || !strings.Contains(errs, "DIRECTORY") {
		t.Errorf("%d %s", code, errs)
	}
}
